import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { startChild } from '../processes/startChild.ts'
import { takeTurn } from '../processes/takeTurn.ts'
import { root } from '../root.ts'

const require = createRequire(import.meta.url)
const manifestSchema = z.object({
  name: z.string(),
  dependencies: z.record(z.string(), z.string()).optional(),
})
const stampName = '.built-from'
const left = new Set(['node_modules', 'dist'])

const entries = {
  web: 'index.html',
  wallet: 'index.html',
  frame: 'index.html',
  server: 'main.js',
} as const

type Parameters = {
  app: keyof typeof entries
  dataDir: string
  signal?: AbortSignal | undefined
}
type Build = { dist: string; built: boolean }

/**
 * Returns the folder of a built app. Builds it with Vite if its sources, the sources of the
 * workspaces it imports, the lock file or the path of the repository have changed. Concurrent
 * callers wait for the same build. Throws with Vite's output.
 */
export async function buildApp(parameters: Parameters): Promise<Build> {
  const cache = join(root, 'node_modules/.cache/latchkey')
  mkdirSync(cache, { recursive: true })
  const release = await takeTurn(join(cache, `${parameters.app}.turn`))
  try {
    return await buildIfStale(parameters, cache)
  } finally {
    release()
  }
}

async function buildIfStale({ app, dataDir, signal }: Parameters, cache: string): Promise<Build> {
  const folder = join(root, 'apps', app)
  const dist = join(folder, 'dist')
  const hash = hashInputs(folder)
  if (readStamp(dist) === hash) return { dist, built: false }

  // Builds in another folder and moves the result, so that half a build is never served.
  const fresh = join(cache, `${app}-${process.pid}`)
  const child = startChild({
    name: `build-${app}`,
    command: process.execPath,
    args: [viteProgram(), 'build', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'],
    cwd: folder,
    env: { NODE_ENV: 'production' },
    runDir: join(dataDir, 'run'),
    logFile: join(dataDir, 'logs', `build-${app}.log`),
    signal,
  })
  const { code, tail } = await child.exited
  if (code !== 0 || !existsSync(join(fresh, entries[app]))) {
    rmSync(fresh, { recursive: true, force: true })
    throw new Error(`apps/${app} could not be built:\n${tail}`)
  }
  writeFileSync(join(fresh, stampName), hash)
  rmSync(dist, { recursive: true, force: true })
  renameSync(fresh, dist)
  return { dist, built: true }
}

const viteProgram = () => join(dirname(require.resolve('vite/package.json')), 'bin/vite.js')

function readStamp(dist: string) {
  const file = join(dist, stampName)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function hashInputs(folder: string) {
  // The build contains absolute paths of its folder's files.
  const hash = createHash('sha256').update(`${root}\n`)
  const shared = ['package-lock.json', 'tsconfig.base.json', 'dev/src/packages/chunks.mjs'].map(
    (name) => join(root, name),
  )
  const files = [...findWorkspaces(folder)].flatMap((workspace) => [...filesIn(workspace)])
  for (const file of [...shared, ...files.sort()]) {
    hash.update(`${file.slice(root.length)}\n`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

/** The folders of an app and of every workspace that it imports, directly or not. */
function findWorkspaces(folder: string, seen = new Set<string>()) {
  if (seen.has(folder)) return seen
  seen.add(folder)
  const { dependencies = {} } = manifestSchema.parse(
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  )
  for (const name of Object.keys(dependencies)) {
    if (name.startsWith('@latchkey/')) findWorkspaces(join(root, 'packages', name.slice(10)), seen)
  }
  return seen
}

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !left.has(entry.name)) yield* filesIn(path)
    else if (entry.isFile() && !/\.test\.tsx?$/.test(entry.name)) yield path
  }
}
