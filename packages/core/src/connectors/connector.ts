import type { ChainId, Namespace } from '@latchkey/wire'
import type { Account, ConnectorInfo } from '../state.ts'

export type ConnectorEvent =
  | { type: 'accountsChanged'; accounts: readonly Account[] }
  | { type: 'chainChanged'; chainId: ChainId }
  | { type: 'disconnect' }

export type ConnectResult = {
  accounts: readonly [Account, ...Account[]]
  chainId: ChainId
}

/** A way to reach a wallet. Knows its provider, never the store. Errors leave it as LatchkeyError. */
export type Connector = {
  readonly info: ConnectorInfo
  /** Asks the wallet; may prompt. */
  connect(parameters: {
    chainId?: ChainId
    signal: AbortSignal
    onUri?: (uri: string, expiresAtMs: number) => void
  }): Promise<ConnectResult>
  /** What the wallet already allows, without any prompt; undefined when it allows nothing. */
  authorized(parameters: { namespace: Namespace }): Promise<ConnectResult | undefined>
  /** A request of the chain's own protocol (EIP-1193 on eip155). */
  request(chainId: ChainId, method: string, params?: readonly unknown[] | object): Promise<unknown>
  disconnect(): Promise<void>
  subscribe(listener: (event: ConnectorEvent) => void): () => void
}
