import type { Engine } from '../engine.ts'
import { endPairing, endProposal } from './pairing.ts'
import { removeSession } from './session.ts'

/** Removes and reports everything that has expired on a connected relay, by that relay's time. */
export function sweep(engine: Engine, relayUrl: string): void {
  const { records, journal, nowMs } = engine
  const nowSeconds = nowMs(relayUrl) / 1000
  const isExpired = (record: { relayUrl: string; expirySeconds: number }) =>
    record.relayUrl === relayUrl && record.expirySeconds <= nowSeconds
  for (const { session } of records.sessions.all().filter(({ session }) => isExpired(session))) {
    const { topic } = session
    removeSession(engine, topic)
    journal.emit('session_expire', { topic }, topic)
  }
  for (const { id, pairingTopic, isCancelled } of records.sentProposals.all().filter(isExpired)) {
    endProposal(engine, id, { pairingTopic })
    if (isCancelled) continue
    journal.emit('proposal_expire', { id }, id)
    journal.emit('offer_end', { pairingTopic }, pairingTopic)
  }
  for (const { id } of records.proposals.all().filter(isExpired)) {
    records.proposals.remove(id)
    journal.emit('proposal_expire', { id }, id)
  }
  for (const { id } of records.auths.all().filter(isExpired)) {
    records.auths.remove(id)
    journal.emit('proposal_expire', { id }, id)
  }
  for (const { topic, isActive } of records.pairings.all().filter(isExpired)) {
    endPairing(engine, topic)
    if (!isActive) journal.emit('pairing_expire', { topic }, topic)
  }
  for (const { id, topic, expirySeconds } of records.requests.all()) {
    const session = records.sessions.get(topic)?.session
    if (session && !isExpired({ relayUrl: session.relayUrl, expirySeconds })) continue
    records.requests.remove(`${topic}/${id}`)
    if (session) journal.emit('session_request_expire', { id, topic }, `${topic}/${id}`)
  }
  for (const { topic, id } of records.calls.all().filter(isExpired)) {
    records.calls.remove(`${topic}/${id}`)
    records.answers.remove(`${topic}/${id}`)
  }
}
