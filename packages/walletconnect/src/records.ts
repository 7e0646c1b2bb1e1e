import type { ClientStorage, WalletConnectSession } from './client.ts'
import { authPayload } from './rpc/sessionAuthenticate.ts'
import { metadata, peer, properties, proposalNamespaces, sessionNamespaces } from './rpc/shapes.ts'
import {
  array,
  boolean,
  type Infer,
  integer,
  nonNegative,
  object,
  optional,
  pattern,
  readJsonAs,
  record,
  type Shape,
  string,
  union,
  unknown,
  withDefault,
} from './shape.ts'

const hex32 = pattern(/^[0-9a-f]{64}$/)

const session = object({
  topic: hex32,
  pairingTopic: string,
  relayUrl: string,
  namespaces: sessionNamespaces,
  requiredNamespaces: proposalNamespaces,
  self: metadata,
  peer: metadata,
  isController: boolean,
  isAcknowledged: boolean,
  expirySeconds: nonNegative,
  sessionProperties: optional(properties),
  scopedProperties: optional(properties),
  disableDeepLink: optional(boolean),
})

const sessionRecord = object({
  session: session as Shape<WalletConnectSession>,
  key: hex32,
  /** Id of the settlement that the other side has not confirmed. */
  settleId: optional(integer),
  /** Latest id of an update, extension or event, by kind. Messages with older ids are stale. */
  lastIds: withDefault(record(nonNegative), {}),
})
/** A session with its key. */
export type SessionRecord = Infer<typeof sessionRecord>

const pairingRecord = object({
  topic: hex32,
  key: hex32,
  relayUrl: string,
  expirySeconds: nonNegative,
  /** A session was opened on this pairing. */
  isActive: boolean,
  /** The pairing is also for a sign-in. */
  signsIn: withDefault(boolean, false),
})

const candidate = object({ topic: hex32, key: hex32, publicKey: hex32 })

const sentProposalRecord = object({
  id: nonNegative,
  pairingTopic: hex32,
  relayUrl: string,
  publicKey: hex32,
  privateKey: hex32,
  expirySeconds: nonNegative,
  candidates: array(candidate),
  /** The caller no longer waits. A wallet that settles the proposal gets an error. */
  isCancelled: boolean,
  /** The sign-in that the app offers on the same pairing. */
  authPayload: optional(authPayload),
})
/** A proposal that this app sent. */
export type SentProposalRecord = Infer<typeof sentProposalRecord>

/**
 * Id of a call as its sender wrote it, if it is not a safe integer: `s` or `b` and a string or a
 * whole number.
 */
const wireId = optional(pattern(/^(s[\s\S]*|b-?\d+)$/))

const proposalRecord = object({
  id: nonNegative,
  wireId,
  pairingTopic: hex32,
  relayUrl: string,
  proposer: peer,
  requiredNamespaces: proposalNamespaces,
  optionalNamespaces: proposalNamespaces,
  expirySeconds: nonNegative,
  sessionProperties: optional(properties),
  scopedProperties: optional(properties),
})
/** A proposal that this wallet received. */
export type ProposalRecord = Infer<typeof proposalRecord>

const authRecord = object({
  id: nonNegative,
  wireId,
  pairingTopic: hex32,
  relayUrl: string,
  requester: peer,
  authPayload,
  expirySeconds: nonNegative,
})
/** A sign-in request that this wallet received. */
export type AuthRecord = Infer<typeof authRecord>

const requestRecord = object({
  id: nonNegative,
  wireId,
  topic: hex32,
  chainId: string,
  method: string,
  params: unknown,
  expirySeconds: nonNegative,
})
/** A method call that this wallet received. */
export type RequestRecord = Infer<typeof requestRecord>

const callRecord = object({
  id: nonNegative,
  topic: hex32,
  relayUrl: string,
  expirySeconds: nonNegative,
})

const answerRecord = union(
  object({ error: object({ code: integer, message: string, data: optional(unknown) }) }),
  object({ result: unknown }),
)
/** A response to a call of another tab. */
export type AnswerRecord = Infer<typeof answerRecord>

const postRecord = object({
  relayUrl: string,
  topic: hex32,
  message: string,
  tag: nonNegative,
  ttl: nonNegative,
  prompt: boolean,
  expirySeconds: nonNegative,
})

/** Records of one kind, each under its own key. Unreadable records are removed. */
export type Table<Value> = {
  get(id: string | number): Value | undefined
  set(id: string | number, value: Value): void
  remove(id: string | number): void
  /** The records whose id begins with `start`. */
  all(start?: string): Value[]
  ids(start?: string): string[]
}

/** Everything that survives a page load. */
export type Records = ReturnType<typeof openRecords>

export const openRecords = (storage: ClientStorage) => ({
  sessions: openTable(storage, 'session', sessionRecord),
  pairings: openTable(storage, 'pairing', pairingRecord),
  sentProposals: openTable(storage, 'offer', sentProposalRecord),
  proposals: openTable(storage, 'proposal', proposalRecord),
  requests: openTable(storage, 'request', requestRecord),
  auths: openTable(storage, 'auth', authRecord),
  calls: openTable(storage, 'call', callRecord),
  answers: openTable(storage, 'answer', answerRecord),
  posts: openTable(storage, 'post', postRecord),
  seen: openTable(storage, 'seen', array(string)),
  identity: openTable(storage, 'identity', object({ publicKey: hex32, privateKey: hex32 })),
})

/** Ids of the records to remove so that `max` remain: those that expire first. */
export function getSurplus(table: Table<{ expirySeconds: number }>, max: number): string[] {
  const ids = table.ids()
  if (ids.length <= max) return []
  const expiries = new Map(ids.map((id) => [id, table.get(id)?.expirySeconds ?? 0]))
  return ids
    .sort((one, other) => (expiries.get(one) ?? 0) - (expiries.get(other) ?? 0))
    .slice(0, -max)
}

export function openTable<Value>(
  storage: ClientStorage,
  name: string,
  shape: Shape<Value>,
): Table<Value> {
  const toKey = (id: string | number) => `${name}/${id}`
  const get = (id: string | number) => {
    const written = storage.get(toKey(id))
    const found = readJsonAs(shape, written)
    if (written !== undefined && found === undefined) storage.remove(toKey(id))
    return found
  }
  const ids = (start = '') =>
    storage
      .keys()
      .filter((key) => key.startsWith(toKey(start)))
      .map((key) => key.slice(name.length + 1))
  return {
    get,
    ids,
    set: (id, value) => storage.set(toKey(id), JSON.stringify(value)),
    remove: (id) => storage.remove(toKey(id)),
    all: (start) => ids(start).flatMap((id) => get(id) ?? []),
  }
}
