import type { ChainId } from '@latchkey/wire'
import type { OneClick } from '../../../siwx/siwx.ts'
import type { ConnectorInfo } from '../../../state.ts'
import type { StandardWallet } from '../../walletStandard/standardWallet.ts'

/**
 * An account that was parsed; `source` is the wallet's own object, which its features want back.
 */
export type StandardAccount = {
  readonly address: string
  readonly chains: readonly string[]
  readonly features: readonly string[]
  readonly source: unknown
}

/** What a connector over a wallet of the Wallet Standard is made of. */
export type StandardWalletParameters = {
  info: ConnectorInfo
  wallet: StandardWallet
  /** The app's Solana networks now, the preferred one first. */
  chainIds: () => readonly ChainId[]
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Signing in together with connecting, where the app has that and the wallet can. */
  oneClick?: (() => Promise<OneClick>) | undefined
}
