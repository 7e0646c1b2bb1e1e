import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'

const framePage = `<!doctype html><html lang="en"><title>Frame</title>
<body><button>Inside</button><script type="module" src="/test/frame/main.ts"></script></body></html>`

// What is imported late there goes through what only the test's own page has.
const lateImports = `<script>window.__vitest_browser_runner__ = { wrapDynamicImport: (load) => load() }</script>`
const safePage = framePage
  .replace('<body>', `<body>${lateImports}`)
  .replace('/test/frame/main.ts', '/test/reach/safePage.tsx')
// What its messages say is up to the test, which it is in a frame of.
const safeApp = `<!doctype html><html lang="en"><title>Safe</title><body><script>
const frame = document.body.appendChild(document.createElement('iframe'))
frame.src = new URLSearchParams(location.search).get('page')
const { origin } = new URL(frame.src)
addEventListener('message', ({ source, data }) => {
  if (source === frame.contentWindow) parent.postMessage(data, origin)
  if (source === parent) frame.contentWindow.postMessage(data, origin)
})
</script>`
const keysPage = framePage.replace('/test/frame/main.ts', '/test/reach/keysPage.ts')

const firstLoads = ['coinbase', 'ledger'].map((name) => `test/reach/${name}.test.tsx`)
/** A connected account loads further code, so no other test may have connected one. */
const firstVisit = ['test/reach/directory.test.tsx']

// The components in a real browser: Debian's Chromium unless CHROMIUM names another.
export default defineConfig({
  plugins: [
    {
      name: 'frame-of-the-tests',
      configureServer(server) {
        server.middlewares.use('/f/local', (_request, response) => {
          response.setHeader('content-type', 'text/html').end(framePage)
        })
        server.middlewares.use('/keys-of-coinbase', (_request, response) => {
          response.setHeader('content-type', 'text/html').end(keysPage)
        })
        const safe = createServer((_request, response) => {
          response.setHeader('content-type', 'text/html').end(safeApp)
        }).listen(0, '127.0.0.1')
        safe.unref()
        server.middlewares.use('/origin-of-safe', (_request, response) => {
          response.end(`http://localhost:${(safe.address() as AddressInfo).port}`)
        })
        server.middlewares.use('/in-a-safe', (_request, response) => {
          response.setHeader('content-type', 'text/html').end(safePage)
        })
      },
    },
  ],
  // The tests answer requests with their own fetch; no public folder is served.
  publicDir: false,
  // All dependencies are prepared before the first test: one found late would reload the page under
  // it.
  optimizeDeps: {
    entries: [
      'src/**/*.{ts,tsx}',
      'test/**/*.{ts,tsx,jsx}',
      '../{core,walletconnect,wire}/src/**/!(*.test).ts',
    ],
  },
  test: {
    name: 'react',
    // A page loads its modules once for all test files. What tests leave behind is cleaned up by
    // `test/cleanUp.ts`.
    isolate: false,
    // With seven processes for each core, everything came within 20 s.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    globalSetup: ['test/reach/shareChains.ts'],
    setupFiles: ['test/cleanUp.ts'],
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      viewport: { width: 1280, height: 860 },
      provider: playwright({
        // A press without a target fails as early as an expectation, not with the whole test.
        actionTimeout: 30_000,
        launchOptions: {
          executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
          args: [
            '--no-sandbox',
            '--disable-gpu',
            '--disable-background-networking',
            '--disable-component-update',
            '--disable-sync',
            '--no-first-run',
          ],
        },
        // No smaller than a test's viewport: that would be drawn smaller, and clicks would miss
        // what they are meant for.
        contextOptions: { reducedMotion: 'reduce', viewport: { width: 1280, height: 900 } },
      }),
      instances: [
        { browser: 'chromium', exclude: [...firstLoads, ...firstVisit] },
        // These files check which modules the page has loaded, so they need a fresh page.
        { browser: 'chromium', name: 'react (first loads)', include: firstLoads },
        { browser: 'chromium', name: 'react (first visit)', include: firstVisit },
      ],
    },
  },
})
