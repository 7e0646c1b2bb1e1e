import type { Connector } from './connector.ts'
import type { EmbeddedParameters } from './embedded/parameters.ts'
import { lazyConnector } from './lazyConnector.ts'

/** Id of the connector whose keys are in the secure frame. */
export const embeddedId = 'ID_AUTH'

/** The embedded wallet. Neither its code nor its frame is loaded before somebody logs in, or is known to have. */
export function createEmbedded(parameters: EmbeddedParameters): Connector {
  const connector = lazyConnector({
    info: parameters.info,
    open: () =>
      import('./embedded/openEmbedded.ts').then(({ openEmbedded }) => openEmbedded(parameters)),
  })
  return {
    ...connector,
    authorized: async (question) =>
      parameters.storage.get('emailLoginUsed') ? connector.authorized(question) : undefined,
    // Events of the frame are handled where the frame is loaded.
    subscribe: () => () => {},
  }
}
