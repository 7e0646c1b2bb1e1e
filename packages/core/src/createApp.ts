import type { ChainId, Namespace } from '@latchkey/wire'
import type { StoreApi } from 'zustand/vanilla'
import type { Chain } from './chains/chain.ts'
import type { Connector } from './connectors/connector.ts'
import type { Network } from './networks.ts'
import type { State, ThemeMode } from './state.ts'

export type Features = {
  send: boolean
  receive: boolean
  history: boolean
  allWallets: boolean
  legalCheckbox: boolean
}

export type Metadata = { name: string; description: string; url: string; icons: readonly string[] }

/** What an app sets. Only `projectId`, `apiUrl` and `networks` are needed. */
export type Config = {
  projectId: string
  /** Origin of a Latchkey server, as `https://wallet.example`. */
  apiUrl: string
  networks: readonly [Network, ...Network[]]
  defaultNetwork?: ChainId
  metadata?: Partial<Metadata>
  features?: Partial<Features>
  themeMode?: ThemeMode
  themeVariables?: Readonly<Record<`--lk-${string}`, string>>
  /** RPC URLs of your own by network; they always win over the server's. */
  rpcUrls?: Readonly<Partial<Record<ChainId, string>>>
  allowUnsupportedChain?: boolean
  enableNetworkSwitch?: boolean
  enableEIP6963?: boolean
  enableInjected?: boolean
  enableReconnect?: boolean
  enableWallets?: boolean
  featuredWalletIds?: readonly string[]
  includeWalletIds?: readonly string[]
  excludeWalletIds?: readonly string[]
  termsConditionsUrl?: string
  privacyPolicyUrl?: string
  debug?: boolean
}

/** One wallet connection product on a page. Several may live beside each other. */
export type App = {
  readonly config: Config & { readonly features: Features; readonly metadata: Metadata }
  readonly store: StoreApi<State>
  readonly connectors: ReadonlyMap<string, Connector>
  /** The rules of a namespace; loaded when first asked for. */
  readonly chain: (namespace: Namespace) => Promise<Chain>
  readonly destroy: () => void
}
