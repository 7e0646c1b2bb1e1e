import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@latchkey/dev'
import { createSiwxMessage } from '@latchkey/wire/siwx'
import type { Page } from '@playwright/test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Program, startProgram } from '../browsers/startProgram.ts'
import { answer, expect, stack, test } from '../fixtures.ts'
import { linkInstalled } from '../linkInstalled.ts'

// Each example is copied out of the repository, installs the packed packages as any app would, and
// is built for production. The first example reuses the packages that this repository has
// installed, each later example the packages of the previous example; npm changes what differs.

const execute = promisify(execFile)
const root = join(import.meta.dirname, '../..')
// NODE_ENV of the test must not reach the builds. Next.js sends no telemetry.
const env = { ...process.env, NODE_ENV: undefined, NEXT_TELEMETRY_DISABLED: '1' }
const maxOutputBytes = 16 * 2 ** 20
// Ends a hanging start; not a limit on speed. A development server compiles its first page, for
// minutes on a slow and busy machine.
const startTimeoutMs = 480_000
// So do an installation and a build.
const buildTimeoutMs = 600_000

const examples = [
  { name: 'vite-react-19', preview: ['vite', 'preview', '--strictPort', '--host'] },
  { name: 'vite-react-18', preview: ['vite', 'preview', '--strictPort', '--host'] },
  { name: 'next', preview: ['next', 'start', '--hostname'] },
] as const

// Each example is built only once, so writing a cache would be wasted work.
const nextOption = 'cacheComponents: true'
const noCache = `${nextOption}, experimental: { turbopackFileSystemCacheForBuild: false }`

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
test.afterAll(async () => {
  await server?.stop()
  abort.abort()
  // Processes that were just ended may still write.
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 })
})

for (const { name, preview } of examples)
  test.describe(name, () => {
    let url: string
    test.beforeAll(async () => {
      test.setTimeout(buildTimeoutMs)
      await build(name)
      url = await serve(name, preview)
    })

    test(`default: ${name} connects the development wallet`, async ({ page }) => {
      // A failed hydration and a policy violation are both errors on the console, which fail the
      // test.
      await openModal(page, url)
      const dialog = page.getByRole('dialog')
      await answer(page, 'approve', () =>
        dialog.getByRole('button', { name: /Latchkey Development Wallet/ }).click(),
      )
      await expect(dialog).toBeHidden()
      await expect(page.getByRole('button', { name: /^Account 0x/ })).toContainText(' ETH')
    })

    if (name === 'vite-react-19')
      test('default: an app that was migrated by docs/upgrading.md connects and reads balances', async ({
        page,
      }) => {
        test.setTimeout(buildTimeoutMs)
        await openModal(page, await serveMigrated())
        await answer(page, 'approve', () =>
          page.getByRole('button', { name: /Latchkey Development Wallet/ }).click(),
        )
        const rows = page.locator('ul[data-swaps] li')
        await expect(rows.first()).toHaveText(/^[\d,.]+$/)
        await expect(rows.last()).toHaveText(/^\d+$/)
      })

    if (name === 'next') {
      test('default: its route handlers sign an account in, once', async () => {
        await signIn(url, { nonce: '/api/siwx/nonce', verify: '/api/siwx/verify' })
      })

      test('behavior: its development server reports no error', async ({ page }) => {
        test.setTimeout(buildTimeoutMs)
        const developed = await start('next', ['next', 'dev', '--hostname'], 'development')
        try {
          await openModal(page, developed.url)
          const dialog = page.getByRole('dialog')
          await expect(dialog.getByText('Latchkey Development Wallet')).toBeVisible()
        } finally {
          // An open page would report that its server is gone.
          await page.close()
          await developed.program.stop()
        }
      })

      test('default: a server component reads balances', async () => {
        const response = await fetch(`${url}/server`)
        expect(await response.text()).toMatch(/<p>ETH[^<]*</)
      })

      test('behavior: a connected visitor has the account in the first HTML', async ({ page }) => {
        await openModal(page, url)
        await answer(page, 'approve', () =>
          page.getByRole('button', { name: /Latchkey Development Wallet/ }).click(),
        )
        await expect(page.getByRole('button', { name: /^Account 0x/ })).toContainText(' ETH')
        const response = await page.reload()
        expect(await response?.text()).toMatch(/<button[^>]*aria-label="Account 0x/)
        await expect(page.getByRole('button', { name: /^Account 0x/ })).toContainText(' ETH')
      })

      test('behavior: Next.js renders the button on the server, under a policy that allows nothing inline', async () => {
        const response = await fetch(url)
        expect(await response.text()).toMatch(/<button[^>]*>(<[^>]+>)*Connect wallet/)
        expect(response.headers.get('content-security-policy')).not.toContain('unsafe')
      })
    }
  })

test.describe('express', () => {
  test.beforeAll(async () => {
    test.setTimeout(buildTimeoutMs)
    await build('express')
  })

  test('default: a custom backend signs an account in, once', async () => {
    const url = await serve('express', ['server.js'])
    const { cookie } = await signIn(url, { nonce: '/nonce', verify: '/verify' })
    const me = await fetch(`${url}/me`, { headers: { cookie } })
    expect(await me.json()).toEqual({ account: `eip155:31337:${account.address}` })
    expect((await fetch(`${url}/me`)).status).toBe(401)
  })
})

const account = privateKeyToAccount(generatePrivateKey())

/**
 * Signs in like a page. The same message again, a message for another domain and an altered message
 * are refused with their reason.
 */
async function signIn(url: string, routes: { nonce: string; verify: string }) {
  const askNonce = async () => {
    const response = await fetch(url + routes.nonce)
    return { cookie: readCookie(response), nonce: (await response.json()).nonce as string }
  }
  const write = (nonce: string, domain = new URL(url).host) =>
    createSiwxMessage({
      ...{ domain, uri: `http://${domain}`, version: '1', nonce },
      ...{ chainId: 'eip155:31337', accountAddress: account.address },
      ...{ issuedAt: new Date().toISOString(), statement: 'Sign in' },
    })
  const verify = async (cookie: string, message: string, signed = message) => {
    const signature = await account.signMessage({ message: signed })
    const headers = { 'content-type': 'application/json', cookie }
    const body = JSON.stringify({ message, signature })
    const response = await fetch(url + routes.verify, { method: 'POST', headers, body })
    return { response, answer: [response.status, await response.json()] }
  }
  const elsewhere = await askNonce()
  const foreign = write(elsewhere.nonce, 'shop.evil')
  expect((await verify(elsewhere.cookie, foreign)).answer).toEqual([401, { field: 'domain' }])
  const other = await askNonce()
  const altered = write(other.nonce).replace('Sign in', 'Give in')
  const refused = await verify(other.cookie, altered, write(other.nonce))
  expect(refused.answer).toEqual([401, { field: 'signature' }])
  const { cookie, nonce } = await askNonce()
  const message = write(nonce)
  const { response, answer } = await verify(cookie, message)
  expect(answer).toEqual([200, { account: `eip155:31337:${account.address}` }])
  expect((await verify(cookie, message)).answer).toEqual([400, { field: 'nonce' }])
  return { cookie: readCookie(response) }
}

const readCookie = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((text) => text.split(';', 1)[0])
    .join('; ')

async function openModal(page: Page, url: string) {
  await page.goto(url)
  const button = page.getByRole('button', { name: 'Connect wallet' })
  // A server-rendered button does nothing before React has hydrated it.
  await expect
    .poll(() => button.evaluate((node) => Object.keys(node).join(' ')))
    .toContain('__reactProps')
  await button.click()
}

/**
 * Builds and serves the migrated app of the test of docs/upgrading.md, with the packed packages.
 */
async function serveMigrated() {
  await server?.stop()
  const cwd = join(folder, 'vite-react-19')
  const migrated = await readFile(join(root, 'dev/src/packages/upgrading/after.txt'), 'utf8')
  await writeFile(
    join(cwd, 'migrated.tsx'),
    migrated.replace('http://127.0.0.1:3000', stack.urls.web),
  )
  await writeFile(join(cwd, 'main.tsx'), migratedMain)
  await log('migrated app built', () => run(cwd, 'npm', 'run', 'build'))
  return serve('vite-react-19', examples[0].preview)
}

const migratedMain = `import '@latchkey/react/theme.css'
import { createRoot } from 'react-dom/client'
import { Page } from './migrated.tsx'

createRoot(document.getElementById('root') as HTMLElement).render(<Page />)
`

/** A page of Next.js that reads balances in a server component. */
const serverPage = `import { createApp } from '@latchkey/core'
import { latchkeyOne } from '@latchkey/react/networks'
import { balancesQueryOptions } from '@latchkey/react/query'
import { QueryClient } from '@tanstack/react-query'
import { connection } from 'next/server'

export default async function Page() {
  await connection()
  const config = { projectId: 'local', apiUrl: 'http://127.0.0.1:3000' }
  const app = createApp({ ...config, networks: [latchkeyOne] })
  const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  const options = balancesQueryOptions(app, { address, chainId: 'eip155:31337' })
  const balances = await new QueryClient().fetchQuery(options)
  app.destroy()
  return <p>{balances.map(({ symbol }) => symbol).join(', ')}</p>
}
`

/** Copies, installs and builds an example. Throws with what npm or the bundler reported. */
async function build(name: string) {
  await server?.stop()
  const cwd = join(folder, name)
  await cp(join(root, 'examples', name), cwd, { recursive: true })
  if (name === 'next') {
    await mkdir(join(cwd, 'app/server'))
    await writeFile(join(cwd, 'app/server/page.tsx'), serverPage)
  }
  const needed = await adapt(cwd)
  if (installed)
    for (const part of ['node_modules', 'package-lock.json'])
      await rename(join(folder, installed, part), join(cwd, part))
  else linkInstalled(needed, { from: join(root, 'node_modules'), to: join(cwd, 'node_modules') })
  installed = name
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  await log(`${name} installed`, () => run(cwd, 'npm', ...install))
  await log(`${name} built`, () => run(cwd, 'npm', 'run', 'build'))
}

/**
 * Points an example to this run's stack and packages, and pins other packages to the versions of
 * this repository. Returns the names of the packages that the example and our packages need.
 */
async function adapt(cwd: string): Promise<string[]> {
  const { web, wallet } = stack.urls
  for (const entry of await readdir(cwd, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const text = (await readFile(path, 'utf8'))
      .replaceAll('http://127.0.0.1:3000', web)
      .replaceAll('http://127.0.0.1:3002', wallet)
      .replaceAll('file:../../dist', `file:${root}/dist`)
      .replace(nextOption, noCache)
    await writeFile(path, text)
  }
  const manifest = await readJson(join(cwd, 'package.json'))
  const pinned = await pinnedVersions()
  const overrides = Object.fromEntries(
    pinned.map(([name, version]) => [`${name}@^${version}`, version]),
  )
  await writeFile(join(cwd, 'package.json'), JSON.stringify({ ...manifest, overrides }))
  const own = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
  return [...own, ...pinned.map(([name]) => name)].filter((name) => !isOurs(name))
}

/**
 * Our packages accept any compatible version, but a new third-party release must not decide whether
 * this test passes. The range is part of each override, so that another package can keep an older
 * or newer version of the same dependency.
 */
async function pinnedVersions(): Promise<[name: string, version: string][]> {
  const names = await readdir(join(root, 'packages'))
  const paths = names.map((name) => join(root, 'packages', name, 'package.json'))
  const manifests = await Promise.all(paths.map(readJson))
  return manifests
    .flatMap(({ dependencies }) => Object.entries<string>(dependencies))
    .filter(([name]) => !isOurs(name))
}

const isOurs = (name: string) => name.startsWith('@latchkey/')

/** Serves a built example until the next example is built. Returns its address. */
async function serve(name: string, command: Command) {
  const started = await start(name, command)
  server = started.program
  return started.url
}

type Command = readonly [string, ...string[]]

/** Starts the server of an example on a free port. Returns it and its address once it answers. */
async function start(name: string, [program, ...args]: Command, mode?: 'development') {
  const cwd = join(folder, name)
  const port = await freePort()
  const isScript = program.endsWith('.js')
  const started = await startProgram({
    command: isScript ? process.execPath : join(cwd, 'node_modules/.bin', program),
    args: isScript ? [program] : [...args, '127.0.0.1', '--port', String(port)],
    cwd,
    env: {
      ...{ NEXT_TELEMETRY_DISABLED: '1', PORT: String(port), DOMAIN: `127.0.0.1:${port}` },
      ...(mode && { NODE_ENV: mode }),
    },
  })
  const url = `http://127.0.0.1:${port}`
  const isServed = () =>
    fetch(url)
      .then(({ ok, status }) => ok || (isScript && status === 404))
      .catch(() => false)
  await expect.poll(isServed, { timeout: startTimeoutMs }).toBe(true)
  return { program: started, url }
}

async function log(what: string, work: () => Promise<unknown>) {
  const startedAtMs = Date.now()
  await work()
  console.log(`${what} in ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`)
}

/** Runs a program to its end. Throws with its output. */
async function run(cwd: string, program: string, ...args: readonly string[]) {
  try {
    await execute(program, args, { cwd, env, maxBuffer: maxOutputBytes, signal: abort.signal })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${program} ${args.join(' ')} failed in ${cwd}:\n${stdout}\n${stderr}`)
  }
}

const readJson = async (path: string) => JSON.parse(await readFile(path, 'utf8'))
