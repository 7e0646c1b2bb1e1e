// The parts of https://github.com/polkadot-js/extension's `window.injectedWeb3[id]` that are used
// here. Wallet data is untrusted until it is parsed.

import type { ChainId } from '@latchkey/wire'
import type { TransactionPayload } from '@latchkey/wire/polkadot'
import type { ConnectorInfo } from '../../../state.ts'
import type { SavedConnection } from '../../../storageSchema.ts'

/** A wallet as it injects itself. `enable` prompts the user, unless the page is already allowed. */
export type InjectedWallet = { enable(appName: string): unknown }

/** The result of `enable`. Any of its fields may be missing or false, or throw when it is read. */
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

/** The parameters of a connector for an injected wallet. */
export type InjectedWalletParameters = {
  info: ConnectorInfo
  wallet: InjectedWallet
  /** The name of the page that the wallet shows to the user. */
  appName: string
  /** The app's current Polkadot networks, the preferred network first. */
  chainIds: () => readonly ChainId[]
  /** The saved connection, if it is with this wallet. */
  getSaved: () => SavedConnection | undefined
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}
