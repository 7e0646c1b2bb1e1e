import { canParseUrl, isError, LatchkeyError, toError } from '@latchkey/wire'
import { getPlatform } from '../../../directory/getPlatform.ts'
import type { PeerWallet } from '../../../state.ts'
import { toWalletError, walletErrorCode } from '../walletError.ts'
import type { OpenPairing, WalletConnectContext } from './context.ts'
import { proposeSession } from './proposeSession.ts'
import type { StoredPairing } from './session/sessionStore.ts'
import { withRelayTimeout } from './withRelayTimeout.ts'

/** How long a pairing is shown. */
const renewMs = 240_000
/**
 * How long an answer to a pairing may take. An answer within 300 s stays at the relay for 300 s
 * more.
 */
const answerableMs = 600_000
/** The minimum time that an attempt must have left to be used again. */
const leastLeftMs = 10_000

/**
 * Sends a new pairing to the relay. Throws RELAY_UNREACHABLE after 15 s and the alerts of a
 * relay that refuses.
 */
export async function getPairing(
  context: WalletConnectContext,
  wallet: PeerWallet | undefined,
): Promise<OpenPairing> {
  while (context.pendingPairing) {
    // The pending pairing may fail. Then this attempt creates its own.
    const pairing = await context.pendingPairing.catch(() => undefined)
    if (pairing) return assignWallet(context, pairing, wallet)
  }
  context.pendingPairing = createPairing(context, wallet)
  try {
    return await context.pendingPairing
  } finally {
    context.pendingPairing = undefined
  }
}

/** Assigns a pairing to the wallet that the user has chosen. */
function assignWallet(
  context: WalletConnectContext,
  pairing: OpenPairing,
  wallet: PeerWallet | undefined,
): OpenPairing {
  const { wallet: _, ...rest } = pairing
  const now: OpenPairing = { ...rest, ...(wallet && { wallet }) }
  const isOtherPairing = ({ pairingTopic }: StoredPairing) => pairingTopic !== now.pairingTopic
  context.pairings = [...context.pairings.filter(isOtherPairing), now]
  context.sessionStore.setPairings([
    ...context.sessionStore.pairings().filter(isOtherPairing),
    toStoredPairing(now),
  ])
  return now
}

async function createPairing(
  context: WalletConnectContext,
  wallet: PeerWallet | undefined,
): Promise<OpenPairing> {
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
      return proposeSession(context, question)
    },
  })
  const pairing: OpenPairing = {
    pairingTopic: connecting.pairingTopic,
    uri: connecting.uri,
    // By the clock of this device: the client counts by the relay's, and they may be days apart.
    renewAtMs: environment.now() + renewMs,
    expiresAtMs: environment.now() + answerableMs,
    ...(wallet && { wallet }),
    abort: () => withdrawn.abort(),
  }
  connecting.approval.catch((error) => handleRejection(context, pairing, error))
  assignWallet(context, pairing, wallet)
  parameters.storage.set('offeredUntilMs', pairing.expiresAtMs)
  return pairing
}

const toStoredPairing = ({ abort: _, ...pairing }: OpenPairing) => pairing

export const getHost = (relayUrl: string): string =>
  canParseUrl(relayUrl) ? new URL(relayUrl).host : relayUrl

/** Removes a pairing that is answered or has expired. */
export function removePairing(context: WalletConnectContext, pairingTopic: string): void {
  context.pairings = context.pairings.filter((pairing) => pairing.pairingTopic !== pairingTopic)
  const otherPairings = context.sessionStore
    .pairings()
    .filter((pairing) => pairing.pairingTopic !== pairingTopic)
  context.sessionStore.setPairings(otherPairings)
  if (otherPairings.length === 0) context.parameters.storage.remove('offeredUntilMs')
}

export function withdrawPairings(context: WalletConnectContext): void {
  for (const pairing of context.pairings) {
    removePairing(context, pairing.pairingTopic)
    pairing.abort()
  }
  context.sessionStore.setPairings([])
  context.parameters.storage.remove('offeredUntilMs')
}

/**
 * The wallet rejected, or no wallet answered in time. In the second case, the screen shows a newer
 * pairing.
 */
function handleRejection(
  context: WalletConnectContext,
  { pairingTopic }: OpenPairing,
  error: unknown,
) {
  // A page that closes leaves its pairings to the next page.
  if (context.parameters.signal.aborted) return
  removePairing(context, pairingTopic)
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
 * Returns a pairing to use again, if any. A link to a wallet needs a pairing that exists before the
 * tap, and a page that returns uses the pairing that the wallet holds. Otherwise each attempt
 * creates a pairing.
 */
export function findReusablePairing(
  context: WalletConnectContext,
  wallet: PeerWallet | undefined,
): OpenPairing | undefined {
  const { environment, storage } = context.parameters
  const { isTelegram, isIos } = getPlatform(environment)
  if (!isTelegram && !isIos && !storage.get('openedLink')) return undefined
  const isFresh = ({ renewAtMs }: { renewAtMs: number }) =>
    renewAtMs - environment.now() > leastLeftMs
  const own = context.pairings.findLast(isFresh)
  if (own) return assignWallet(context, own, wallet)
  const earlier = context.sessionStore.pairings().findLast(isFresh)
  if (!earlier) return undefined
  // Created before a reload. The client has it, and its approval arrives as an event.
  return assignWallet(context, { ...earlier, abort() {} }, wallet)
}
