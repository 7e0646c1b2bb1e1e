import type { App } from '../app.ts'
import { hasOwnRpcUrl } from '../network/rpcUrls.ts'
import { isBrowserOffline } from '../server/isBrowserOffline.ts'

/** The warnings of each app that were shown, so that each appears once. */
const shown = new WeakMap<App, Set<string>>()

/** Warns the developer that `apiUrl` was not reached, unless the browser is offline. */
export function warnUnreachable(app: App): void {
  if (isBrowserOffline()) return
  warnOnce(
    app,
    `No Latchkey server answers at ${app.config.apiUrl || 'the origin of this page'} (\`apiUrl\`). Start the server or correct the URL, and allow it in \`connect-src\` of this page's content security policy`,
  )
}

/** Warns the developer of networks for which neither the server nor the app has a node. */
export function warnUnservedNetworks(app: App, { served }: { served: readonly string[] }): void {
  const { networks, apiUrl } = app.config
  for (const { caipNetworkId, name } of networks)
    if (!served.includes(caipNetworkId) && !hasOwnRpcUrl(app, caipNetworkId))
      warnOnce(
        app,
        `The server ${apiUrl} has no node for ${name} (${caipNetworkId}), so balances and other data are missing. Add the network to its CHAINS_FILE, or set \`rpcUrls\` in the config`,
      )
}

/** Warns the developer that the secure frame did not load, with the possible reasons. */
export function warnFrame(app: App): void {
  const { frameUrl = '', projectId } = app.config
  const origin = globalThis.location?.origin ?? 'ORIGIN'
  warnOnce(
    app,
    `The secure frame of ${frameUrl} (\`frameUrl\`) did not load on ${origin}. Check that this is exactly the server's FRAME_URL. List this page in the project: \`npx latchkey project add --id ${projectId} --name NAME --origin ${origin}\`, with the project's other origins. Allow the frame in \`frame-src\` of this page's content security policy`,
  )
}

/** Writes a warning, unless the app has written it before. */
export function warnOnce(app: App, text: string) {
  const before = shown.get(app) ?? new Set<string>()
  shown.set(app, before)
  if (before.has(text)) return
  before.add(text)
  app.environment.warn(text, undefined)
}
