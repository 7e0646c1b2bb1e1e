import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin } from 'vite'

// The keys are public, so only this machine's chains and relays may be reached.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self' http://127.0.0.1:* http://localhost:* ws://127.0.0.1:* ws://localhost:*",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

const defaultConfig = {
  relayUrl: 'ws://127.0.0.1:3000',
  chains: [31_337, 31_338].map((chainId, index) => ({
    chainId,
    name: index === 0 ? 'Latchkey One' : 'Latchkey Two',
    rpcUrl: `http://127.0.0.1:${8545 + index}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  })),
}

/**
 * Serves `/config.json`, `/announce.js` and `/wc` in development, like the built wallet's server.
 */
const serveInDevelopment = (): Plugin => ({
  name: 'wallet-development',
  configureServer(server) {
    server.middlewares.use((request, response, next) => {
      if (request.url === '/announce.js') request.url = '/src/announce.ts'
      if (request.url?.startsWith('/wc?')) request.url = '/index.html'
      if (request.url !== '/config.json') return next()
      response.setHeader('content-type', 'application/json')
      response.end(process.env.LATCHKEY_WALLET_CONFIG ?? JSON.stringify(defaultConfig))
    })
  },
})

const securityPolicy = (): Plugin => ({
  name: 'wallet-security-policy',
  apply: 'build',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: policy },
      injectTo: 'head-prepend',
    },
  ],
})

/** Builds `announce.js` next to the pages: one file that shares no chunk with them. */
const buildAnnouncer = (): Plugin => {
  let target = { root: '', outDir: '' }
  return {
    name: 'wallet-announcer',
    apply: 'build',
    configResolved(config) {
      target = { root: config.root, outDir: config.build.outDir }
    },
    async closeBundle() {
      await build({
        root: target.root,
        configFile: false,
        logLevel: 'warn',
        build: {
          outDir: target.outDir,
          emptyOutDir: false,
          target: 'es2022',
          lib: { entry: 'src/announce.ts', formats: ['es'], fileName: () => 'announce.js' },
          rolldownOptions: { output: { minify: true } },
        },
      })
    },
  }
}

export default defineConfig({
  plugins: [react(), serveInDevelopment(), securityPolicy(), buildAnnouncer()],
  server: { host: '127.0.0.1', port: 3002, strictPort: true },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ['index.html', 'approve.html', 'bridge.html'] },
  },
})
