import type { Engine, TopicContext } from '../engine.ts'

/** The context of a topic; undefined if the topic is unknown here. */
export function findTopicContext(
  { records, asks }: Engine,
  topic: string,
): TopicContext | undefined {
  const record = records.sessions.get(topic)
  if (record) {
    const { relayUrl } = record.session
    return { kind: 'session', topic, key: record.key, relayUrl, record }
  }
  const pairing = records.pairings.get(topic)
  if (pairing) return { kind: 'pairing', topic, key: pairing.key, relayUrl: pairing.relayUrl }
  const ask = asks.get(topic)
  // The key is known after a response.
  if (ask) return { kind: 'ask', topic, key: '', relayUrl: ask.relayUrl, signIn: ask }
  for (const proposal of records.sentProposals.all()) {
    const found = proposal.candidates.find((candidate) => candidate.topic === topic)
    if (found) return { kind: 'candidate', ...found, relayUrl: proposal.relayUrl, proposal }
  }
  return undefined
}

/** The topics to subscribe to. */
export function wantedTopics({ records, asks }: Engine): { relayUrl: string; topic: string }[] {
  return [
    ...records.sessions.all().map(({ session }) => session),
    ...records.pairings.all(),
    ...[...asks].map(([topic, { relayUrl }]) => ({ topic, relayUrl })),
    ...records.sentProposals
      .all()
      .flatMap(({ relayUrl, candidates }) => candidates.map(({ topic }) => ({ relayUrl, topic }))),
  ]
}
