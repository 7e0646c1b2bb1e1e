import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isError } from '@latchkey/wire'
import { type BrowserContext, chromium } from 'playwright-core'
import { build } from 'vite'
import type { VaultCall } from '../src/wallet/vaultServer.ts'

/**
 * A page of one origin with the real worker in a real Chromium, third-party storage partitioned as
 * people have it.
 */
export async function startKeyPage() {
  const root = join(import.meta.dirname, '..')
  const outDir = await mkdtemp(join(tmpdir(), 'latchkey-keys-'))
  for (const [name, entry] of Object.entries({
    keyWorker: 'src/wallet/worker/keyWorker.ts',
    keyPage: 'test/keyPage.ts',
  }))
    await build({
      root,
      configFile: false,
      logLevel: 'silent',
      build: {
        outDir,
        emptyOutDir: false,
        target: 'es2022',
        lib: { entry, formats: ['es'], fileName: () => `${name}.js` },
      },
    })
  const server = createServer(async (request, response) => {
    const name = /^\/[\w-]+\.js$/.test(request.url ?? '')
    response.setHeader('content-type', name ? 'text/javascript' : 'text/html')
    // The worker has no network at all: its policy names none.
    if (request.url === '/keyWorker.js')
      response.setHeader('content-security-policy', "default-src 'none'; script-src 'self'")
    response.end(
      name
        ? await readFile(join(outDir, request.url ?? ''))
        : '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/keyPage.js"></script>',
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  return {
    browser,
    open: async (context: BrowserContext, { call }: { readonly call: VaultCall }) => {
      const page = await context.newPage()
      await page.exposeFunction('vaultCall', (path: string, body: unknown) =>
        call(path, body).then(
          (result) => ({ result }),
          (error: unknown) => ({ code: isError(error) ? error.code : 'INTERNAL' }),
        ),
      )
      await page.goto(url)
      await page.waitForFunction(() => 'work' in window)
      return {
        page,
        work: <T>(work: string, params: unknown = {}): Promise<T> =>
          page.evaluate(([name, given]) => window.work(name, given), [
            work,
            params,
          ] as const) as Promise<T>,
      }
    },
    async stop() {
      await browser.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(outDir, { recursive: true, force: true })
    },
  }
}
