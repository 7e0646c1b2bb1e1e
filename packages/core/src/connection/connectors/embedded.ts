import { frameNamespaces } from '@latchkey/wire'
import type { App } from '../../app.ts'
import type { Connector, ConnectorEvent } from './connector.ts'
import { lazyConnector } from './lazyConnector.ts'

/** Id of the connector whose keys are in the secure frame. */
export const embeddedId = 'ID_AUTH'

/**
 * The connector of the embedded wallet, if the app has a secure frame, a login and a supported
 * network. Its code and its frame load only when a user logs in or a login is stored.
 */
export function createEmbedded(app: App): Connector | undefined {
  const { config, storage } = app
  const configured = config.networks.map(({ chainNamespace }) => chainNamespace)
  const [first, ...others] = frameNamespaces.filter((each) => configured.includes(each))
  const { email, passkeyAccounts, socials } = config.login
  const isOffered = email || passkeyAccounts || socials?.length
  if (!config.frameUrl || !isOffered || !first) return undefined
  const listeners = new Set<(event: ConnectorEvent) => void>()
  const emit = (event: ConnectorEvent) => {
    for (const listener of [...listeners]) listener(event)
  }
  const info = {
    id: embeddedId,
    kind: 'embedded',
    name: 'Email wallet',
    traits: { hasLogin: true },
    namespaces: [first, ...others],
  } as const
  const connector = lazyConnector({
    info,
    open: () =>
      import('./embedded/startEmbedded.ts').then((module) =>
        module.startEmbedded(app, { info, emit }),
      ),
  })
  return {
    ...connector,
    authorized: async (question) =>
      storage.get('emailLoginUsed') ? connector.authorized(question) : undefined,
    // Does not load the frame, which sends no events before the first request.
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
