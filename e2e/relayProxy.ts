import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Page } from '@playwright/test'
import { stack } from './fixtures.ts'

/**
 * A second way to the relay, which a test opens and closes. While it is closed, its port refuses
 * connections; closing it ends open sockets.
 */
export type RelayProxy = { url: string; open(): Promise<void>; shut(): Promise<void> }

/** Creates a proxy at the port of this run, closed at first. */
export function createRelayProxy(): RelayProxy {
  const sockets = new Set<Socket>()
  const follow = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
  }
  const server = createServer((near) => {
    const far = connect(Number(new URL(stack.urls.web).port), '127.0.0.1')
    follow(near)
    follow(far)
    near.pipe(far).pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  return {
    url: `ws://127.0.0.1:${stack.proxyPort}`,
    async open() {
      server.listen(stack.proxyPort, '127.0.0.1')
      await once(server, 'listening')
    },
    async shut() {
      for (const socket of sockets) socket.destroy()
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    },
  }
}

/**
 * Makes a page of the web app reach its relay only through a proxy, like WEB_RELAY_URL; needs
 * `bypassCSP`.
 */
export const routeThroughProxy = (page: Page, { url }: Pick<RelayProxy, 'url'>) =>
  page.route('**/config.json', async (route) => {
    const config = await (await route.fetch()).json()
    const walletConnect = { relayUrl: url, projectId: config.projectId }
    await route.fulfill({ json: { ...config, walletConnect } })
  })

/**
 * Configures the server's own relay for a page, like an operator whose wallets use it: the
 * directory's wallets then count as configured for it.
 */
export const nameOwnRelay = (page: Page) =>
  routeThroughProxy(page, { url: stack.urls.web.replace(/^http/, 'ws') })

/**
 * A pairing without a relay: the wallet uses its own relay, which is the same relay without the
 * proxy.
 */
export const withoutProxy = (uri: string): string => {
  const past = uri.replace(/&relay-data=[0-9a-f]+/, '')
  if (past === uri) throw new Error(`The pairing names no relay: ${uri}`)
  return past
}
