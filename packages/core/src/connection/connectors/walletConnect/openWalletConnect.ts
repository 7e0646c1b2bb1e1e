import { createDapp } from '@latchkey/walletconnect'
import { LatchkeyError, parseChainId, toError } from '@latchkey/wire'
import { loadRequestHandlers } from '../../../namespaces/namespaceMetadata.ts'
import type { Connector } from '../connector.ts'
import { bringToFront } from './bringToFront.ts'
import { createClientStorage } from './clientStorage.ts'
import {
  currentSession,
  emit,
  loadAddressWriters,
  type WalletConnectContext,
  type WalletConnectParameters,
} from './context.ts'
import { requestFromSession } from './request.ts'
import { connectSession } from './session/connectSession.ts'
import { endWalletSessions } from './session/endSessions.ts'
import { getApprovedMethods, getChainMethods } from './session/sessionAccounts.ts'
import {
  getNamespaceResult,
  handleApproval,
  handleEnd,
  handleEvent,
  handlePing,
  handleUpdate,
  notifyChanged,
  selectChain,
} from './session/sessionEvents.ts'
import { createSessionStore } from './session/sessionStore.ts'

/** Loads the client and its stored sessions, and implements the connector. */
export async function openConnector(parameters: WalletConnectParameters): Promise<Connector> {
  const { environment, info } = parameters
  const { area, events, now } = environment
  loadRequestHandlers(info.namespaces)
  const dapp = await createDapp({
    relayUrl: parameters.relayUrl,
    projectId: parameters.projectId,
    metadata: { ...parameters.metadata, icons: [...parameters.metadata.icons] },
    storage: createClientStorage({ prefix: `${parameters.storageKey}.wc.`, area, events }),
    now,
    ...(environment.webSocket && { WebSocket: environment.webSocket }),
  })
  const sessionEntries = createClientStorage({
    prefix: `${parameters.storageKey}.session.`,
    area,
    events,
  })
  const context: WalletConnectContext = {
    parameters,
    dapp,
    sessionStore: createSessionStore(sessionEntries, now),
    listeners: new Set(),
    pairings: [],
    pendingPairing: undefined,
    waiting: new Set(),
    addressWriters: undefined,
  }
  if (parameters.signal.aborted) {
    dapp.close()
    throw new LatchkeyError('ABORTED')
  }
  listen(context)
  // An earlier page may have requested a sign-in.
  if (context.sessionStore.pairings().length > 0) {
    const oneClick = await parameters.oneClick()
    if (oneClick) await dapp.continueSignIns(oneClick.verify)
  }
  return {
    info,
    connect: (question) => connectSession(context, question),
    async authorized({ namespace }) {
      if (currentSession(context)) await loadAddressWriters(context)
      return getNamespaceResult(context, namespace)
    },
    request: (chainId, method, params) => requestFromSession(context, { chainId, method, params }),
    approvedMethods(chainId) {
      const session = currentSession(context)
      return session && getApprovedMethods(session.namespaces, chainId)
    },
    async selectChain(chainId) {
      const stored = context.sessionStore.session()
      const session = currentSession(context)
      const { namespace } = parseChainId(chainId)
      if (!stored || !session || !getChainMethods(session.namespaces, chainId))
        throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
      selectChain(context, { stored, namespace, chainId })
    },
    disconnect: () => endWalletSessions(context),
    subscribe(listener) {
      context.listeners.add(listener)
      // Handle what arrived before any listener was added.
      findMissedApprovals(context)
      notifyChanged(context)
      return () => context.listeners.delete(listener)
    },
  }
}

function listen(context: WalletConnectContext) {
  const { dapp, parameters } = context
  const { storage, environment, signal } = parameters
  dapp.on('session_connect', ({ session }) => handleApproval(context, session))
  dapp.on('session_update', ({ topic }) => handleUpdate(context, topic))
  dapp.on('session_event', (event) => handleEvent(context, event))
  dapp.on('session_ping', ({ topic }) => handlePing(context, topic))
  dapp.on('session_delete', ({ topic }) => handleEnd(context, topic))
  dapp.on('session_expire', ({ topic }) => handleEnd(context, topic))
  dapp.on('relay', (status) => {
    if (status.status !== 'refused') return
    emit(context, { type: 'refused', error: toError(status.error) })
  })
  dapp.on('session_request_sent', ({ topic, id }) => {
    const { href } = storage.get('walletLink') ?? {}
    if (!href || currentSession(context)?.disableDeepLink) return
    bringToFront({ page: environment.page, href, requestId: id, topic })
  })
  const stop = followPage(context)
  signal.addEventListener('abort', () => {
    stop()
    dapp.close()
  })
}

/**
 * A page that returns to the foreground checks its socket at once and applies what it has missed.
 */
function followPage(context: WalletConnectContext) {
  const { page } = context.parameters.environment
  const revive = () => {
    if (page?.document.visibilityState === 'hidden') return
    context.dapp.revive()
    const topic = context.sessionStore.session()?.topic
    if (topic !== undefined && !currentSession(context)) handleEnd(context, topic)
  }
  const names = ['visibilitychange', 'online', 'pageshow', 'focus']
  for (const name of names) page?.addEventListener(name, revive)
  return () => {
    for (const name of names) page?.removeEventListener(name, revive)
  }
}

/** A session that was approved while the page was away. */
function findMissedApprovals(context: WalletConnectContext) {
  const topics = new Set(context.sessionStore.pairings().map(({ pairingTopic }) => pairingTopic))
  for (const session of context.dapp.sessions())
    if (topics.has(session.pairingTopic)) handleApproval(context, session)
}
