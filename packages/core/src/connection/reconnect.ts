import {
  type ChainId,
  type ErrorCode,
  isError,
  isModuleLoss,
  LatchkeyError,
  type Namespace,
  namespaces,
} from '@latchkey/wire'
import { abortable } from '../abortable.ts'
import type { App } from '../app.ts'
import { getLoginConnector } from '../embedded/login/getLoginConnector.ts'
import { isReturning } from '../embedded/login/hasLogin.ts'
import { selectConnectedNamespace } from '../network/selectNamespace.ts'
import { isConnected } from '../state.ts'
import { commitConnection } from './commitConnection.ts'
import { beginAttempt } from './connectionAttempt.ts'
import type { Connector } from './connectors/connector.ts'
import { forget, getLeftConnectors, setDisconnected } from './setConnection.ts'
import { watchAccount } from './watchAccount.ts'

/**
 * How long a sign-out is retried. After that, the frame's session expires by itself, because the
 * user may have logged in again elsewhere.
 */
const maxSignOutMs = 24 * 3_600_000
/** How long a saved wallet has to announce itself after the page has loaded. */
const walletArrivalMs = 3_000
/**
 * Errors of a wallet whose server could not be reached, or whose response did not come from that
 * server.
 */
const unreachedCodes: readonly ErrorCode[] = [
  'OFFLINE',
  'ANSWER_INVALID',
  'TIMEOUT',
  'HTTP_FAILED',
  'RATE_LIMITED',
  'DATABASE_UNAVAILABLE',
  'FRAME_NOT_LOADED',
]
/** The first and the longest pause between two attempts to reach such a server. */
const [firstRetryMs, lastRetryMs] = [1_000, 30_000]

/**
 * Reconnects silently to the accounts that a wallet still allows: the saved wallet first, then
 * recently used wallets; the first that allows an account becomes current. Never prompts. A failure
 * only warns and leaves the namespace disconnected; if the server of the wallet could not be
 * reached, the namespace keeps its account and the attempt is repeated. Throws RECONNECT_RUNNING
 * while another reconnect runs.
 */
export async function reconnect(app: App): Promise<void> {
  if (app.runtime.reconnecting) throw new LatchkeyError('RECONNECT_RUNNING')
  app.runtime.reconnecting = true
  watchAccount(app)
  finishSignOut(app)
  try {
    await Promise.all(namespaces.map((namespace) => reconnectNamespace(app, namespace)))
  } finally {
    app.runtime.reconnecting = false
  }
}

/**
 * Finishes a sign-out if the page was closed before the frame had completed it, unless the user
 * returns from a new login.
 */
function finishSignOut(app: App): void {
  const { storage, environment } = app
  const signedOutAtMs = storage.get('signOutAtMs')
  if (signedOutAtMs === undefined) return
  if (isReturning(environment) || environment.now() - signedOutAtMs > maxSignOutMs) {
    storage.remove('signOutAtMs')
    return
  }
  getLoginConnector(app)
    ?.disconnect()
    .catch((cause) => environment.warn('Signing out failed', cause))
}

async function reconnectNamespace(app: App, namespace: Namespace, retryMs = firstRetryMs) {
  if (app.store.getState().connections[namespace].status === 'connecting') return
  const ids = getCandidates(app, namespace)
  const attempt = beginAttempt(app, namespace)
  let failed = false
  let isUnreached = false
  for (const id of ids) {
    try {
      const connector = await abortable(waitForConnector(app, id), attempt.signal)
      if (!connector?.info.namespaces.includes(namespace)) continue
      const result = await readAuthorized(connector, namespace)
      if (!attempt.isCurrent()) return
      // Not if another tab has disconnected it meanwhile.
      if (result && commitConnection(app, { connectorId: id, result, origin: 'silent' })) return
    } catch (cause) {
      if (!attempt.isCurrent()) return
      failed = true
      isUnreached ||= isUnreachedError(cause)
      app.environment.warn(`Reconnecting to ${id} failed`, cause)
    }
  }
  if (!attempt.isCurrent() || ids.length === 0) return
  const tryAgain = (ms?: number) =>
    attempt.isCurrent() ? reconnectNamespace(app, namespace, ms) : undefined
  const { connections } = app.store.getState()
  const current = connections[namespace]
  if (isUnreached && isConnected(current)) {
    app.store.setState({
      connections: { ...connections, [namespace]: { ...current, isUnreached } },
    })
    void untilReachable(app, retryMs, attempt.signal).then(() =>
      tryAgain(Math.min(2 * retryMs, lastRetryMs)),
    )
    return
  }
  setDisconnected(app, namespace)
  const activeChainId = app.storage.get('activeChainId')
  selectConnectedNamespace(app)
  // The next visit, which tries again, begins with the network that the user has chosen.
  if (failed && activeChainId) app.storage.set('activeChainId', activeChainId)
  const missing = ids.filter((id) => !app.connectors.has(id))
  // A rejection is final; if the wallet is only slow or broken, the next visit retries.
  if (!failed && missing.length === 0) forget(app, namespace)
  if (missing.length === 0) return
  void waitForAny(app, missing, attempt.signal).then(() => tryAgain())
}

const isUnreachedError = (error: unknown) =>
  isError(error) && !isError(error, 'INTERNAL')
    ? unreachedCodes.includes(error.code)
    : isModuleLoss(error)

/** Resolves after `ms`, or earlier if the browser comes online or the page becomes visible. */
async function untilReachable(app: App, ms: number, signal: AbortSignal): Promise<void> {
  const { page, sleep } = app.environment
  const done = new AbortController()
  const wake = new Promise<void>((resolve) => {
    for (const name of ['online', 'visibilitychange'])
      page?.addEventListener(name, () => resolve(), { signal: done.signal })
    signal.addEventListener('abort', () => resolve())
  })
  await Promise.race([sleep(ms, done.signal), wake])
  done.abort()
}

/**
 * Reads the accounts that a wallet allows. If the wallet switches its network before it responds,
 * the new network counts.
 */
async function readAuthorized(connector: Connector, namespace: Namespace) {
  let chainId: ChainId | undefined
  const stop = connector.subscribe((event) => {
    if (event.type === 'chainChanged' && event.chainId.startsWith(`${namespace}:`))
      chainId = event.chainId
  })
  try {
    const result = await connector.authorized({ namespace })
    return result && chainId ? { ...result, chainId } : result
  } finally {
    stop()
  }
}

/**
 * Connectors to try: the current, those that connect alone, the saved, then recent connectors,
 * without those that the user has disconnected.
 */
function getCandidates(app: App, namespace: Namespace) {
  const { connections, recentWallets } = app.store.getState()
  const current = connections[namespace]
  const saved = app.storage.get('connections')?.[namespace]?.connectorId
  const leftConnectors = getLeftConnectors(app)
  const recent = recentWallets
    .map(({ id }) => id)
    .filter((id) => !app.connectors.get(id)?.info.traits?.reconnectsSavedOnly)
  const alone = [...app.connectors.values()]
    .filter(({ info }) => info.traits?.connectsAlone)
    .map(({ info }) => info.id)
  const ids = [isConnected(current) ? current.connectorId : undefined, ...alone, saved, ...recent]
  return [...new Set(ids)]
    .filter((id) => id !== undefined)
    .filter((id) => !leftConnectors.includes(id))
}

/** Resolves when any of the connectors is available, or the app or the signal ends. */
function waitForAny(app: App, ids: readonly string[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = new AbortController()
    const end = () => {
      unsubscribe()
      done.abort()
      resolve()
    }
    const look = () => ids.some((id) => app.connectors.has(id)) && end()
    const unsubscribe = app.store.subscribe(look)
    for (const each of [app.signal, signal])
      each.addEventListener('abort', end, { signal: done.signal })
    look()
  })
}

/** The connector, as soon as its wallet has announced itself; undefined if it does not appear. */
async function waitForConnector(app: App, id: string): Promise<Connector | undefined> {
  const done = new AbortController()
  const timeout = app.environment.sleep(walletArrivalMs, done.signal)
  await Promise.race([waitForAny(app, [id], done.signal), timeout])
  done.abort()
  return app.connectors.get(id)
}
