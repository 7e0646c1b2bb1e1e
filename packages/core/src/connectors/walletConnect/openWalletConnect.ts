import { createDapp, type Session } from '@latchkey/walletconnect'
import { type ChainId, LatchkeyError, toError } from '@latchkey/wire'
import type { PeerWallet } from '../../state.ts'
import type { Connector, ConnectResult } from '../connector.ts'
import { approvedMethods, namespaceOf } from './approved.ts'
import { ask } from './ask.ts'
import { bringToFront } from './bringToFront.ts'
import { createClientStorage } from './clientStorage.ts'
import {
  currentResult,
  currentSession,
  type Live,
  type Offer,
  tell,
  type WalletConnectParameters,
} from './live.ts'
import { createMemory } from './memory.ts'
import { hostOf, offerFor, reusableOffer, withdrawOffers } from './offers.ts'
import { orUnreachable } from './orUnreachable.ts'
import {
  arrived,
  changed,
  choose,
  ended,
  forgetSession,
  happened,
  resultIn,
  updated,
} from './sessions.ts'

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
    connect: (question) => connect(live, question),
    authorized: async ({ namespace }) => resultIn(live, namespace),
    request: (chainId, method, params = []) => ask(live, { chainId, method, params }),
    disconnect: () => disconnect(live),
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

/** Waits for an approval of what is on offer; another pairing is offered before the one on the screen dies. */
async function connect(
  live: Live,
  question: Parameters<Connector['connect']>[0],
): Promise<ConnectResult> {
  const { signal, onUri, wallet, chainId } = question
  if (signal.aborted) throw new LatchkeyError('ABORTED')
  forgetOtherLink(live, wallet)
  const { answer, stop, shown } = waitForAnswer(live, signal)
  try {
    let offer =
      reusableOffer(live, wallet) ?? (await Promise.race([answer, offerFor(live, wallet)]))
    while ('uri' in offer) {
      shown.add(offer.pairingTopic)
      onUri?.(offer.uri, offer.renewAtMs)
      offer = await Promise.race([answer, nextOffer(live, { offer, wallet, stop })])
    }
    return settled(live, { session: offer, chainId })
  } finally {
    stop.abort()
  }
}

/** A link that opened another wallet than the one chosen now is no way to this one. */
function forgetOtherLink({ parameters: { storage } }: Live, wallet: PeerWallet | undefined) {
  const opened = storage.get('openedLink')
  if (opened && opened.name !== wallet?.name) storage.remove('openedLink')
}

/**
 * The session that is approved. Rejects with a wallet's no to a pairing that was `shown`, and with ABORTED. Aborting
 * `stop` ends the waiting.
 */
function waitForAnswer(live: Live, signal: AbortSignal) {
  const stop = new AbortController()
  const shown = new Set<string>()
  const answer = new Promise<Session>((resolve, reject) => {
    const waiting = { resolve, reject, shown }
    live.waiting.add(waiting)
    stop.signal.addEventListener('abort', () => {
      live.waiting.delete(waiting)
      reject(new LatchkeyError('ABORTED'))
    })
  })
  // It may be rejected while an offer is still being made.
  answer.catch(() => {})
  const abort = () => stop.abort()
  signal.addEventListener('abort', abort)
  stop.signal.addEventListener('abort', () => signal.removeEventListener('abort', abort))
  return { answer, stop, shown }
}

async function nextOffer(
  live: Live,
  parameters: { offer: Offer; wallet: PeerWallet | undefined; stop: AbortController },
): Promise<Offer> {
  const { environment } = live.parameters
  const leftMs = parameters.offer.renewAtMs - environment.now()
  await environment.sleep(leftMs, parameters.stop.signal)
  if (parameters.stop.signal.aborted) return new Promise<never>(() => {})
  return offerFor(live, parameters.wallet)
}

/** What a new session allows, on the chain that was asked for where it is approved. A useless session is ended. */
function settled(
  live: Live,
  parameters: { session: Session; chainId: ChainId | undefined },
): ConnectResult {
  const { session, chainId } = parameters
  const namespace = chainId && namespaceOf(chainId)
  const kept = live.memory.session()
  const isApproved = chainId && approvedMethods(session.namespaces, chainId) !== undefined
  if (kept && namespace && isApproved) choose(live, { kept, namespace, chainId })
  const result = currentResult(live)
  if (result) return result
  void disconnect(live).catch(() => {})
  throw new LatchkeyError('NO_CHAINS_ON_CONNECTOR')
}

/** Ends every session and withdraws what is on offer. Here it is over in any case; throws when a wallet was not told. */
async function disconnect(live: Live) {
  const { dapp, parameters } = live
  withdrawOffers(live)
  forgetSession(live)
  const sessions = dapp.sessions()
  if (sessions.length === 0) return
  await orUnreachable({
    host: hostOf(parameters.relayUrl),
    sleep: parameters.environment.sleep,
    isLost: () => true,
    work: () => Promise.all(sessions.map(({ topic }) => dapp.disconnect(topic))),
  })
}
