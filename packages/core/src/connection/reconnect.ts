import {
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
import { type Connection, isConnected } from '../state.ts'
import { commitConnection } from './commitConnection.ts'
import { beginAttempt } from './connectionAttempt.ts'
import { confirm, confirmFurther } from './further/confirmFurther.ts'
import { getWalletNamespace, isInUse, keepFurther } from './further/furtherConnections.ts'
import { putNextInUse } from './further/putNextInUse.ts'
import { readAuthorized, waitForAny, waitForConnector } from './further/waitForConnector.ts'
import { forget, getLeftConnectors, setDisconnected } from './setConnection.ts'
import { watchAccount } from './watchAccount.ts'

/**
 * How long a sign-out is retried. After that, the frame's session expires by itself, because the
 * user may have logged in again elsewhere.
 */
const maxSignOutMs = 24 * 3_600_000
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
 * other connected and recently used wallets. Puts the first in use that allows an account. If the
 * saved wallet has not responded by then, it stays connected. Confirms the others that are
 * connected. Never prompts. A failure only warns and leaves the namespace disconnected; if the
 * server of the wallet could not be reached, the namespace keeps its account and the attempt is
 * repeated. Throws RECONNECT_RUNNING while another reconnect runs.
 */
export async function reconnect(app: App): Promise<void> {
  if (app.runtime.reconnecting) throw new LatchkeyError('RECONNECT_RUNNING')
  app.runtime.reconnecting = true
  watchAccount(app)
  finishSignOut(app)
  try {
    await Promise.all([
      ...namespaces.map((namespace) => reconnectNamespace(app, namespace)),
      confirmFurther(app),
    ])
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
  const former = app.store.getState().connections[namespace]
  if (former.status === 'connecting') return
  const ids = getCandidates(app, namespace)
  const attempt = beginAttempt(app, namespace)
  let failed = false
  let isUnreached = false
  let isFormerHeard = false
  for (const id of ids) {
    try {
      const connector = await abortable(waitForConnector(app, id), attempt.signal)
      if (!connector?.info.namespaces.includes(namespace)) continue
      const result = await readAuthorized(connector, namespace)
      if (!attempt.isCurrent()) return
      isFormerHeard ||= isConnected(former) && former.connectorId === id
      // Not if another tab has disconnected it meanwhile.
      if (result && commitConnection(app, { connectorId: id, result, origin: 'silent' }))
        return isFormerHeard ? undefined : keepUnheard(app, former)
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
  if (putNextInUse(app, namespace)) return isFormerHeard ? undefined : keepUnheard(app, former)
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

/** Keeps a wallet in the list that was in use and has not responded: it may only be slow. */
function keepUnheard(app: App, former: Connection) {
  if (!isConnected(former) || getLeftConnectors(app).includes(former.connectorId)) return
  const place = getWalletNamespace(former)
  if (isInUse(app.store.getState(), place)) return
  keepFurther(app, former)
  void confirm(app, place)
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
 * Connectors to try: the current, those that connect alone, the saved, those that are connected but
 * not in use, then recent connectors, without those that the user has disconnected.
 */
function getCandidates(app: App, namespace: Namespace) {
  const { connections, furtherConnections, recentWallets } = app.store.getState()
  const current = connections[namespace]
  const saved = app.storage.get('connections')?.[namespace]?.connectorId
  const leftConnectors = getLeftConnectors(app)
  const recent = recentWallets
    .map(({ id }) => id)
    .filter((id) => !app.connectors.get(id)?.info.traits?.reconnectsSavedOnly)
  const alone = [...app.connectors.values()]
    .filter(({ info }) => info.traits?.connectsAlone)
    .map(({ info }) => info.id)
  const further = furtherConnections
    .filter(({ account }) => account.namespace === namespace)
    .map(({ connectorId }) => connectorId)
  const currentId = isConnected(current) ? current.connectorId : undefined
  const ids = [currentId, ...alone, saved, ...further, ...recent]
  return [...new Set(ids)]
    .filter((id) => id !== undefined)
    .filter((id) => !leftConnectors.includes(id))
}
