import type {
  ChainId,
  DirectoryWallet,
  Namespace,
  SocialProvider,
  SupportedChains,
} from '@latchkey/wire'
import type { StoreApi } from 'zustand/vanilla'
import type { ActivityListener } from './activity/activityNews.ts'
import type { EventQueue } from './analytics/countedEvent.ts'
import type { Connector, WalletMessage } from './connection/connectors/connector.ts'
import type { Page } from './directory/getPlatform.ts'
import type { Frame, FramePlace, FramePlaceParameters } from './embedded/frame/frame.ts'
import type { LoadedActions } from './namespaces/actions.ts'
import type { Request } from './namespaces/request.ts'
import type { Network } from './networks.ts'
import type { SiweConfig } from './siwx/siweConfig.ts'
import type { SiwxConfig } from './siwx/siwx.ts'
import type { Connected, State, ThemeMode } from './state.ts'
import type { Storage, StorageArea } from './storage.ts'

export type Features = {
  send: boolean
  receive: boolean
  /** Buying crypto, where the server sells on the network. */
  onramp: boolean
  swaps: boolean
  history: boolean
  allWallets: boolean
  /** The list of what the app may do by itself, where the network has smart sessions. */
  smartSessions: boolean
  legalCheckbox: boolean
  /** Login by e-mail, where there is a `frameUrl`. Without it, `socials` has to name the logins. */
  email: boolean
  /**
   * Providers of social login among those of the server, in this order; all of them in the server's
   * unless set.
   */
  socials?: readonly SocialProvider[]
  /** Whether wallets are listed beside the e-mail field instead of behind a row. */
  emailShowWallets: boolean
  /** Whether events are counted where the server collects them. */
  analytics: boolean
  /** Whether the wallets are behind a row even if there is no login beside them. */
  collapseWallets: boolean
}

/** A group of rows in the list of wallets. */
export type ConnectorType =
  | 'walletConnect'
  | 'recent'
  /** Wallets of this browser. */
  | 'injected'
  | 'featured'
  /** Wallets of `customWallets`. */
  | 'custom'
  /** Wallets of `connectors`. */
  | 'external'
  | 'recommended'

/** An action of the account view. */
export type WalletFeature = 'onramp' | 'receive' | 'send' | 'swaps'

/** A part of the Connect view. */
export type ConnectMethod = 'email' | 'social' | 'wallet'

/** A wallet that the app lists beside those of the directory, in the directory's fields. */
export type CustomWallet = Pick<DirectoryWallet, 'id' | 'name'> &
  Partial<Omit<DirectoryWallet, 'image_id' | 'order' | 'badge_type'>> & {
    /** Where the page loads the wallet's picture from. */
    image_url?: string
  }

/**
 * Makes a connector for an app, as the functions of `@latchkey/core/connectors` do; undefined where
 * it cannot be used.
 */
export type CreateConnector = (app: App) => Connector | undefined

export type Metadata = { name: string; description: string; url: string; icons: readonly string[] }

/** What an app sets. Only `projectId`, `apiUrl` and `networks` are needed. */
export type Config = {
  projectId: string
  /** Origin of a Latchkey server, as `https://wallet.example`. */
  apiUrl: string
  networks: readonly [Network, ...Network[]]
  /**
   * Origin of the secure frame, as `https://frame.example`; without it there is no login by e-mail.
   */
  frameUrl?: string
  /**
   * Where one-time codes are typed: in the secure frame, so that the page never sees one, unless
   * the project allows `host`.
   */
  otpSurface?: 'frame' | 'host'
  /** Parts of the Connect view, first to last. */
  connectMethodsOrder?: readonly ConnectMethod[]
  /**
   * Groups of the list of wallets, first to last. Those that are not named follow in the default
   * order.
   */
  connectorTypeOrder?: readonly ConnectorType[]
  /**
   * Actions of the account view, first to last. Those that are not named follow in the default
   * order.
   */
  walletFeaturesOrder?: readonly WalletFeature[]
  defaultNetwork?: ChainId
  /**
   * The prefix of what this app stores in the browser, `latchkey` unless set. Two apps on one
   * origin need different ones.
   */
  storageKey?: string
  metadata?: Partial<Metadata>
  features?: Partial<Features>
  themeMode?: ThemeMode
  themeVariables?: Readonly<Record<`--lk-${string}`, string>>
  /**
   * RPC URLs of your own by network; they always win over the server's. Each is asked first which
   * network it serves.
   */
  rpcUrls?: Readonly<Partial<Record<ChainId, string>>>
  allowUnsupportedChain?: boolean
  enableNetworkSwitch?: boolean
  enableEIP6963?: boolean
  enableWalletStandard?: boolean
  enableWalletConnect?: boolean
  /**
   * The relay that phone wallets are reached by; that of `apiUrl` and the app's `projectId` unless
   * set.
   */
  walletConnect?: {
    /** As `wss://relay.example`. */
    relayUrl?: string
    projectId?: string
  }
  enableInjected?: boolean
  enableReconnect?: boolean
  /** Whether wallets are offered: without them there are only the logins. */
  enableWallets?: boolean
  /** Whether the way to a first wallet is shown below the list. */
  enableWalletGuide?: boolean
  featuredWalletIds?: readonly string[]
  includeWalletIds?: readonly string[]
  excludeWalletIds?: readonly string[]
  /** Wallets that are listed beside those of the directory. */
  customWallets?: readonly CustomWallet[]
  /** Further ways to reach a wallet: functions of `@latchkey/core/connectors`, or of your own. */
  connectors?: readonly CreateConnector[]
  /**
   * Signing in with a wallet: an object, even an empty one, switches it on. Not together with
   * `siweConfig`.
   */
  siwx?: SiwxConfig
  /** The same as older apps configured it, for EVM accounts. */
  siweConfig?: SiweConfig
  termsConditionsUrl?: string
  privacyPolicyUrl?: string
  /** Whether faults are written to the browser's console. */
  debug?: boolean
  /**
   * Whether the names of the messages to and from the secure frame are written to the browser's
   * console (level "debug"), with how each request ended, and never the contents of a message. True
   * unless set; `debug: false` switches it off too.
   */
  enableAuthLogger?: boolean
}

/** What the app needs from its environment; a test or a server passes its own. */
export type Environment = {
  now: () => number
  /** Resolves after the time, or at once when the signal aborts. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  fetch: typeof globalThis.fetch
  /** Where entries are kept between visits. */
  area: StorageArea | undefined
  /** Where entries are kept until the tab is closed. */
  tabArea: StorageArea | undefined
  /** Where `storage` events arrive. */
  events: EventTarget | undefined
  /** Further ways to reach a wallet, beside those that are discovered. */
  connectors: readonly Connector[]
  /** Makes the secure frame's place in the page; a dialog of its own in a browser. */
  framePlace: ((parameters: FramePlaceParameters) => FramePlace) | undefined
  warn: (message: string, cause: unknown) => void
  /** Takes what `enableAuthLogger` writes; the browser's console unless set. */
  logFrame?: (line: string) => void
  webSocket: typeof WebSocket | undefined
  /** The browser's window; absent on a server. */
  page: Page | undefined
}

/**
 * Work in progress. It is not part of the state, because no view shows it, and it ends with the
 * app.
 */
export type Work = {
  /**
   * Counts the changes of a namespace's connection; work begun under an older number must not
   * write.
   */
  readonly attempts: Record<Namespace, number>
  /**
   * Counts the requested network switches and the newest that succeeded: an older one must not undo
   * it.
   */
  readonly switches: { started: number; done: number }
  /** Aborts the current attempt to connect in a namespace. */
  readonly connecting: Partial<Record<Namespace, AbortController>>
  /** The connection before the current attempt; it is restored if the attempt fails. */
  readonly before: Partial<Record<Namespace, Connected>>
  reconnecting: boolean
  /** Searches for wallets that wait until wallets are listed, and all of them once they run. */
  readonly searches: {
    readonly held: (() => Promise<void>)[]
    started?: Promise<unknown>
  }
  /** Whether the connected wallets are listened to. */
  watching: boolean
  /** Who wants to know what connected wallets say beside what the state shows. */
  walletListeners: Set<(message: WalletMessage) => void>
  /** Connectors that are also listened to, because an approval may still arrive. */
  readonly awaited: Set<string>
  /** The secure frame, from when it is asked for until its document is lost. */
  frame?: Promise<Frame> | undefined
  /** Its place in the page, which stays. */
  framePlace?: FramePlace
  /** Closings that the frame has not confirmed. */
  frameCloses: number
  /**
   * The transaction stack: each request that waits for an approval, by the function that cancels
   * it.
   */
  readonly transactions: Set<AbortController>
  toastId: number
  toastTimer?: ReturnType<typeof setTimeout>
  readonly alertsShown: Set<string>
  /** The actions of each namespace, from when they are first needed. */
  readonly actions: Map<Namespace, Promise<LoadedActions>>
  /** One node client per network, so that reads of the same moment are sent together. */
  readonly nodes: Map<ChainId, Request>
  /** Reads in progress, by key: simultaneous requests for the same read share it. */
  readonly reads: Map<string, Promise<unknown>>
  /**
   * Ids of pictures in the directory by the rdns of their wallets, as far as the server has listed
   * them.
   */
  readonly imageIds: Map<string, string>
  /** Networks that the server told us it does not know. */
  readonly unknownNetworks: Set<ChainId>
  /** The listeners of the account's activity, and what ends the listening. */
  readonly activity: {
    readonly watchers: Set<ActivityListener>
    stop?: (() => void) | undefined
  }
  /**
   * Whether the user was told that transactions cannot be fetched; it is not repeated until a fetch
   * succeeds.
   */
  isHistoryFailureTold: boolean
  /** Accounts that were asked to sign in, once signing in runs. */
  askedToSignIn?: Set<string>
  /** The key of the sign-in that is ended right now, before its account is disconnected. */
  signingOut?: string
  /** Whether the swap form is kept in the tab, from when it was first shown. */
  keepsSwapDraft?: boolean
  /**
   * Where events wait to be sent, once the first one was counted; undefined where the server
   * collects none.
   */
  analytics?: Promise<EventQueue | undefined>
  /** The server's table of areas, once it was requested. */
  supported?: Promise<SupportedChains> | undefined
}

/** One instance of the product on a page. There may be several. */
export type App = {
  readonly config: Config & { readonly features: Features; readonly metadata: Metadata }
  readonly store: StoreApi<State>
  readonly connectors: Map<string, Connector>
  /** Loads the actions of a namespace, once. Throws NO_ADAPTER if the namespace has none. */
  readonly loadActions: (namespace: Namespace) => Promise<LoadedActions>
  readonly storage: Storage
  readonly environment: Environment
  readonly work: Work
  /** Aborted by `destroy`. */
  readonly signal: AbortSignal
  /** Stops every timer, listener and request of the app. */
  readonly destroy: () => void
}
