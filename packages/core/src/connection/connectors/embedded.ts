import type { Connector, ConnectorEvent } from './connector.ts'
import type { EmbeddedParameters } from './embedded/parameters.ts'
import { lazyConnector } from './lazyConnector.ts'

/** Id of the connector whose keys are in the secure frame. */
export const embeddedId = 'ID_AUTH'

/** The embedded wallet. Neither its code nor its frame is loaded before a login, or before one is known. */
export function createEmbedded(parameters: Omit<EmbeddedParameters, 'tell'>): Connector {
  const listeners = new Set<(event: ConnectorEvent) => void>()
  const tell = (event: ConnectorEvent) => {
    for (const listener of [...listeners]) listener(event)
  }
  const connector = lazyConnector({
    info: parameters.info,
    open: () =>
      import('./embedded/openEmbedded.ts').then(({ openEmbedded }) =>
        openEmbedded({ ...parameters, tell }),
      ),
  })
  return {
    ...connector,
    authorized: async (question) =>
      parameters.storage.get('emailLoginUsed') ? connector.authorized(question) : undefined,
    // Does not load the frame, which reports nothing before the first request.
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
