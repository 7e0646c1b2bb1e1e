// What https://github.com/polkadot-js/extension injects as `window.injectedWeb3[id]`, as far as it
// is used here. Nothing that a wallet says or hands over is believed before it is parsed.

import type { ChainId } from '@latchkey/wire'
import type { TransactionPayload } from '@latchkey/wire/polkadot'
import type { ConnectorInfo } from '../../../state.ts'
import type { SavedConnection } from '../../../storageSchema.ts'

/** A wallet as it injects itself: `enable` asks the visitor, unless the page is allowed already. */
export type InjectedWallet = { enable(appName: string): unknown }

/** What `enable` resolves to. Any of its fields may be missing, lie or throw when it is read. */
export type EnabledWallet = {
  readonly accounts?: {
    get?: () => unknown
    subscribe?: (listener: (accounts: unknown) => void) => unknown
  }
  readonly signer?: {
    signRaw?: (payload: RawPayload) => unknown
    signPayload?: (payload: TransactionPayload) => unknown
  }
}

/** `data` is hex of the bytes to sign. */
type RawPayload = { address: string; data: `0x${string}`; type: 'bytes' }

/** What a connector over such a wallet is made of. */
export type InjectedWalletParameters = {
  info: ConnectorInfo
  wallet: InjectedWallet
  /** What the wallet tells the visitor of the page. */
  appName: string
  /** The app's Polkadot networks now, the preferred one first. */
  chainIds: () => readonly ChainId[]
  /** The connection that was kept, if it is with this wallet. */
  getSaved: () => SavedConnection | undefined
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}
