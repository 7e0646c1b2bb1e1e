import { join } from 'node:path'
import type { Plugin } from 'vite'
import { host } from '../ports.ts'
import { root } from '../root.ts'
import type { WalletConfig } from './walletConfig.ts'

// Whole path segments, or a source file called /ws… would go to the API; Vite's own socket is at / and stays.
const apiPaths =
  '^/(v1|ws|getWallets|getWalletImage|getAnalyticsConfig|public|config\\.json|health|ready|metrics)(/|\\?|$)'

/** Serves the sources of apps/web with hot reload; the API's paths, sockets too, go to `apiUrl`. */
export const startViteWeb = ({ port, apiUrl }: { port: number; apiUrl: string }) =>
  start({ app: 'web', port, proxy: { [apiPaths]: { target: apiUrl, ws: true } } })

/** Serves the sources of apps/wallet with hot reload, and its /config.json. */
export const startViteWallet = ({ port, config }: { port: number; config: WalletConfig }) =>
  start({ app: 'wallet', port, plugins: [serveConfig(config)] })

async function start(parameters: {
  app: 'web' | 'wallet'
  port: number
  proxy?: Record<string, { target: string; ws: boolean }>
  plugins?: Plugin[]
}): Promise<() => Promise<void>> {
  const { app, port, proxy = {}, plugins = [] } = parameters
  const { createServer } = await import('vite')
  const server = await createServer({
    root: join(root, 'apps', app),
    logLevel: 'warn',
    clearScreen: false,
    plugins,
    server: { host, port, strictPort: true, proxy, ...(app === 'wallet' && embeddable) },
  })
  await server.listen()
  return () => server.close()
}

// Pages of other origins run the wallet's announcer.
const embeddable = {
  cors: true,
  headers: { 'cross-origin-resource-policy': 'cross-origin' },
}

const serveConfig = (config: WalletConfig): Plugin => ({
  name: 'latchkey-wallet-config',
  configureServer(server) {
    server.middlewares.use('/config.json', (_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.setHeader('cache-control', 'no-store')
      response.end(JSON.stringify(config))
    })
  },
})
