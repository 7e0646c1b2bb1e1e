// What is common to the wallets of a browser, whichever protocol they speak. Nothing that a wallet
// says or hands over is believed before it is parsed.

import type { ChainId } from '@latchkey/wire'
import type { ConnectorInfo } from '../../../state.ts'
import type { SavedConnection } from '../../../storageSchema.ts'

/** An address that a wallet allows. `ordinals` is one that it keeps inscriptions at. */
export type WalletAddress = {
  readonly address: string
  readonly purpose: 'payment' | 'ordinals'
  /** Hex. */
  readonly publicKey?: string
  /** The wallet's own object, where its functions want it back. */
  readonly source?: unknown
}

/**
 * A wallet's addresses as it says them; what cannot be one is left out by {@link parseAddresses}.
 */
type RawAddress = {
  address: unknown
  purpose?: unknown
  publicKey?: string | undefined
  source?: unknown
}

/** How a wallet is asked. Functions may throw whatever a wallet throws. */
export type BrowserWallet = {
  /**
   * What the page may use already, asked without a prompt; absent where a wallet cannot be asked
   * so.
   */
  authorized?(): Promise<unknown>
  /** The addresses in what `ask`, `authorized` or `subscribe` gives. */
  readAddresses(answer: unknown): readonly RawAddress[]
  /** WalletConnect's methods that it has. */
  readonly methods: readonly string[]
  /** Answers the signature: bytes, base64 or hex. */
  signMessage(question: {
    account: WalletAddress
    message: string
    protocol: 'ecdsa' | 'bip322'
  }): Promise<unknown>
  /** Answers the signed PSBT: bytes, base64 or hex. */
  signPsbt(question: {
    /** Base64. */
    psbt: string
    inputs: readonly { account: WalletAddress; index: number; sighashTypes: readonly number[] }[]
    chainId: ChainId
  }): Promise<unknown>
  /** Answers the transaction's id. */
  sendTransfer?(question: { to: string; amountSats: number }): Promise<unknown>
  disconnect?(): Promise<unknown>
  /** Tells of new addresses; undefined where the wallet has to be asked for them. */
  subscribe?(listener: (answer: unknown) => void): () => void
}

/**
 * A wallet that was found: its row in the list, how it is asked in a click, and the rest of it,
 * which loads late.
 */
export type FoundWallet = {
  info: ConnectorInfo
  /** Asks for addresses; prompts unless the page is allowed. */
  ask(): unknown
  load(): Promise<BrowserWallet>
}

/** What the app knows. */
export type BrowserWalletContext = {
  /** The app's Bitcoin networks now, the preferred one first. */
  chainIds: () => readonly ChainId[]
  /** The connection that was kept, if it is with this wallet. */
  getSaved: () => SavedConnection | undefined
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}
