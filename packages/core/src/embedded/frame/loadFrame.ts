import {
  type FrameAccountType,
  isError,
  LatchkeyError,
  type Namespace,
  namespaces,
} from '@latchkey/wire'
import type { App } from '../../app.ts'
import { forgetLogin } from '../../connection/connectors/embedded/storedLogin.ts'
import { endConnection } from '../../connection/further/endConnection.ts'
import {
  getWalletNamespace,
  isInUse,
  setFurther,
} from '../../connection/further/furtherConnections.ts'
import { setConnection } from '../../connection/setConnection.ts'
import { warnFrame } from '../../development/warnings.ts'
import { openModal } from '../../modal/modal.ts'
import { closeModal } from '../../modal/navigate.ts'
import { type Account, listConnections } from '../../state.ts'
import { leaveApproval, rejectTransactions } from '../approve.ts'
import { followAccount } from '../followAccount.ts'
import { hasLogin } from '../login/hasLogin.ts'
import { closeFrame, hideFrame } from './closeFrame.ts'
import type { SecureFrame } from './frame.ts'
import { type OnFrameEvent, openFrame } from './openFrame.ts'
import { syncFrame } from './syncFrame.ts'

/** Loads the secure frame into its element and handles its events. Throws FRAME_NOT_LOADED. */
export async function loadFrame(app: App): Promise<SecureFrame> {
  const { config, environment, signal } = app
  const { frameUrl, projectId } = config
  if (!frameUrl || signal.aborted)
    throw new LatchkeyError('FRAME_NOT_LOADED', { data: { host: frameUrl ?? 'the secure frame' } })
  const place = await getPlace(app, new URL(frameUrl).origin)
  const { sleep } = environment
  const isLogged = config.login.logMessages && config.debug !== false
  const handle = receive(app)
  const logged = isLogged ? (await import('./logFrame.ts')).logFrame(app, handle) : undefined
  const onEvent = logged?.onEvent ?? handle
  const opening = openFrame({ place, frameUrl, projectId, onEvent, sleep, signal })
  if (process.env.NODE_ENV !== 'production')
    opening.catch((error) => isError(error, 'FRAME_NOT_LOADED') && warnFrame(app))
  const opened = await opening
  const frame = logged?.wrap(opened) ?? opened
  frame.closed.addEventListener('abort', () => hideFrame(app))
  syncFrame(app, frame)
  return frame
}

/** Creates the frame's element, once. */
async function getPlace(app: App, origin: string) {
  const { runtime, environment } = app
  if (runtime.framePlace) return runtime.framePlace
  const make =
    environment.framePlace ?? (await import('./createFrameContainer.ts')).createFrameContainer
  const onDismiss = () => closeModal(app)
  runtime.framePlace ??= make({ origin, onDismiss })
  app.store.setState({ frame: { frameView: undefined } })
  const stop = app.store.subscribe((state, before) => {
    if (before.modal.open && !state.modal.open) leave(app)
  })
  app.signal.addEventListener('abort', stop)
  return runtime.framePlace
}

/** The modal has closed: rejects the requests that wait for the user. */
function leave(app: App) {
  rejectTransactions(app)
  closeFrame(app)
}

const receive = (app: App): OnFrameEvent =>
  ((name: string, data: never) => {
    const handler = Object.hasOwn(handlers, name)
      ? handlers[name as keyof typeof handlers]
      : undefined
    handler?.(app, data)
  }) as OnFrameEvent

const handlers = {
  FRAME_SHOW(app: App, event: { view: never; title: string; height: number }) {
    // The frame sent this before it received the close.
    if (app.runtime.frameCloses > 0) return
    // A screen without a height keeps the height of the screen before it.
    const frameView = {
      ...event,
      height: event.height || app.store.getState().frame?.frameView?.height || 0,
    }
    app.store.setState({ frame: { frameView } })
    if (!app.store.getState().modal.open) openModal(app, { view: { name: 'ApproveTransaction' } })
    app.runtime.framePlace?.show(frameView)
  },
  FRAME_HIDE(app: App) {
    hideFrame(app)
    leaveApproval(app)
  },
  FRAME_SESSION_UPDATE(app: App, { token }: { token: string | null }) {
    if (token === null) app.storage.remove('knownDevice')
    else app.storage.set('knownDevice', token)
  },
  FRAME_EMAIL(app: App, { email }: { email: string }) {
    app.storage.set('email', email)
    app.store.setState(({ user }) => ({ user: { ...user, email } }))
  },
  FRAME_RECOVERY({ storage, store }: App, { isRecoverable }: { isRecoverable: boolean }) {
    if (isRecoverable) storage.remove('lacksRecovery')
    else storage.set('lacksRecovery', true)
    store.setState(({ user }) => ({ user: user && { ...user, isRecoverable } }))
  },
  FRAME_ACCOUNT_TYPE(app: App, { address, type }: { address: string; type: FrameAccountType }) {
    for (const namespace of namespaces) changeType(app, { namespace, address, type })
  },
  FRAME_SOCIAL_STRAY(app: App) {
    app.store.setState({ isSocialAstray: true })
  },
  FRAME_ACCOUNT(app: App) {
    void followAccount(app)
  },
  FRAME_SIGNED_OUT(app: App) {
    rejectTransactions(app)
    forgetLogin(app.storage)
    for (const connection of listConnections(app.store.getState()))
      if (hasLogin(app, connection.connectorId)) endConnection(app, getWalletNamespace(connection))
  },
}

type Change = { namespace: Namespace; address: string; type: FrameAccountType }

/** Writes the type of an account, if it is connected. */
function changeType(app: App, { namespace, address, type }: Change) {
  const state = app.store.getState()
  const connection = listConnections(state).find(
    ({ account, connectorId }) => account.namespace === namespace && hasLogin(app, connectorId),
  )
  if (connection?.status !== 'connected') return
  const { connectorId, chainId, accounts } = connection
  if (!accounts.some((account) => account.address === address)) return
  const rename = (account: Account) =>
    account.address === address ? { ...account, type } : account
  const [first, ...rest] = accounts
  const result = { accounts: [rename(first), ...rest.map(rename)] as const, chainId }
  if (isInUse(state, { connectorId, namespace }))
    setConnection(app, { connectorId, result, isSelected: false })
  else setFurther(app, { connectorId, result })
  const preferred = app.storage.get('preferredAccountTypes')
  app.storage.set('preferredAccountTypes', { ...preferred, [namespace]: type })
}
