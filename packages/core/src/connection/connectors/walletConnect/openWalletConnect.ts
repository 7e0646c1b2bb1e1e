import { createDapp } from '@latchkey/walletconnect'
import { LatchkeyError, toError } from '@latchkey/wire'
import type { Connector } from '../connector.ts'
import { bringToFront } from './bringToFront.ts'
import { createClientStorage } from './clientStorage.ts'
import { connectSession } from './connectSession.ts'
import { currentSession, type Live, tell, type WalletConnectParameters } from './context.ts'
import { endSessions } from './endSessions.ts'
import { ask } from './request.ts'
import { arrived, changed, ended, happened, resultIn, updated } from './sessionEvents.ts'
import { createMemory } from './sessionStore.ts'

/** Loads the client and what it remembers; answers everything that the connector is asked. */
export async function openWalletConnect(parameters: WalletConnectParameters): Promise<Connector> {
  const { environment, info } = parameters
  const { area, events, now } = environment
  const dapp = await createDapp({
    relayUrl: parameters.relayUrl,
    projectId: parameters.projectId,
    metadata: { ...parameters.metadata, icons: [...parameters.metadata.icons] },
    storage: createClientStorage({ prefix: 'latchkey.wc.', area, events }),
    now,
    ...(environment.webSocket && { WebSocket: environment.webSocket }),
  })
  const memoryStorage = createClientStorage({ prefix: 'latchkey.session.', area, events })
  const live: Live = {
    parameters,
    dapp,
    memory: createMemory(memoryStorage, now),
    listeners: new Set(),
    offers: [],
    making: undefined,
    waiting: new Set(),
  }
  if (parameters.signal.aborted) {
    dapp.close()
    throw new LatchkeyError('ABORTED')
  }
  listen(live)
  return {
    info,
    connect: (question) => connectSession(live, question),
    authorized: async ({ namespace }) => resultIn(live, namespace),
    request: (chainId, method, params = []) => ask(live, { chainId, method, params }),
    disconnect: () => endSessions(live),
    subscribe(listener) {
      live.listeners.add(listener)
      // What came before anybody listened.
      findArrived(live)
      changed(live)
      return () => live.listeners.delete(listener)
    },
  }
}

function listen(live: Live) {
  const { dapp, parameters } = live
  const { storage, environment, signal } = parameters
  dapp.on('session_connect', ({ session }) => arrived(live, session))
  dapp.on('session_update', ({ topic }) => updated(live, topic))
  dapp.on('session_event', (event) => happened(live, event))
  dapp.on('session_delete', ({ topic }) => ended(live, topic))
  dapp.on('session_expire', ({ topic }) => ended(live, topic))
  dapp.on('relay', (status) => {
    if (status.status !== 'refused') return
    tell(live, { type: 'refused', error: toError(status.error) })
  })
  dapp.on('session_request_sent', ({ topic, id }) => {
    const { href } = storage.get('walletLink') ?? {}
    if (!href || currentSession(live)?.disableDeepLink) return
    bringToFront({ page: environment.page, href, requestId: id, topic })
  })
  const stop = followPage(live)
  signal.addEventListener('abort', () => {
    stop()
    dapp.close()
  })
}

/** A page that comes back checks its socket at once and takes over what happened meanwhile. */
function followPage(live: Live) {
  const { page } = live.parameters.environment
  const revive = () => {
    if (page?.document.visibilityState === 'hidden') return
    live.dapp.revive()
    const topic = live.memory.session()?.topic
    if (topic !== undefined && !currentSession(live)) ended(live, topic)
  }
  const names = ['visibilitychange', 'online', 'pageshow', 'focus']
  for (const name of names) page?.addEventListener(name, revive)
  return () => {
    for (const name of names) page?.removeEventListener(name, revive)
  }
}

/** A session that was approved while the page was away. */
function findArrived(live: Live) {
  const topics = new Set(live.memory.offers().map(({ pairingTopic }) => pairingTopic))
  for (const session of live.dapp.sessions())
    if (topics.has(session.pairingTopic)) arrived(live, session)
}
