import { canParseUrl, isError, LatchkeyError, toError } from '@latchkey/wire'
import { getPlatform } from '../../../directory/getPlatform.ts'
import type { PeerWallet } from '../../../state.ts'
import { toWalletError, walletErrorCode } from '../walletError.ts'
import type { Offer, WalletConnectContext } from './context.ts'
import { offerSession } from './offerSession.ts'
import type { StoredOffer } from './session/sessionStore.ts'
import { withRelayTimeout } from './withRelayTimeout.ts'

/** How long a pairing is shown. */
const renewMs = 240_000
/**
 * How long an answer to a pairing may take: an answer given within 300 s stays at the relay for 300
 * s more.
 */
const answerableMs = 600_000
/** The minimum time that an attempt must have left to be used again. */
const leastLeftMs = 10_000

/**
 * A new pairing, offered through the relay. Throws RELAY_UNREACHABLE after 15 s and the alerts of a
 * relay that refuses.
 */
export async function getPairingOffer(
  context: WalletConnectContext,
  wallet: PeerWallet | undefined,
): Promise<Offer> {
  while (context.pendingOffer) {
    // The pending offer may fail before this attempt, which then makes its own.
    const offer = await context.pendingOffer.catch(() => undefined)
    if (offer) return assignWallet(context, offer, wallet)
  }
  context.pendingOffer = createOffer(context, wallet)
  try {
    return await context.pendingOffer
  } finally {
    context.pendingOffer = undefined
  }
}

/** An offer for the wallet that the user has chosen. */
function assignWallet(
  context: WalletConnectContext,
  offer: Offer,
  wallet: PeerWallet | undefined,
): Offer {
  const { wallet: _, ...rest } = offer
  const now: Offer = { ...rest, ...(wallet && { wallet }) }
  const isOtherPairing = ({ pairingTopic }: StoredOffer) => pairingTopic !== now.pairingTopic
  context.offers = [...context.offers.filter(isOtherPairing), now]
  context.sessionStore.setOffers([
    ...context.sessionStore.offers().filter(isOtherPairing),
    toStoredOffer(now),
  ])
  return now
}

async function createOffer(
  context: WalletConnectContext,
  wallet: PeerWallet | undefined,
): Promise<Offer> {
  const { parameters } = context
  const { environment } = parameters
  const withdrawn = new AbortController()
  const oneClick = await parameters.oneClick()
  const payload = await oneClick?.prepareSession()
  const connecting = await withRelayTimeout({
    host: getHost(parameters.relayUrl),
    sleep: environment.sleep,
    isLost: () => true,
    work: (signal) => {
      signal.addEventListener('abort', () => withdrawn.abort())
      const question = { payload, signal: withdrawn.signal, ...(oneClick && { oneClick }) }
      return offerSession(context, question)
    },
  })
  const offer: Offer = {
    pairingTopic: connecting.pairingTopic,
    uri: connecting.uri,
    // By the clock of this device: the client counts by the relay's, and they may be days apart.
    renewAtMs: environment.now() + renewMs,
    expiresAtMs: environment.now() + answerableMs,
    ...(wallet && { wallet }),
    abort: () => withdrawn.abort(),
  }
  connecting.approval.catch((error) => handleRejection(context, offer, error))
  assignWallet(context, offer, wallet)
  parameters.storage.set('offeredUntilMs', offer.expiresAtMs)
  return offer
}

const toStoredOffer = ({ abort: _, ...offer }: Offer) => offer

export const getHost = (relayUrl: string): string =>
  canParseUrl(relayUrl) ? new URL(relayUrl).host : relayUrl

/** Removes an offer that is answered or has expired. */
export function removeOffer(context: WalletConnectContext, pairingTopic: string): void {
  context.offers = context.offers.filter((offer) => offer.pairingTopic !== pairingTopic)
  const otherOffers = context.sessionStore
    .offers()
    .filter((offer) => offer.pairingTopic !== pairingTopic)
  context.sessionStore.setOffers(otherOffers)
  if (otherOffers.length === 0) context.parameters.storage.remove('offeredUntilMs')
}

/** Withdraws all offers. */
export function withdrawOffers(context: WalletConnectContext): void {
  for (const offer of context.offers) {
    removeOffer(context, offer.pairingTopic)
    offer.abort()
  }
  context.sessionStore.setOffers([])
  context.parameters.storage.remove('offeredUntilMs')
}

/** The wallet rejected, or no wallet answered in time: then a newer offer is on the screen. */
function handleRejection(context: WalletConnectContext, { pairingTopic }: Offer, error: unknown) {
  // A page that closes leaves its offers to the next page.
  if (context.parameters.signal.aborted) return
  removeOffer(context, pairingTopic)
  if (isError(error, 'PROPOSAL_EXPIRED') || isError(error, 'ABORTED')) return
  const reason = toRejectionError(error)
  for (const { reject, shownTopics } of context.waiting)
    if (shownTopics.has(pairingTopic)) reject(reason)
}

/**
 * Converts a rejection. WalletConnect's codes 5000 to 5003, and 12001 of a sign-in, mean that the
 * user rejected the request.
 */
function toRejectionError(error: unknown): LatchkeyError {
  if (!isError(error, 'SESSION_REJECTED')) return toError(error)
  const cause = error.cause ?? error
  const code = walletErrorCode(cause) ?? 0
  if ((code >= 5000 && code <= 5003) || code === 12_001)
    return new LatchkeyError('USER_REJECTED', { cause: error })
  return toWalletError(cause, 'connect')
}

/**
 * The offer to use again. If a link leads to the wallet, the pairing must exist before the tap, and
 * a page that returns uses the pairing that the wallet holds. Otherwise each attempt makes a new
 * offer.
 */
export function findReusableOffer(
  context: WalletConnectContext,
  wallet: PeerWallet | undefined,
): Offer | undefined {
  const { environment, storage } = context.parameters
  const { isTelegram, isIos } = getPlatform(environment)
  if (!isTelegram && !isIos && !storage.get('openedLink')) return undefined
  const isFresh = ({ renewAtMs }: { renewAtMs: number }) =>
    renewAtMs - environment.now() > leastLeftMs
  const own = context.offers.findLast(isFresh)
  if (own) return assignWallet(context, own, wallet)
  const earlier = context.sessionStore.offers().findLast(isFresh)
  if (!earlier) return undefined
  // Made before a reload: the client has it, and its approval arrives as an event.
  return assignWallet(context, { ...earlier, abort() {} }, wallet)
}
