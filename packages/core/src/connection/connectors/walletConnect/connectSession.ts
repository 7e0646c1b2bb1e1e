import type { Session } from '@latchkey/walletconnect'
import { type ChainId, LatchkeyError } from '@latchkey/wire'
import type { PeerWallet } from '../../../state.ts'
import type { Connector, ConnectResult } from '../connector.ts'
import { currentResult, type Live, type Offer } from './context.ts'
import { endSessions } from './endSessions.ts'
import { offerFor, reusableOffer } from './offers.ts'
import { approvedMethods, namespaceOf } from './sessionAccounts.ts'
import { choose } from './sessionEvents.ts'
import { watchRelay } from './watchRelay.ts'

/** Waits for an approval of what is on offer; another pairing is offered before the one on the screen dies. */
export async function connectSession(
  live: Live,
  question: Parameters<Connector['connect']>[0],
): Promise<ConnectResult> {
  const { signal, onUri, onRelay, wallet, chainId } = question
  if (signal.aborted) throw new LatchkeyError('ABORTED')
  forgetOtherLink(live, wallet)
  // A relay that refused once or is long away is asked again at once: a person wants it.
  live.dapp.revive()
  const { answer, stop, shown } = waitForAnswer(live, signal)
  try {
    let offer =
      reusableOffer(live, wallet) ?? (await Promise.race([answer, offerFor(live, wallet)]))
    if (onRelay) watchRelay(live, { signal: stop.signal, onRelay })
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
  void endSessions(live).catch(() => {})
  throw new LatchkeyError('NO_CHAINS_ON_CONNECTOR')
}
