import type { ChainId, DirectoryWallet, Namespace, SocialProvider } from '@latchkey/wire'
import type { StoreApi } from 'zustand/vanilla'
import type { Connector } from './connection/connectors/connector.ts'
import type { Page } from './directory/getPlatform.ts'
import type { FrameContainer, FrameContainerParameters } from './embedded/frame/frame.ts'
import type { LoadedActions } from './namespaces/actions.ts'
import type { Network } from './networks.ts'
import type { Runtime } from './runtime.ts'
import type { SiweConfig } from './siwx/siweConfig.ts'
import type { SiwxConfig } from './siwx/siwx.ts'
import type { SavedState } from './ssr/savedState.ts'
import type { State, ThemeMode } from './state.ts'
import type { Storage, StorageArea } from './storage.ts'

/** The areas of the product that an app shows, if the server has them. */
export type Features = {
  send: boolean
  receive: boolean
  /** Buying crypto, if the server sells on the network. */
  onramp: boolean
  swaps: boolean
  history: boolean
  /**
   * The list of permissions granted to the app, if the network has smart sessions. False by
   * default; the other areas are shown.
   */
  smartSessions: boolean
}

/** A group of rows in the list of wallets. */
export type ConnectorType =
  | 'walletConnect'
  | 'recent'
  /** Wallets of this browser. */
  | 'injected'
  | 'featured'
  /** Wallets of `wallets.custom`. */
  | 'custom'
  /** Wallets of `wallets.connectors`. */
  | 'external'
  | 'recommended'

/** An action of the account view. */
export type WalletFeature = 'onramp' | 'receive' | 'send' | 'swaps'

/** A part of the Connect view. */
export type ConnectMethod = 'email' | 'social' | 'wallet'

/**
 * A wallet that the app lists in addition to the directory, with the fields of a directory wallet.
 */
export type CustomWallet = Pick<DirectoryWallet, 'id' | 'name'> &
  Partial<Omit<DirectoryWallet, 'image_id' | 'order' | 'badge_type'>> & {
    /** The URL of the wallet's picture. */
    image_url?: string
  }

/**
 * Creates a connector for an app, like the functions of `@latchkey/core/connectors`; returns
 * undefined if the connector cannot be used.
 */
export type CreateConnector = (app: App) => Connector | undefined

export type Metadata = { name: string; description: string; url: string; icons: readonly string[] }

/** The wallets that an app offers, and the ways in which they are found. */
export type WalletOptions = {
  /** Whether wallets are offered; otherwise only logins. True by default. */
  enabled?: boolean
  /** Ids of the directory to list first, before the server's recommendations. */
  featuredIds?: readonly string[]
  /** If set, the only ids of the directory that are offered. */
  includedIds?: readonly string[]
  /** Ids of the directory that are not offered. */
  excludedIds?: readonly string[]
  /** Wallets to list in addition to the directory. */
  custom?: readonly CustomWallet[]
  /** Additional connectors: functions of `@latchkey/core/connectors`, or your own. */
  connectors?: readonly CreateConnector[]
  /**
   * The order of the groups in the list of wallets. Groups that are not named follow in the default
   * order.
   */
  order?: readonly ConnectorType[]
  /** Whether the list ends with a row that opens the whole directory. True by default. */
  all?: boolean
  /** Whether the wallets are behind a row even if no login is shown with them. */
  collapsed?: boolean
  /** Whether to show a link for users without a wallet below the list. True by default. */
  guide?: boolean
  /** Wallets that put an object into the page's window. True by default. */
  injected?: boolean
  /** Extensions that announce themselves to the page (EIP-6963). True by default. */
  eip6963?: boolean
  /** Extensions that register with the Wallet Standard. True by default. */
  walletStandard?: boolean
  /**
   * Whether phone wallets can connect with a QR code or a link. An object sets the relay. Default:
   * the relay of `apiUrl` and the app's `projectId`.
   */
  walletConnect?: boolean | RelayOptions
  /** Whether a connection is restored at the next visit. True by default. */
  reconnect?: boolean
}

/** The relay that connects to phone wallets. */
export type RelayOptions = {
  /** As `wss://relay.example`. */
  relayUrl?: string
  projectId?: string
}

/** The logins of the embedded wallet. They need a `frameUrl`. */
export type LoginOptions = {
  /** Login by email. True by default. */
  email?: boolean
  /**
   * The social login providers to offer, in this order, if the server has them. Default: all
   * providers of the server, in the server's order.
   */
  socials?: readonly SocialProvider[]
  /**
   * Whether to offer a new wallet with a passkey alone, without an email address. Only for a server
   * that allows it (`PASSKEY_ACCOUNTS`). False by default.
   */
  passkeyAccounts?: boolean
  /**
   * Whether wallets are listed next to the email field instead of behind a row. True by default.
   */
  showWallets?: boolean
  /**
   * Where users type one-time codes. In the secure frame, so that the page never sees a code,
   * unless the project allows `host`.
   */
  otpSurface?: 'frame' | 'host'
  /**
   * Whether to write the names of messages to and from the secure frame to the browser's console
   * (level "debug"), with the outcome of each request, and never the contents of a message. True by
   * default; `debug: false` disables it too.
   */
  logMessages?: boolean
}

/** The look of the modal and the choices that it offers. */
export type ModalOptions = {
  /** Dark by default. */
  themeMode?: ThemeMode
  themeVariables?: Readonly<Record<`--lk-${string}`, string>>
  /** Parts of the Connect view, first to last. */
  connectOrder?: readonly ConnectMethod[]
  /**
   * The order of the account view's actions. Actions that are not named follow in the default
   * order.
   */
  actionOrder?: readonly WalletFeature[]
  /** Whether the user can select another network. True by default. */
  networkSwitch?: boolean
  /** Whether a wallet may stay on a network that is not among `networks`. */
  allowUnsupportedChain?: boolean
  /** The page of your terms, linked below the Connect view. */
  termsUrl?: string
  /** The page of your privacy policy, linked below the Connect view. */
  privacyUrl?: string
  /** Whether the user has to accept these two pages with a checkbox before connecting. */
  legalCheckbox?: boolean
}

/** The configuration of an app. Only `projectId`, `apiUrl` and `networks` are required. */
export type Config = {
  projectId: string
  /** Origin of a Latchkey server, for example `https://wallet.example`. */
  apiUrl: string
  networks: readonly [Network, ...Network[]]
  /** The network that is selected at the first visit; the first of `networks` by default. */
  defaultNetwork?: ChainId
  /**
   * Origin of the secure frame, for example `https://frame.example`. Without it, login by email is
   * not available.
   */
  frameUrl?: string
  /**
   * Your own RPC URLs by network; they always take precedence over the server's nodes and over the
   * URLs of the network. The chain id of each is verified before its first use.
   */
  rpcUrls?: Readonly<Partial<Record<ChainId, string>>>
  /** The name, description, URL and icons that wallets show. By default, the page's. */
  metadata?: Partial<Metadata>
  wallets?: WalletOptions
  login?: LoginOptions
  modal?: ModalOptions
  features?: Partial<Features>
  /**
   * Signing in with a wallet: an object, even an empty object, enables it. `siwe` takes the
   * functions of an older app, for EVM accounts.
   */
  signIn?:
    | (SiwxConfig & { readonly siwe?: never })
    | ({ readonly siwe: SiweConfig } & { readonly [Name in keyof SiwxConfig]?: never })
  /**
   * Whether to send analytics events, if the server collects them. By default only events of
   * actions; `true` also counts visits.
   */
  analytics?: boolean
  /**
   * The prefix of this app's entries in the browser's storage; `latchkey` by default. Two apps on
   * the same origin need different prefixes.
   */
  storageKey?: string
  /**
   * Whether to keep the connected account in a cookie of the page's site, so that its server can
   * render the account: see `initialState`.
   */
  ssr?: boolean
  /**
   * The state of the last page, for the first HTML: the result of `cookieToInitialState` of
   * `@latchkey/react/ssr`. The browser needs the same value.
   */
  initialState?: SavedState | undefined
  /** Whether errors are written to the browser's console. True by default. */
  debug?: boolean
}

type With<Options, Keys extends keyof Options> = Options & Required<Pick<Options, Keys>>

/** A config with the default of each option. */
export type ResolvedConfig = Config & {
  readonly siwx?: SiwxConfig | undefined
  readonly siwe?: SiweConfig | undefined
  readonly wallets: With<
    WalletOptions,
    | 'enabled'
    | 'all'
    | 'guide'
    | 'injected'
    | 'eip6963'
    | 'walletStandard'
    | 'walletConnect'
    | 'reconnect'
  >
  readonly login: With<LoginOptions, 'email' | 'showWallets' | 'logMessages'>
  readonly modal: With<ModalOptions, 'networkSwitch'>
  readonly features: Features
  readonly metadata: Metadata
}

/** The environment of an app. Tests and servers pass their own. */
export type Environment = {
  now: () => number
  /** Resolves after the time, or at once when the signal aborts. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  fetch: typeof globalThis.fetch
  /** The storage that persists between visits. */
  area: StorageArea | undefined
  /** The storage that persists until the tab is closed. */
  tabArea: StorageArea | undefined
  /** The target of `storage` events. */
  events: EventTarget | undefined
  /** Connectors in addition to those that are discovered. */
  connectors: readonly Connector[]
  /** Creates the element of the page that contains the secure frame. In a browser: a dialog. */
  framePlace: ((parameters: FrameContainerParameters) => FrameContainer) | undefined
  warn: (message: string, cause: unknown) => void
  /** Receives the output of `login.logMessages`; by default the browser's console. */
  logFrame?: (line: string) => void
  webSocket: typeof WebSocket | undefined
  /** The browser's window; absent on a server. */
  page: Page | undefined
}

/** An instance of the product on a page. There may be several. */
export type App = {
  readonly config: ResolvedConfig
  readonly store: StoreApi<State>
  readonly connectors: Map<string, Connector>
  /** Loads the actions of a namespace, once. Throws NO_ADAPTER if the namespace has no actions. */
  readonly loadActions: (namespace: Namespace) => Promise<LoadedActions>
  readonly storage: Storage
  readonly environment: Environment
  readonly runtime: Runtime
  /** Aborted by `destroy`. */
  readonly signal: AbortSignal
  /** Stops every timer, listener and request of the app. */
  readonly destroy: () => void
}
