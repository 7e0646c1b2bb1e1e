import { createServer } from 'node:http'
import { join } from 'node:path'
import { host } from '../ports.ts'
import { root } from '../root.ts'
import type { WalletConfig } from './walletConfig.ts'

// Whole path segments, or a source file called /ws… would go to the API; Vite's own socket is at /
// and stays.
const apiPaths =
  '^/(v1|ws|getWallets|getWalletImage|getAnalyticsConfig|public|config\\.json|health|ready|metrics)(/|\\?|$)'
// The relay is at / too; its clients show a token there.
const relayPath = '^/\\?(.*&)?auth='

/** Serves the sources of apps/web with hot reload; the API's paths, sockets too, go to `apiUrl`. */
export const startViteWeb = ({ port, apiUrl }: { port: number; apiUrl: string }) => {
  const proxy = { target: apiUrl, ws: true }
  return start({ app: 'web', port, proxy: { [apiPaths]: proxy, [relayPath]: proxy } })
}

/**
 * Serves the sources of apps/wallet with hot reload. Its own Vite plugin serves /config.json from
 * the variable.
 */
export function startViteWallet({ port, config }: { port: number; config: WalletConfig }) {
  process.env.LATCHKEY_WALLET_CONFIG = JSON.stringify(config)
  return start({ app: 'wallet', port })
}

// Uses our own server: Vite's would end this process on SIGTERM, before the rest has stopped.
async function start(parameters: {
  app: 'web' | 'wallet'
  port: number
  proxy?: Record<string, { target: string; ws: boolean }>
}): Promise<() => Promise<void>> {
  const { app, port, proxy = {} } = parameters
  const { createServer: createVite } = await import('vite')
  const http = createServer()
  const vite = await createVite({
    root: join(root, 'apps', app),
    logLevel: 'warn',
    clearScreen: false,
    server: {
      host,
      port,
      middlewareMode: { server: http },
      ws: { server: http },
      proxy,
      ...(app === 'wallet' && embeddable),
    },
  })
  http.on('request', vite.middlewares)
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, host, resolve)
  })
  return async () => {
    await vite.close()
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  }
}

// Pages of other origins run the wallet's announcer.
const embeddable = {
  cors: true,
  headers: { 'cross-origin-resource-policy': 'cross-origin' },
}
