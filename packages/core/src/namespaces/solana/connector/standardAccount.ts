import type { ChainId } from '@latchkey/wire'
import type { OneClick } from '../../../siwx/siwx.ts'
import type { ConnectorInfo } from '../../../state.ts'
import type { StandardWallet } from '../../walletStandard/standardWallet.ts'

/** A parsed account. `source`: the wallet's own object, which its features expect back. */
export type StandardAccount = {
  readonly address: string
  readonly chains: readonly string[]
  readonly features: readonly string[]
  readonly source: unknown
}

/** The parameters of a connector for a wallet of the Wallet Standard. */
export type StandardWalletParameters = {
  info: ConnectorInfo
  wallet: StandardWallet
  /** The app's current Solana networks, the preferred network first. */
  chainIds: () => readonly ChainId[]
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Signing in together with connecting, if the app uses it and the wallet supports it. */
  oneClick?: (() => Promise<OneClick>) | undefined
}
