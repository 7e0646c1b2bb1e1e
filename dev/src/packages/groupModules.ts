import { readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { build, type Rolldown } from 'vite'
import { root } from '../root.ts'
import { chunkGroups } from './chunks.mjs'
import { publicEntries } from './manifest.ts'

/**
 * Names of the package files that contain several modules, by the module's path. A module without
 * an entry gets its own file.
 */
export type FileNames = ReadonlyMap<string, string>

const packages = join(root, 'packages')
const react = join(packages, 'react/src/index.ts')
const query = join(packages, 'react/src/query.ts')
const walletConnect = join(packages, 'walletconnect')

/**
 * Finds the modules of all packages that an app always loads together: it builds an app with our
 * provider and a button, in the chunks of our pages. Each chunk becomes a file in each package that
 * contributes to it. An app then gets these chunks from any bundler without a setting. Modules that
 * other exports also reach stay separate, so that an app that only uses a hook does not get the
 * modal. The modules of another entry of `@latchkey/walletconnect` also stay separate: that entry
 * is its own file, and the two files would import each other. So do the modules of
 * `@latchkey/react` that its entry `query` reaches, because server components cannot import files
 * with client components.
 */
export async function groupModules(): Promise<FileNames> {
  const [app, all, queries, entries] = await Promise.all([
    bundle(`export { ConnectButton, LatchkeyProvider, useModal } from ${JSON.stringify(react)}`),
    bundle(`export * from ${JSON.stringify(react)}`),
    // Also what its files import for other exports: the files are not split.
    bundle(`export * from ${JSON.stringify(query)}`, false),
    readEntries(),
  ])
  const forServers = getInitialModules(queries)
  const isForServers = (id: string) => getPackage(id) === 'react' && forServers.has(id)
  const reached = getInitialModules(all)
  const isStart = isInitial(app)
  return new Map(
    app.flatMap((chunk) => {
      const name = isStart(chunk) ? 'start' : chunk.name
      const getName = (id: string) => {
        const entry = entries.find(({ modules }) => modules.has(id))
        if (entry) return `${entry.name}Parts`
        const part = !isStart(chunk) && reached.has(id) ? `${name}Parts` : name
        return isForServers(id) ? `${part}Queries` : part
      }
      return Object.entries(groupBy(chunk.moduleIds, getName)).flatMap(([file, ids]) =>
        nameFile(ids, file),
      )
    }),
  )
}

/**
 * The entries of `@latchkey/walletconnect` except its first, each with the modules that it loads at
 * once.
 */
async function readEntries() {
  const manifest = JSON.parse(readFileSync(join(walletConnect, 'package.json'), 'utf8'))
  const paths = publicEntries(manifest).flatMap(([entry, path]) => (entry === '.' ? [] : [path]))
  return Promise.all(
    paths.map(async (path) => ({
      name: basename(path, '.ts'),
      modules: getInitialModules(
        await bundle(`export * from ${JSON.stringify(join(walletConnect, path))}`),
      ),
    })),
  )
}

function groupBy(ids: readonly string[], getName: (id: string) => string) {
  const groups: Record<string, string[]> = {}
  for (const id of ids) groups[getName(id)] = [...(groups[getName(id)] ?? []), id]
  return groups
}

const getInitialModules = (chunks: readonly Rolldown.OutputChunk[]) =>
  new Set(chunks.filter(isInitial(chunks)).flatMap(({ moduleIds }) => moduleIds))

/** The folder of the package that contains a module. */
const getPackage = (id: string) => /^\w+/.exec(relative(packages, id))?.[0]

/** Assigns a shared file to the modules of the same package, if there are several. */
function nameFile(moduleIds: readonly string[], name: string): [id: string, file: string][] {
  const isAlone = (id: string) =>
    moduleIds.filter((other) => getPackage(other) === getPackage(id)).length === 1
  return moduleIds.filter((id) => getPackage(id) && !isAlone(id)).map((id) => [id, name])
}

/** Returns a predicate: whether a chunk is an entry or a static import of an entry. */
function isInitial(chunks: readonly Rolldown.OutputChunk[]) {
  const names = new Set<string>()
  const add = (chunk: Rolldown.OutputChunk | undefined) => {
    if (!chunk || names.has(chunk.fileName)) return
    names.add(chunk.fileName)
    for (const name of chunk.imports) add(chunks.find(({ fileName }) => fileName === name))
  }
  for (const chunk of chunks) if (chunk.isEntry) add(chunk)
  return ({ fileName }: Rolldown.OutputChunk) => names.has(fileName)
}

/** The chunks of an app with this source, without third-party modules. */
async function bundle(source: string, treeshake = true): Promise<Rolldown.OutputChunk[]> {
  const entry = '\0app'
  const built = (await build({
    configFile: false,
    root: join(root, 'packages/react'),
    logLevel: 'error',
    plugins: [
      {
        name: 'app',
        resolveId: (id) => (id === 'app' ? entry : undefined),
        load: (id) => (id === entry ? source : undefined),
      },
    ],
    build: {
      write: false,
      minify: false,
      target: 'es2023',
      rolldownOptions: {
        input: 'app',
        external: (id) => !/^[./\0]|^app$|^@latchkey\//.test(id),
        preserveEntrySignatures: 'strict',
        treeshake,
        output: { codeSplitting: { groups: chunkGroups } },
      },
    },
  })) as Rolldown.RolldownOutput
  return built.output.filter((part) => part.type === 'chunk')
}
