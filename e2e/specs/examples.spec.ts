import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@latchkey/dev'
import { type Program, startProgram } from '../browsers/startProgram.ts'
import { answer, expect, stack, test } from '../fixtures.ts'

// Each example is copied out of the repository, installs the packed packages as any app would, and is built for production.
// The first installs everything; those after it take over what it installed, and npm changes what differs.

const execute = promisify(execFile)
const root = join(import.meta.dirname, '../..')
// NODE_ENV of the test must not reach the builds. Next.js sends no telemetry.
const env = { ...process.env, NODE_ENV: undefined, NEXT_TELEMETRY_DISABLED: '1' }
const maxOutputBytes = 16 * 2 ** 20
// Ends what hangs, and judges no speed.
const startTimeoutMs = 180_000
// An installation and a build: minutes on a machine that is slow and busy.
const buildTimeoutMs = 600_000

const examples = [
  { name: 'vite-react-19', preview: ['vite', 'preview', '--strictPort', '--host'] },
  { name: 'vite-react-18', preview: ['vite', 'preview', '--strictPort', '--host'] },
  { name: 'next', preview: ['next', 'start', '--hostname'] },
] as const

const abort = new AbortController()
let folder: string
/** The example that was installed last. */
let installed: string | undefined
let server: Program | undefined

test.beforeAll(async () => {
  test.setTimeout(buildTimeoutMs)
  folder = await mkdtemp(join(tmpdir(), 'latchkey-examples-'))
  await log('packages built', () => run(root, process.execPath, 'dev/run.mjs', 'build:packages'))
})
test.afterEach(async () => {
  await server?.stop()
  server = undefined
})
test.afterAll(async () => {
  abort.abort()
  // What was ended just now may still write.
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 })
})

for (const { name, preview } of examples)
  test.describe(name, () => {
    test.beforeAll(async () => {
      test.setTimeout(buildTimeoutMs)
      await build(name)
    })

    test(`default: ${name} connects the development wallet`, async ({ page }) => {
      const url = await serve(name, preview)
      // A failed hydration and a policy violation are both errors on the console, which fail the test.
      await page.goto(url)
      const button = page.getByRole('button', { name: 'Connect wallet' })
      // A button that the server has drawn does nothing until React has taken it over.
      await expect
        .poll(() => button.evaluate((node) => Object.keys(node).join(' ')))
        .toContain('__reactProps')
      await button.click()
      const dialog = page.getByRole('dialog')
      await answer(page, 'approve', () =>
        dialog.getByRole('button', { name: /Latchkey Development Wallet/ }).click(),
      )
      await expect(dialog).toBeHidden()
      await expect(page.getByRole('button', { name: /^Account 0x/ })).toContainText(' ETH')
    })

    if (name === 'next')
      test('behavior: Next.js renders the button on the server, under a policy that allows nothing inline', async () => {
        const response = await fetch(await serve(name, preview))
        expect(await response.text()).toMatch(/<button[^>]*>(<[^>]+>)*Connect wallet/)
        expect(response.headers.get('content-security-policy')).not.toContain('unsafe')
      })
  })

/** Copies, installs and builds an example. Throws with what npm or the bundler reported. */
async function build(name: string) {
  const cwd = join(folder, name)
  await cp(join(root, 'examples', name), cwd, { recursive: true })
  await adapt(cwd)
  if (installed)
    for (const part of ['node_modules', 'package-lock.json'])
      await rename(join(folder, installed, part), join(cwd, part))
  installed = name
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  await log(`${name} installed`, () => run(cwd, 'npm', ...install))
  await log(`${name} built`, () => run(cwd, 'npm', 'run', 'build'))
}

/** Points an example to this run's stack and packages, and pins other packages to the versions of this repository. */
async function adapt(cwd: string) {
  const { web, wallet } = stack.urls
  for (const entry of await readdir(cwd, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const text = (await readFile(path, 'utf8'))
      .replaceAll('http://127.0.0.1:3000', web)
      .replaceAll('http://127.0.0.1:3002', wallet)
      .replaceAll('file:../../dist', `file:${root}/dist`)
    await writeFile(path, text)
  }
  const manifest = await readJson(join(cwd, 'package.json'))
  const overrides = await pinnedVersions()
  await writeFile(join(cwd, 'package.json'), JSON.stringify({ ...manifest, overrides }))
}

/**
 * Our packages accept any compatible version; a new release of somebody else must not decide whether this test passes.
 * The range is part of each key, so that a package that another one needs in an older or newer version keeps that one.
 */
async function pinnedVersions() {
  const names = await readdir(join(root, 'packages'))
  const paths = names.map((name) => join(root, 'packages', name, 'package.json'))
  const manifests = await Promise.all(paths.map(readJson))
  return Object.fromEntries(
    manifests
      .flatMap(({ dependencies }) => Object.entries<string>(dependencies))
      .filter(([name]) => !name.startsWith('@latchkey/'))
      .map(([name, version]) => [`${name}@^${version}`, version]),
  )
}

/** Serves a built example until the test ends. Returns its address. */
async function serve(name: string, [program, ...args]: readonly [string, ...string[]]) {
  const cwd = join(folder, name)
  const port = await freePort()
  const command = join(cwd, 'node_modules/.bin', program)
  server = await startProgram({
    command,
    args: [...args, '127.0.0.1', '--port', String(port)],
    cwd,
    env: { NEXT_TELEMETRY_DISABLED: '1' },
  })
  const url = `http://127.0.0.1:${port}`
  const isServed = () =>
    fetch(url)
      .then(({ ok }) => ok)
      .catch(() => false)
  await expect.poll(isServed, { timeout: startTimeoutMs }).toBe(true)
  return url
}

async function log(what: string, work: () => Promise<unknown>) {
  const startedAtMs = Date.now()
  await work()
  console.log(`${what} in ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`)
}

/** Runs a program to its end. Throws with what it wrote. */
async function run(cwd: string, program: string, ...args: readonly string[]) {
  try {
    await execute(program, args, { cwd, env, maxBuffer: maxOutputBytes, signal: abort.signal })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${program} ${args.join(' ')} failed in ${cwd}:\n${stdout}\n${stderr}`)
  }
}

const readJson = async (path: string) => JSON.parse(await readFile(path, 'utf8'))
