import type { ChainId } from '@latchkey/wire'
import type { SecureFrame } from '../../../embedded/frame/frame.ts'
import type { Network } from '../../../networks.ts'
import type { Account, ConnectorInfo } from '../../../state.ts'
import type { Storage } from '../../../storage.ts'
import type { ConnectorEvent } from '../connector.ts'

/** The parameters of the embedded wallet's connector. */
export type EmbeddedParameters = {
  info: ConnectorInfo
  storage: Storage
  networks: () => readonly Network[]
  activeChainId: () => ChainId
  /** Milliseconds since 1970. */
  now: () => number
  /** Loads the secure frame, unless it is loaded already. */
  frame: () => Promise<SecureFrame>
  /** Runs a request that the user has to approve; the signal cancels it. */
  approve: <T>(ask: (signal: AbortSignal) => Promise<T>) => Promise<T>
  /** Shows that a method is not allowed, and throws the error. */
  refuse: () => Promise<never>
  /** The connected smart account; undefined if another account or no account is connected. */
  smartAccount: () => Account | undefined
  /** Writes whether the smart account is deployed on a network. */
  noteDeployed: (chainId: ChainId, isDeployed: boolean) => void
  /** Passes on a change that a request caused, so that the page can apply it. */
  emit: (event: ConnectorEvent) => void
}
