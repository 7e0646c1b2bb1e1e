import type { ChainId, Namespace, SupportedChains } from '@latchkey/wire'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ActivityListener } from './activity/watchActivity.ts'
import type { Connector } from './connection/connectors/connector.ts'
import { walletConnectId } from './connection/connectors/walletConnect.ts'
import { discover } from './connection/discover.ts'
import { restore } from './connection/restore.ts'
import type { Page } from './directory/getPlatform.ts'
import type { Frame, FramePlace, FramePlaceParameters } from './embedded/frame.ts'
import type { Chain, Request } from './namespaces/namespace.ts'
import type { Network } from './networks.ts'
import { type Connected, initialState, type State, type ThemeMode } from './state.ts'
import { browserArea, createStorage, type Storage, type StorageArea } from './storage.ts'

export type Features = {
  send: boolean
  receive: boolean
  history: boolean
  allWallets: boolean
  legalCheckbox: boolean
  /** Login by e-mail, where there is a `frameUrl`. */
  email: boolean
  /** Whether wallets stand beside the e-mail field, and not behind a row of their own. */
  emailShowWallets: boolean
}

/** A part of the Connect view. */
export type ConnectMethod = 'email' | 'social' | 'wallet'

export type Metadata = { name: string; description: string; url: string; icons: readonly string[] }

/** What an app sets. Only `projectId`, `apiUrl` and `networks` are needed. */
export type Config = {
  projectId: string
  /** Origin of a Latchkey server, as `https://wallet.example`. */
  apiUrl: string
  networks: readonly [Network, ...Network[]]
  /** Origin of the secure frame, as `https://frame.example`; without it there is no login by e-mail. */
  frameUrl?: string
  /** Where one-time codes are typed: in the secure frame, so that the page never sees one, unless the project allows `host`. */
  otpSurface?: 'frame' | 'host'
  /** Parts of the Connect view, first to last. */
  connectMethodsOrder?: readonly ConnectMethod[]
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
  enableWalletConnect?: boolean
  /** The relay that phone wallets are reached by; that of `apiUrl` and the app's `projectId` unless set. */
  walletConnect?: {
    /** As `wss://relay.example`. */
    relayUrl?: string
    projectId?: string
  }
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

/** What the app takes from the world around it; a test or a server hands in its own. */
export type Environment = {
  now: () => number
  /** Resolves after the time, or at once when the signal aborts. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  fetch: typeof globalThis.fetch
  /** Where entries are kept between visits. */
  area: StorageArea | undefined
  /** Where `storage` events arrive. */
  events: EventTarget | undefined
  /** Further ways to reach a wallet, beside those that are discovered. */
  connectors: readonly Connector[]
  /** Makes the secure frame's place in the page; a dialog of its own in a browser. */
  framePlace: ((parameters: FramePlaceParameters) => FramePlace) | undefined
  warn: (message: string, cause: unknown) => void
  webSocket: typeof WebSocket | undefined
  /** The browser's window; absent on a server. */
  page: Page | undefined
}

/** What runs at the moment. Not state: nobody draws it, and it dies with the app. */
type Work = {
  /** Counts the changes of a namespace's connection; work begun under an older number must not write. */
  readonly attempts: Record<Namespace, number>
  /** Counts the network switches asked for and the newest that came true: an older one must not undo it. */
  readonly switches: { begun: number; done: number }
  /** Aborts the connecting that runs in a namespace. */
  readonly connecting: Partial<Record<Namespace, AbortController>>
  /** The connection that stood before the connecting that runs; it comes back when that fails. */
  readonly before: Partial<Record<Namespace, Connected>>
  reconnecting: boolean
  /** Whether the connected wallets are listened to. */
  watching: boolean
  /** Connectors that are listened to beside the connected ones: an approval may still come. */
  readonly awaited: Set<string>
  /** The secure frame, from when it is asked for until its document is lost. */
  frame: Promise<Frame> | undefined
  /** Its place in the page, which stays. */
  framePlace: FramePlace | undefined
  /** Closings that the frame has not confirmed. */
  frameCloses: number
  /** The transaction stack (spec §4): each request that waits for an approval, by what calls it off. */
  readonly transactions: Set<AbortController>
  toastId: number
  toastTimer: ReturnType<typeof setTimeout> | undefined
  readonly alertsShown: Set<string>
  /** The rules of a namespace, from when they are asked for. */
  readonly chains: Map<Namespace, Promise<Chain>>
  /** One node client a network, so that reads of one moment travel together. */
  readonly nodes: Map<ChainId, Request>
  /** Reads that run, by key: asked twice at the same time they are made once. */
  readonly reads: Map<string, Promise<unknown>>
  /** Networks that the server told us it does not know. */
  readonly unknownNetworks: Set<ChainId>
  /** Who wants to hear of the account's activity, and how the listening is ended. */
  readonly activity: {
    readonly watchers: Set<ActivityListener>
    stop: (() => void) | undefined
  }
  /** Whether it was said that transactions cannot be fetched; not again until they could be. */
  isHistoryFailureTold: boolean
  /** The server's table of what is on, from when it is asked for. */
  supported: Promise<SupportedChains> | undefined
}

/** One wallet connection product on a page. Several may live beside each other. */
export type App = {
  readonly config: Config & { readonly features: Features; readonly metadata: Metadata }
  readonly store: StoreApi<State>
  readonly connectors: Map<string, Connector>
  /** The rules of a namespace, loaded when first asked for; throws NO_ADAPTER where there are none. */
  readonly chain: (namespace: Namespace) => Promise<Chain>
  readonly storage: Storage
  readonly environment: Environment
  readonly work: Work
  /** Aborted by `destroy`. */
  readonly signal: AbortSignal
  /** Stops every timer, listener and request of the app. */
  readonly destroy: () => void
}

const defaultFeatures: Features = {
  send: true,
  receive: true,
  history: true,
  allWallets: true,
  legalCheckbox: false,
  email: true,
  emailShowWallets: true,
}

/**
 * Makes an app. In a browser it restores what was saved, watches for wallets and reconnects silently; it asks no server
 * anything and never prompts. On a server it only holds state.
 */
export function createApp(config: Config, environment: Partial<Environment> = {}): App {
  const world = { ...browserEnvironment(), ...environment }
  const ended = new AbortController()
  const app: App = {
    config: {
      ...config,
      features: { ...defaultFeatures, ...config.features },
      metadata: { ...pageMetadata(), ...config.metadata },
    },
    store: createStore<State>(() => firstState(config)),
    connectors: new Map(world.connectors.map((connector) => [connector.info.id, connector])),
    chain: (namespace) => getChain(app, namespace),
    storage: createStorage({ area: world.area, events: world.events }),
    environment: world,
    work: createWork(),
    signal: ended.signal,
    destroy() {
      ended.abort()
      clearTimeout(app.work.toastTimer)
      app.work.framePlace?.remove()
      for (const controller of Object.values(app.work.connecting)) controller.abort()
    },
  }
  restore(app)
  discover(app)
  if (typeof window === 'undefined' && !world.area) return app
  startBackgroundWork(app)
  return app
}

/** A namespace's rules, loaded once: a browser may take a task for what it has loaded already, and a click cannot wait. */
function getChain({ work: { chains } }: App, namespace: Namespace): Promise<Chain> {
  const known = chains.get(namespace)
  if (known) return known
  const loading = import('./namespaces/loadNamespace.ts').then(({ loadChain }) =>
    loadChain(namespace),
  )
  chains.set(namespace, loading)
  loading.catch(() => chains.delete(namespace))
  return loading
}

/** Loads what only some visits need: what follows other tabs, what reconnects, what tells a developer. */
function startBackgroundWork(app: App) {
  const { storage, environment, signal, store } = app
  const warn = (cause: unknown) =>
    environment.warn('A part of the wallet could not be loaded', cause)
  const stop = storage.subscribe((key) => {
    import('./connection/syncTabs.ts').then(({ followTab }) => followTab(app, key)).catch(warn)
  })
  signal.addEventListener('abort', stop)
  if (app.config.projectId === '')
    import('./modal/present.ts')
      .then(({ reportMissingProject }) => reportMissingProject(app))
      .catch(warn)
  // An approval may have come while the page was away.
  const isOffering = (storage.get('offeredUntilMs') ?? 0) > environment.now()
  if (isOffering) app.work.awaited.add(walletConnectId)
  const wasHere = isOffering || storage.get('connections') || storage.get('recentWallets')
  if (app.config.enableReconnect === false || !wasHere) return
  import('./connection/reconnect.ts')
    .then(({ reconnect }) => (signal.aborted ? undefined : reconnect(app)))
    .catch((cause) => {
      warn(cause)
      store.setState({ connections: store.getInitialState().connections })
    })
}

function firstState(config: Config): State {
  const known = config.networks.some((entry) => entry.caipNetworkId === config.defaultNetwork)
  return initialState({
    networks: config.networks,
    activeChainId:
      known && config.defaultNetwork ? config.defaultNetwork : config.networks[0].caipNetworkId,
    theme: { mode: config.themeMode ?? 'dark', variables: config.themeVariables ?? {} },
  })
}

const createWork = (): Work => ({
  attempts: { eip155: 0, solana: 0, polkadot: 0, bip122: 0 },
  switches: { begun: 0, done: 0 },
  connecting: {},
  before: {},
  reconnecting: false,
  watching: false,
  awaited: new Set(),
  frame: undefined,
  framePlace: undefined,
  frameCloses: 0,
  transactions: new Set(),
  toastId: 0,
  toastTimer: undefined,
  alertsShown: new Set(),
  nodes: new Map(),
  reads: new Map(),
  chains: new Map(),
  unknownNetworks: new Set(),
  activity: { watchers: new Set(), stop: undefined },
  isHistoryFailureTold: false,
  supported: undefined,
})

/** Name, description, address and icon from the page itself (spec §3). */
function pageMetadata(): Metadata {
  if (typeof document === 'undefined') return { name: '', description: '', url: '', icons: [] }
  const icon = document.querySelector<HTMLLinkElement>('link[rel~="icon"]')?.href
  return {
    name: document.title,
    description:
      document.querySelector<HTMLMetaElement>('meta[property="og:description"]')?.content ?? '',
    url: location.origin,
    icons: icon ? [icon] : [],
  }
}

const browserEnvironment = (): Environment => ({
  now: () => Date.now(),
  sleep,
  fetch: (...parameters) => globalThis.fetch(...parameters),
  area: typeof window === 'undefined' ? undefined : browserArea(),
  events: typeof window === 'undefined' ? undefined : window,
  connectors: [],
  framePlace: undefined,
  webSocket: globalThis.WebSocket,
  page: typeof window === 'undefined' ? undefined : window,
  // biome-ignore lint/suspicious/noConsole: the one place where the browser's console is spoken to
  warn: (message, cause) => console.warn(message, cause),
})

const sleep = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    if (signal?.aborted) done()
    else signal?.addEventListener('abort', done)
  })
