import { isError, LatchkeyError, toError } from '@latchkey/wire'
import { platformOf } from '../../../directory/getPlatform.ts'
import type { PeerWallet } from '../../../state.ts'
import { toWalletError, walletErrorCode } from '../walletError.ts'
import type { Live, Offer } from './context.ts'
import { askedNamespaces } from './proposalNamespaces.ts'
import type { KeptOffer } from './sessionStore.ts'
import { orUnreachable } from './withRelayTimeout.ts'

/** Milliseconds for which a pairing is shown (spec §9). */
const renewMs = 240_000
/** Milliseconds for which its answer may come: given within 300 s, it waits at the relay for 300 s more (walletconnect.md §0). */
const answerableMs = 600_000
/** Milliseconds that must be left of an attempt to use it again. */
const leastLeftMs = 10_000

/**
 * A pairing that nobody has seen yet, offered through the relay. Throws RELAY_UNREACHABLE after 15 s and the alerts of a
 * relay that refuses.
 */
export async function offerFor(live: Live, wallet: PeerWallet | undefined): Promise<Offer> {
  if (live.making) return chosen(live, await live.making, wallet)
  live.making = makeOffer(live, wallet)
  try {
    return await live.making
  } finally {
    live.making = undefined
  }
}

/** An offer for the wallet that is chosen now. */
function chosen(live: Live, offer: Offer, wallet: PeerWallet | undefined): Offer {
  const { wallet: _, ...rest } = offer
  const now: Offer = { ...rest, ...(wallet && { wallet }) }
  const isOther = ({ pairingTopic }: KeptOffer) => pairingTopic !== now.pairingTopic
  live.offers = [...live.offers.filter(isOther), now]
  live.memory.setOffers([...live.memory.offers().filter(isOther), kept(now)])
  return now
}

async function makeOffer(live: Live, wallet: PeerWallet | undefined): Promise<Offer> {
  const { dapp, parameters } = live
  const { environment } = parameters
  const withdrawn = new AbortController()
  const made = await orUnreachable({
    host: hostOf(parameters.relayUrl),
    sleep: environment.sleep,
    isLost: () => true,
    work: (signal) => {
      signal.addEventListener('abort', () => withdrawn.abort())
      const optionalNamespaces = askedNamespaces(parameters.networks())
      return dapp.connect({ optionalNamespaces, signal: withdrawn.signal })
    },
  })
  const offer: Offer = {
    pairingTopic: made.pairingTopic,
    uri: made.uri,
    // By the clock of this device: the client counts by the relay's, and they may be days apart.
    renewAtMs: environment.now() + renewMs,
    expiresAtMs: environment.now() + answerableMs,
    ...(wallet && { wallet }),
    abort: () => withdrawn.abort(),
  }
  made.approval.catch((error) => refused(live, offer, error))
  chosen(live, offer, wallet)
  parameters.storage.set('offeredUntilMs', offer.expiresAtMs)
  return offer
}

const kept = ({ abort: _, ...offer }: Offer) => offer

export const hostOf = (relayUrl: string): string =>
  URL.canParse(relayUrl) ? new URL(relayUrl).host : relayUrl

/** Forgets an offer that is answered or over. */
export function dropOffer(live: Live, pairingTopic: string): void {
  live.offers = live.offers.filter((offer) => offer.pairingTopic !== pairingTopic)
  const left = live.memory.offers().filter((offer) => offer.pairingTopic !== pairingTopic)
  live.memory.setOffers(left)
  if (left.length === 0) live.parameters.storage.remove('offeredUntilMs')
}

/** Withdraws everything on offer. */
export function withdrawOffers(live: Live): void {
  for (const offer of live.offers) {
    dropOffer(live, offer.pairingTopic)
    offer.abort()
  }
  live.memory.setOffers([])
  live.parameters.storage.remove('offeredUntilMs')
}

/** The wallet said no, or nobody said anything in time: then a newer offer is on the screen. */
function refused(live: Live, { pairingTopic }: Offer, error: unknown) {
  // A page that ends leaves its offers to the next one.
  if (live.parameters.signal.aborted) return
  dropOffer(live, pairingTopic)
  if (isError(error, 'PROPOSAL_EXPIRED') || isError(error, 'ABORTED')) return
  const reason = rejectionOf(error)
  for (const { reject, shown } of live.waiting) if (shown.has(pairingTopic)) reject(reason)
}

/** A rejection as ours: the numbers 5000 to 5003 of WalletConnect are a person's no. */
function rejectionOf(error: unknown): LatchkeyError {
  if (!isError(error, 'SESSION_REJECTED')) return toError(error)
  const cause = error.cause ?? error
  const code = walletErrorCode(cause) ?? 0
  if (code >= 5000 && code <= 5003) return new LatchkeyError('USER_REJECTED', { cause: error })
  return toWalletError(cause, 'connect')
}

/**
 * The attempt to go on with: where a link leads to the wallet the pairing must stand before the tap, and a page comes
 * back to the one that the wallet holds (spec §4). Elsewhere each attempt is new.
 */
export function reusableOffer(live: Live, wallet: PeerWallet | undefined): Offer | undefined {
  const { environment, storage } = live.parameters
  const { isTelegram, isIos } = platformOf(environment)
  if (!isTelegram && !isIos && !storage.get('openedLink')) return undefined
  const isFresh = ({ renewAtMs }: { renewAtMs: number }) =>
    renewAtMs - environment.now() > leastLeftMs
  const own = live.offers.findLast(isFresh)
  if (own) return chosen(live, own, wallet)
  const earlier = live.memory.offers().findLast(isFresh)
  if (!earlier) return undefined
  // Made before a reload: the client holds it, its approval arrives as an event.
  return chosen(live, { ...earlier, abort() {} }, wallet)
}
