import { LatchkeyError } from '@latchkey/wire'
import { getTopic } from '../crypto/crypto.ts'
import type { Engine } from '../engine.ts'
import { getSurplus } from '../records.ts'
import { resolvePendingTopics } from './pendingTopics.ts'
import { parsePairingUri } from './uri.ts'

/** How long a pairing or proposal is valid. */
export const pairingSeconds = 300

const maxPairings = 50

/** Removes a pairing. */
export function endPairing({ records, relays }: Engine, topic: string): void {
  records.pairings.remove(topic)
  records.seen.remove(topic)
  relays.drop(topic)
}

/**
 * Removes an outgoing proposal with its pairing and the wallets that accepted it, except for the
 * session at `keep`.
 */
export function endProposal(
  engine: Engine,
  id: number,
  { pairingTopic, keep }: { pairingTopic: string; keep?: string },
): void {
  const { records, relays } = engine
  const proposal = records.sentProposals.get(id)
  records.sentProposals.remove(id)
  for (const { topic } of proposal?.candidates ?? []) {
    if (topic === keep) continue
    records.seen.remove(topic)
    relays.drop(topic)
  }
  endPairing(engine, pairingTopic)
  resolvePendingTopics(engine)
}

/** Wallet: opens the pairing of a URI, or reports again what is pending on it. */
export async function pair(
  engine: Engine,
  text: string,
  allowRelay: (relayUrl: string) => boolean,
): Promise<void> {
  const { records, relays } = engine
  // Whether it has expired is checked by the relay's clock, further down.
  const uri = parsePairingUri(text, 0)
  const { topic, symKey: key } = uri
  if (getTopic(key) !== topic)
    throw new LatchkeyError('PAIRING_URI_INVALID', {
      data: { reason: 'its key does not match its topic' },
    })
  const known = records.pairings.get(topic)
  if (known?.isActive || records.sessions.get(topic))
    throw new LatchkeyError('PAIRING_EXISTS', { data: { topic } })
  if (known) return engine.role.remind?.(engine, topic)
  const wantedUrl = uri.relayUrl
  const relayUrl = wantedUrl !== undefined && allowRelay(wantedUrl) ? wantedUrl : engine.relayUrl
  if (relays.status(relayUrl).status === 'connected') checkExpiry(engine, relayUrl, uri.expiry)
  const lasting = () => Math.floor(engine.nowMs(relayUrl) / 1000) + pairingSeconds
  for (const oldest of getSurplus(records.pairings, maxPairings)) endPairing(engine, oldest)
  const record = {
    topic,
    key,
    relayUrl,
    expirySeconds: uri.expiry ?? lasting(),
    isActive: false,
    signsIn: uri.methods.includes('wc_sessionAuthenticate'),
  }
  records.pairings.set(topic, record)
  try {
    await relays.hold(relayUrl, [topic])
    checkExpiry(engine, relayUrl, uri.expiry)
  } catch (error) {
    endPairing(engine, topic)
    throw error
  }
  const expirySeconds = Math.min(uri.expiry ?? lasting(), lasting())
  const stored = records.pairings.get(topic)
  if (stored) records.pairings.set(topic, { ...stored, expirySeconds })
}

function checkExpiry(engine: Engine, relayUrl: string, expirySeconds: number | undefined): void {
  if (expirySeconds !== undefined && expirySeconds <= engine.nowMs(relayUrl) / 1000)
    throw new LatchkeyError('PAIRING_URI_EXPIRED')
}
