import type { Namespace } from '@latchkey/wire'
import { createStore } from 'zustand/vanilla'
import type { App, Config, Environment, Metadata, ResolvedConfig } from './app.ts'
import { discover } from './connection/discover.ts'
import { restore, toConnections } from './connection/restore.ts'
import { checkConfig } from './development/checkConfig.ts'
import { isReturning } from './embedded/login/hasLogin.ts'
import type { LoadedActions } from './namespaces/actions.ts'
import type { Runtime } from './runtime.ts'
import { disconnectedState, initialState, perNamespace, type State } from './state.ts'
import { browserArea, createStorage } from './storage.ts'

// The other options are off.
const defaults = {
  wallets: {
    enabled: true,
    all: true,
    guide: true,
    injected: true,
    eip6963: true,
    walletStandard: true,
    walletConnect: true,
    reconnect: true,
  },
  login: { email: true, showWallets: true, logMessages: true },
  modal: { networkSwitch: true },
  features: {
    send: true,
    receive: true,
    onramp: true,
    swaps: true,
    history: true,
    smartSessions: false,
  },
} as const

/**
 * Creates an app. In a browser, it restores saved state, watches for wallets and reconnects
 * silently. It sends no request to a server and never prompts, unless accounts have to sign in or
 * `analytics` is true. In development, throws for a config with which it cannot work. On a server,
 * it only holds state.
 */
export function createApp(config: Config, environment: Partial<Environment> = {}): App {
  const world = {
    ...browserEnvironment(),
    ...(config.debug === false && { warn: () => {} }),
    ...environment,
  }
  // A production build leaves out the check.
  if (process.env.NODE_ENV !== 'production') checkConfig(config, world.warn)
  const controller = new AbortController()
  const app: App = {
    config: resolveConfig(config),
    store: createStore<State>(() => firstState(config)),
    connectors: new Map(world.connectors.map((connector) => [connector.info.id, connector])),
    loadActions: (namespace) => loadActionsOnce(app, namespace),
    storage: createStorage({
      ...{ area: world.area, events: world.events },
      storageKey: config.storageKey,
    }),
    environment: world,
    runtime: createRuntime(),
    signal: controller.signal,
    destroy() {
      controller.abort()
      clearTimeout(app.runtime.toastTimer)
      app.runtime.framePlace?.remove()
      for (const controller of Object.values(app.runtime.connecting)) controller.abort()
    },
  }
  discover(app)
  restore(app)
  if (typeof window === 'undefined' && !world.area) return app
  startBackgroundWork(app)
  if (config.analytics)
    import('./analytics/sendEvents.ts').then((module) => module.countStart(app)).catch(() => {})
  return app
}

function resolveConfig(config: Config & { siwx?: unknown; siweConfig?: unknown }): ResolvedConfig {
  const { signIn } = config
  // An app that upgrades must not lose its sign-in silently.
  if (!signIn && (config.siwx || config.siweConfig))
    throw new TypeError(
      '`siwx` is called `signIn` now, and `siweConfig` is called `signIn: { siwe }`',
    )
  return {
    ...config,
    // The paths begin with a slash.
    apiUrl: String(config.apiUrl ?? '').replace(/\/+$/, ''),
    wallets: withDefaults(defaults.wallets, config.wallets),
    login: withDefaults(defaults.login, config.login),
    modal: withDefaults(defaults.modal, config.modal),
    features: withDefaults(defaults.features, config.features),
    metadata: { ...pageMetadata(), ...config.metadata },
    siwx: signIn?.siwe ? undefined : signIn,
    siwe: signIn?.siwe,
  }
}

/** The options, with the default for each option that is undefined or null. */
const withDefaults = <Defaults extends object, Options extends object>(
  defaults: Defaults,
  options: Options | undefined,
): Defaults & Options =>
  Object.assign(
    { ...defaults },
    ...Object.entries(options ?? {})
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => ({ [name]: value })),
  )

/**
 * Keeps the promise of the loaded module: importing it again may take a task, for which a click
 * cannot wait.
 */
function loadActionsOnce(
  { runtime: { actions } }: App,
  namespace: Namespace,
): Promise<LoadedActions> {
  const known = actions.get(namespace)
  if (known) return known
  const loading = import('./namespaces/namespaceMetadata.ts').then((module) =>
    module.loadActions(namespace),
  )
  actions.set(namespace, loading)
  loading.catch(() => actions.delete(namespace))
  return loading
}

/** Loads code that only some visits need. */
function startBackgroundWork(app: App) {
  const { storage, environment, signal, store, config } = app
  const warn = (cause: unknown) =>
    environment.warn('A part of the wallet could not be loaded', cause)
  const { connections } = store.getState()
  if (config.ssr) import('./ssr/keepCookie.ts').then((module) => module.keepCookie(app)).catch(warn)
  const stop = storage.subscribe((key) => {
    import('./connection/syncTabs.ts').then((module) => module.followTab(app, key)).catch(warn)
  })
  signal.addEventListener('abort', stop)
  if (config.siwx || (config.siwe && config.siwe.enabled !== false))
    import('./siwx/startSiwx.ts').then((module) => module.startSiwx(app, connections)).catch(warn)
  if (!config.projectId)
    import('./modal/showError.ts').then((module) => module.reportMissingProject(app)).catch(warn)
  if (isReturning(environment))
    import('./embedded/login/returnSocial.ts')
      .then((module) => module.returnSocial(app))
      .catch(warn)
  // An approval may have arrived while the page was in the background.
  const isOffering = (storage.get('offeredUntilMs') ?? 0) > environment.now()
  if (isOffering)
    for (const { info } of app.connectors.values())
      if (info.traits?.approvesLate) app.runtime.awaited.add(info.id)
  const isInWallet = [...app.connectors.values()].some(({ info }) => info.traits?.connectsAlone)
  const wasHere =
    isInWallet || isOffering || storage.get('connections') || storage.get('recentWallets')
  if (!config.wallets.reconnect || !wasHere) return
  import('./connection/reconnect.ts')
    .then((module) => (signal.aborted ? undefined : module.reconnect(app)))
    .catch((cause) => {
      warn(cause)
      store.setState({ connections: disconnectedState })
    })
}

function firstState(config: Config): State {
  const { networks, defaultNetwork, modal, wallets, initialState: saved } = config
  const find = (id: unknown) => networks.find(({ caipNetworkId }) => caipNetworkId === id)
  const active = find(saved?.activeChainId) ?? find(defaultNetwork)
  const state = initialState({
    networks,
    activeChainId: (active ?? networks[0]).caipNetworkId,
    theme: { mode: modal?.themeMode ?? 'dark', variables: modal?.themeVariables ?? {} },
  })
  return saved && wallets?.reconnect !== false
    ? { ...state, connections: toConnections(saved.connections) }
    : state
}

const createRuntime = (): Runtime => ({
  attempts: perNamespace(0),
  switches: { started: 0, done: 0 },
  walletChoices: 0,
  connecting: {},
  before: {},
  reconnecting: false,
  searches: { held: [] },
  watching: false,
  walletListeners: new Set(),
  awaited: new Set(),
  frameCloses: 0,
  transactions: new Set(),
  toastId: 0,
  alertsShown: new Set(),
  nodes: new Map(),
  reads: new Map(),
  actions: new Map(),
  imageIds: new Map(),
  unknownNetworks: new Set(),
  activity: { watchers: new Set() },
  isHistoryFailureShown: false,
})

/** Name, description, address and icon from the page itself. */
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

function browserEnvironment(): Environment {
  const page = typeof window === 'undefined' ? undefined : window
  return {
    now: () => Date.now(),
    sleep,
    fetch: (...parameters) => globalThis.fetch(...parameters),
    area: page && browserArea('local'),
    tabArea: page && browserArea('session'),
    events: page,
    connectors: [],
    framePlace: undefined,
    webSocket: globalThis.WebSocket,
    page,
    // biome-ignore lint/suspicious/noConsole: the only place that writes to the browser's console
    warn: (message, cause) => console.warn(message, ...(cause === undefined ? [] : [cause])),
  }
}

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
