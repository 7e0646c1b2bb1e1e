import type { App } from '../app.ts'
import { getLeftConnectors } from '../connection/setConnection.ts'
import { forceCloseModal, isUnsupported, openModal } from '../modal/modal.ts'
import {
  activeConnection,
  type Connected,
  isConnected,
  listConnections,
  type State,
} from '../state.ts'
import {
  findSiwxSession,
  getSessionKey,
  getSiwxConfig,
  isSignInRequired,
  signsIn,
} from './session.ts'
import { getSiwx, setSession } from './signIn.ts'
import type { UsedSiwx } from './siwx.ts'

const signViews: readonly string[] = ['SIWXSignMessage', 'ConnectingSiwe']
/** Views that continue automatically and must not be interrupted. */
const busyViews: readonly string[] = [
  'ApproveTransaction',
  'ConnectNamespaces',
  'ReviewTransaction',
  'SwitchNetwork',
]

type Following = {
  readonly siwx: UsedSiwx
  /** The pending lookups of sign-ins, by key: each lookup has its own mark. */
  readonly reading: Map<string, symbol>
  /**
   * Keys that do not prompt again, because the user dismissed the prompt or has only returned to
   * the page.
   */
  readonly asked: Set<string>
  /** The watcher that refetches known sign-ins; loaded with the first. */
  watching?: Promise<void>
}

/**
 * Looks up the sign-in of the account in use, and prompts for a sign-in if it has no session, until
 * the app is destroyed. `before`: the connections with which the page began. A returning user is
 * prompted again only if a sign-in is required.
 */
export async function startSiwx(app: App, before: State['connections']): Promise<void> {
  const siwx = await getSiwx(app)
  if (app.signal.aborted) return
  const following: Following = { siwx, reading: new Map(), asked: new Set() }
  app.runtime.askedToSignIn = following.asked
  const { furtherConnections } = app.store.getState()
  for (const connection of [...Object.values(before), ...furtherConnections])
    if (isConnected(connection)) following.asked.add(getSessionKey(app, connection))
  const stops = [
    app.store.subscribe((state, previous) => {
      if (
        state.connections !== previous.connections ||
        state.furtherConnections !== previous.furtherConnections
      )
        signOutLeft(app, following, previous)
      follow(app, following)
    }),
    app.storage.subscribe((key) => {
      // Another tab has signed in or out.
      if (key !== 'siwxSessions') return
      following.reading.clear()
      app.store.setState({ sessions: {} })
    }),
  ]
  const look = () => follow(app, following)
  const finish = () => void siwx.finishSignOut?.().catch(warn(app))
  const { signal } = app
  app.environment.events?.addEventListener('online', finish, { signal })
  app.environment.page?.addEventListener('visibilitychange', look, { signal })
  for (const stop of stops) signal.addEventListener('abort', stop)
  finish()
  look()
}

function follow(app: App, following: Following) {
  const state = app.store.getState()
  const connection = activeConnection(state)
  if (!isConnected(connection)) return isAsking(state) ? forceCloseModal(app) : undefined
  if (isUnsupported(app) || !signsIn(app, connection.account.namespace)) return
  const key = getSessionKey(app, connection)
  const session = state.sessions[key]
  if (session === undefined) void read(app, following, connection)
  else if (session === null) ask(app, { following, connection, key })
  else {
    following.watching ??= import('./watchSession.ts')
      .then(({ watchSession }) => watchSession(app, following.siwx))
      .catch(warn(app))
    if (isAsking(state)) forceCloseModal(app)
  }
}

const isAsking = ({ modal }: State) => signViews.includes(modal.history.at(-1)?.name ?? '')

async function read(app: App, { siwx, reading }: Following, connection: Connected) {
  const key = getSessionKey(app, connection)
  if (reading.has(key)) return
  const mark = Symbol(key)
  reading.set(key, mark)
  const { chainId, account } = connection
  const sessions = await siwx.getSessions(chainId, account.address).catch(warn(app))
  // The user has since signed out, disconnected, or signed in.
  if (reading.get(key) !== mark) return
  reading.delete(key)
  if (app.signal.aborted || app.store.getState().sessions[key]) return
  setSession(app, key, findSiwxSession(app, connection, sessions ?? []) ?? null)
}

const warn = (app: App) => (cause: unknown) =>
  app.environment.warn('Sign-in sessions could not be read or ended', cause)

function ask(
  app: App,
  { following, connection, key }: { following: Following; connection: Connected; key: string },
) {
  const { modal } = app.store.getState()
  const isRequired = isSignInRequired(app)
  if (connection.status !== 'connected' || (!isRequired && following.asked.has(key))) return
  if (isAsking(app.store.getState())) return
  if (modal.open && busyViews.includes(modal.history.at(-1)?.name ?? '')) return
  // Among several tabs, only the visible tab prompts.
  if (app.environment.page?.document.visibilityState === 'hidden') return
  following.asked.add(key)
  const name = app.config.siwe ? 'ConnectingSiwe' : 'SIWXSignMessage'
  openModal(app, { view: { name, isRequired } })
}

/** Ends the sign-ins of accounts that were disconnected here and that no other wallet has. */
function signOutLeft(app: App, { siwx, asked, reading }: Following, previous: State) {
  for (const left of listConnections(previous)) {
    const { namespace } = left.account
    // A wallet that has not confirmed its accounts yet may return, unless the user ends it.
    const isMeant = left.status === 'connected' || isDisconnected(app, left)
    if (!isMeant || !isLeft(app, left)) continue
    const kept = listConnections(app.store.getState()).flatMap((one) => getPlaces(app, one))
    const keptKeys = kept.map((one) => getSessionKey(app, one))
    for (const connection of getPlaces(app, left)) {
      const key = getSessionKey(app, connection)
      if (keptKeys.includes(key)) continue
      asked.delete(key)
      reading.delete(key)
      const { [key]: session, ...sessions } = app.store.getState().sessions
      app.store.setState({ sessions })
      // A sign-in that is not known yet may exist.
      const { signingOut } = app.runtime
      // The only session of `siwe` functions has just been ended, on any network.
      const isEnded = signingOut !== undefined && (key === signingOut || !!app.config.siwe)
      const isNone = session === null || !signsIn(app, namespace) || isEnded
      if (!isNone && getSiwxConfig(app)?.signOutOnDisconnect !== false)
        revoke(app, { siwx, connection, previous }).catch(warn(app))
    }
  }
}

/**
 * Ends the sign-in of an account. The backend of `siwe` functions has a single session, and ends it
 * for any account: it may be the session of a wallet that stays connected.
 */
async function revoke(
  app: App,
  parameters: { siwx: UsedSiwx; connection: Connected; previous: State },
) {
  const { siwx, connection, previous } = parameters
  const { chainId, account } = connection
  if (app.config.siwe && !previous.sessions[getSessionKey(app, connection)]) {
    if (Object.values(previous.sessions).some(Boolean)) return
    const sessions = await siwx.getSessions(chainId, account.address)
    if (!findSiwxSession(app, connection, sessions)) return
  }
  await siwx.revokeSession(chainId, account.address)
}

/** The networks of the account with possibly separate sign-ins, as connections. */
function getPlaces(app: App, left: Connected): readonly Connected[] {
  if (getSiwxConfig(app)?.per !== 'network') return [left]
  return app.store
    .getState()
    .networks.filter(({ chainNamespace }) => chainNamespace === left.account.namespace)
    .map(({ caipNetworkId: chainId }) => ({ ...left, chainId }))
}

/**
 * Whether a connection has ended. A wallet whose place another wallet takes is still connected, and
 * while that is pending, it may be put in use again, unless the user has disconnected it.
 */
function isLeft(app: App, left: Connected): boolean {
  const {
    connectorId,
    account: { namespace },
  } = left
  const state = app.store.getState()
  const isListed = listConnections(state).some(
    (one) => one.connectorId === connectorId && one.account.namespace === namespace,
  )
  const isPending = state.connections[namespace].status === 'connecting'
  return !isListed && (!isPending || isDisconnected(app, left))
}

const isDisconnected = (app: App, { connectorId }: Connected) =>
  getLeftConnectors(app).includes(connectorId)
