// What the Wallet Standard (https://github.com/wallet-standard/wallet-standard) says of a wallet, as far as it is used
// here. Nothing that a wallet says or hands over is believed before it is parsed.

import type { ChainId } from '@latchkey/wire'
import type { ConnectorInfo } from '../../../state.ts'

/** A wallet as it registers itself. Any of its fields may be missing, lie or throw when it is read. */
export type StandardWallet = {
  readonly name: unknown
  readonly icon: unknown
  readonly chains: unknown
  readonly features: unknown
  readonly accounts: unknown
}

/** An account that was parsed; `source` is the wallet's own object, which its features want back. */
export type StandardAccount = {
  readonly address: string
  readonly chains: readonly string[]
  readonly features: readonly string[]
  readonly source: unknown
}

/** What a connector over such a wallet is made of. */
export type StandardWalletParameters = {
  info: ConnectorInfo
  wallet: StandardWallet
  /** The app's Solana networks now, the preferred one first. */
  chainIds: () => readonly ChainId[]
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** What a page hands to wallets, so that they can register themselves. */
export type RegisterApi = { register(...wallets: readonly unknown[]): () => void }

/** A function of one of a wallet's features, bound to it; undefined where the wallet has none. May throw. */
export function getFeature(
  wallet: StandardWallet,
  name: string,
  method: string,
): ((...inputs: readonly unknown[]) => unknown) | undefined {
  const feature = (wallet.features as Record<string, unknown> | null | undefined)?.[name]
  const found = (feature as Record<string, unknown> | null | undefined)?.[method]
  return typeof found === 'function' ? found.bind(feature) : undefined
}

/** Texts of a list; anything else counts as an empty one. */
export const parseTexts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []
