import type { ChainId, Namespace } from '@latchkey/wire'
import type { Frame } from '../../embedded/frame.ts'
import type { Network } from '../../networks.ts'
import type { ConnectorInfo } from '../../state.ts'
import type { Storage } from '../../storage.ts'
import type { Connector } from './connector.ts'
import { lazyConnector } from './provider.ts'

/** Id of the connector whose keys are in the secure frame (spec §3). */
export const embeddedId = 'ID_AUTH'

/** Namespaces that it has accounts in (spec §3). */
export const embeddedNamespaces: readonly Namespace[] = ['eip155', 'solana']

export type EmbeddedParameters = {
  info: ConnectorInfo
  storage: Storage
  networks: () => readonly Network[]
  activeChainId: () => ChainId
  /** Loads the secure frame where it is not there. */
  frame: () => Promise<Frame>
  /** Runs a request that a person has to approve; the signal calls it off. */
  approve: <T>(ask: (signal: AbortSignal) => Promise<T>) => Promise<T>
  /** Shows that a method is not allowed, and throws that. */
  refuse: () => Promise<never>
}

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
    // What the frame says by itself is heard where the frame is loaded.
    subscribe: () => () => {},
  }
}
