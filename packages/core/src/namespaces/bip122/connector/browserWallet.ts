// Types shared by the Bitcoin wallets of a browser, for every protocol. Wallet data is untrusted
// until it is parsed.

import type { ChainId } from '@latchkey/wire'
import type { ConnectorInfo } from '../../../state.ts'
import type { SavedConnection } from '../../../storageSchema.ts'

/** An address that a wallet allows. `ordinals`: the wallet keeps inscriptions at it. */
export type WalletAddress = {
  readonly address: string
  readonly purpose: 'payment' | 'ordinals'
  /** Hex. */
  readonly publicKey?: string
  /** The wallet's own object, if its functions expect it back. */
  readonly source?: unknown
}

/** An unparsed address from a wallet. {@link parseAddresses} drops invalid addresses. */
type RawAddress = {
  address: unknown
  purpose?: unknown
  publicKey?: string | undefined
  source?: unknown
}

/** The requests that a wallet takes. Functions may throw any wallet error. */
export type BrowserWallet = {
  /** Reads the allowed addresses without a prompt; absent if the wallet cannot do that. */
  authorized?(): Promise<unknown>
  /** Reads the addresses from a result of `ask`, `authorized` or `subscribe`. */
  readAddresses(answer: unknown): readonly RawAddress[]
  /** The WalletConnect methods that it supports. */
  readonly methods: readonly string[]
  /** Resolves to the signature: bytes, base64 or hex. */
  signMessage(question: {
    account: WalletAddress
    message: string
    protocol: 'ecdsa' | 'bip322'
  }): Promise<unknown>
  /** Resolves to the signed PSBT: bytes, base64 or hex. */
  signPsbt(question: {
    /** Base64. */
    psbt: string
    inputs: readonly { account: WalletAddress; index: number; sighashTypes: readonly number[] }[]
    chainId: ChainId
  }): Promise<unknown>
  /** Resolves to the transaction's id. */
  sendTransfer?(question: { to: string; amountSats: number }): Promise<unknown>
  disconnect?(): Promise<unknown>
  /** Reports new addresses; `answer` is undefined if the addresses must be requested again. */
  subscribe?(listener: (answer: unknown) => void): () => void
}

/**
 * A wallet that was found: its row in the list, the request for a click, and the rest, which loads
 * lazily.
 */
export type FoundWallet = {
  info: ConnectorInfo
  /** Requests addresses; prompts the user unless the page is already allowed. */
  ask(): unknown
  load(): Promise<BrowserWallet>
}

/** The app's part of a Bitcoin connector. */
export type BrowserWalletContext = {
  /** The app's current Bitcoin networks, the preferred network first. */
  chainIds: () => readonly ChainId[]
  /** The saved connection, if it is with this wallet. */
  getSaved: () => SavedConnection | undefined
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}
