import { sql } from 'kysely'
import { getRiskedGas } from '../operations/simulate.ts'
import { getPrefund } from '../operations/traceValidation.ts'
import { formatOperation, type UserOperation, userOperation } from '../operations/userOperation.ts'
import type { LimitName } from '../sponsorship/sponsorshipBudget.ts'
import type { OperationStatus } from '../tables.ts'
import { openPaymasters } from './openPaymasters.ts'
import { dropDisplaced, openRoom, type Room } from './openRoom.ts'
import type { ChainDatabase, NewOperation } from './operationStore.ts'
import type { Trusted } from './standing.ts'

/** The maximum number of waiting operations per sender. */
const maxPerSender = 4
/**
 * A replacement pays at least so much of both fees, in percent. If the operation is in a bundle,
 * the new bundle has to pay more than that bundle.
 */
const replacementPercent = { pending: 110n, sent: 115n } as const

/**
 * The result for one operation: `added`, `known` (it waits already), a limit of the operator who
 * pays, or the reason for not adding it:
 * - `full`: the sender has too many waiting operations.
 * - `crowded`: the mempool is full, and the other operations pay more.
 * - `cheap`: the replacement pays too little.
 * - `sent`: the operation with this nonce is in a bundle already, and the new one pays too little
 *   to replace it, or a paymaster pays for either.
 * - `delegate`: a waiting operation of the sender delegates to another address.
 * - `entity`: the paymaster is also a sender.
 * - `poor`: the paymaster's deposit does not cover all its waiting operations.
 */
export type AdditionResult =
  | 'added'
  | 'known'
  | 'full'
  | 'crowded'
  | 'cheap'
  | 'sent'
  | 'delegate'
  | 'entity'
  | 'poor'
  | LimitName

/**
 * Adds operations in one transaction. Each replaces a waiting operation with the same sender and
 * nonce that pays less. If that is in a bundle that no block has taken, both are kept, because
 * either may get into a block. Returns the outcome of each.
 */
export async function addOperations(
  { db, chainId, trustedPaymaster }: ChainDatabase & Trusted,
  added: readonly NewOperation[],
): Promise<AdditionResult[]> {
  return db.transaction().execute(async (transaction) => {
    const senders = [...new Set(added.map(({ operation }) => operation.sender))]
    const entities = [...senders, ...added.flatMap(({ operation }) => operation.paymaster ?? [])]
    // One at a time for each sender and paymaster, so that two requests cannot both pass the
    // checks; always in the same order, so that two transactions cannot wait for each other.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${chainId} `} || s, 0))
      from (select distinct s from unnest(${entities}::text[]) as s order by s) as entities`.execute(
      transaction,
    )
    const place = { db: transaction, chainId }
    const waiting = await listWaiting(place, senders)
    const paymasters = await openPaymasters(place, added)
    const room = await openRoom({ ...place, trustedPaymaster }, added)
    const outcomes: AdditionResult[] = []
    for (const one of added) {
      const own = waiting.get(one.operation.sender) ?? []
      const nonce = String(one.operation.nonce)
      const judged = judge(one, own, room)
      const isReplaced = (other: Waiting) => other.nonce === nonce && other.status === 'pending'
      const last = own.find(isReplaced)?.operation
      const paid = judged === 'added' ? paymasters.take(one, last) : judged
      // Counting is last: it writes.
      const outcome = paid === 'added' ? ((await one.count?.(transaction)) ?? paid) : paid
      outcomes.push(outcome)
      if (outcome !== 'added') continue
      const others = own.filter((other) => !isReplaced(other))
      if (others.length === own.length) room.take()
      waiting.set(one.operation.sender, [
        ...others,
        { hash: one.hash, nonce, status: 'pending', operation: one.operation },
      ])
    }
    const last = new Map(
      added.flatMap((one, index) =>
        outcomes[index] === 'added'
          ? [[`${one.operation.sender} ${one.operation.nonce}`, one] as const]
          : [],
      ),
    )
    await writeAdded(place, [...last.values()])
    await dropDisplaced(place, room.displaced)
    return outcomes
  })
}

type Waiting = {
  readonly hash: string
  readonly nonce: string
  readonly status: OperationStatus
  readonly operation: UserOperation
}

/** The waiting operations by sender. */
async function listWaiting(
  { db, chainId }: ChainDatabase,
  senders: readonly string[],
): Promise<Map<string, Waiting[]>> {
  const rows = await db
    .selectFrom('user_operations')
    .select(['hash', 'sender', 'nonce', 'status', 'operation'])
    .where('chain_id', '=', chainId)
    .where('sender', 'in', senders)
    .where('status', 'in', ['pending', 'sent'])
    .execute()
  const found = new Map<string, Waiting[]>()
  for (const { sender, operation, ...row } of rows)
    found.set(sender, [
      ...(found.get(sender) ?? []),
      { ...row, operation: userOperation.parse(operation) },
    ])
  return found
}

function judge(one: NewOperation, own: readonly Waiting[], room: Room): AdditionResult {
  const { hash, operation } = one
  if (own.some((other) => other.hash === hash)) return 'known'
  const same = own.filter(({ nonce }) => nonce === String(operation.nonce))
  const others = own.filter((other) => !same.includes(other))
  if (others.some((other) => delegatesElsewhere(other.operation, operation))) return 'delegate'
  if (same.length > 0) {
    const sent = same.filter(({ status }) => status === 'sent')
    // Either version may get into a block, but a paymaster's budget counts only one.
    if (sent.some((other) => isPaid(operation) || isPaid(other.operation))) return 'sent'
    if (same.every((other) => outbids(operation, other))) return 'added'
    return sent.length > 0 ? 'sent' : 'cheap'
  }
  if (new Set(own.map(({ nonce }) => nonce)).size >= maxPerSender) return 'full'
  return room.has(one) ? 'added' : 'crowded'
}

const isPaid = ({ paymaster }: UserOperation) => paymaster !== undefined

/** Of one authorization's nonce only one address can count. */
const delegatesElsewhere = (one: UserOperation, other: UserOperation) =>
  one.eip7702Auth !== undefined &&
  other.eip7702Auth !== undefined &&
  one.eip7702Auth.address !== other.eip7702Auth.address

async function writeAdded(
  { db, chainId }: ChainDatabase,
  added: readonly NewOperation[],
): Promise<void> {
  if (added.length === 0) return
  const rows = added.map(({ hash, operation, code, until }) => ({
    chain_id: chainId,
    hash,
    sender: operation.sender,
    nonce: String(operation.nonce),
    operation: JSON.stringify(formatOperation(operation)),
    max_priority_fee: String(operation.maxPriorityFeePerGas),
    max_fee: String(operation.maxFeePerGas),
    paymaster: operation.paymaster ?? null,
    prefund: String(getPrefund(operation)),
    code: JSON.stringify(code),
    valid_until: until ?? null,
    risked_gas: String(getRiskedGas([operation])),
    status: 'pending' as const,
  }))
  await forgetReplaced({ db, chainId }, rows)
  await sql`update user_operations as o set status = 'dropped', reason = 'replaced', changed_at = now()
    from unnest(${rows.map(({ sender }) => sender)}::text[], ${rows.map(({ nonce }) => nonce)}::text[]) as n(sender, nonce)
    where o.chain_id = ${chainId} and o.sender = n.sender and o.nonce = n.nonce and o.status = 'pending'`.execute(
    db,
  )
  // The hash covers neither the signature nor the authorization: an operation that was dropped and
  // comes again has new ones.
  await db
    .insertInto('user_operations')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['chain_id', 'hash'])
        .doUpdateSet(({ ref }) => ({
          operation: sql`excluded.operation`,
          code: sql`excluded.code`,
          max_priority_fee: ref('excluded.max_priority_fee'),
          max_fee: ref('excluded.max_fee'),
          paymaster: ref('excluded.paymaster'),
          prefund: ref('excluded.prefund'),
          valid_until: ref('excluded.valid_until'),
          risked_gas: ref('excluded.risked_gas'),
          status: 'pending',
          reason: null,
          bundle_hash: null,
          tries: 0,
          together: null,
          not_before: null,
          created_at: sql`now()`,
          changed_at: sql`now()`,
        }))
        .where('user_operations.status', '=', 'dropped'),
    )
    .execute()
}

/**
 * Deletes older replaced operations with the same senders and nonces, because replacing is free and
 * operations can be large. Keeps an operation until its sponsorship is settled.
 */
async function forgetReplaced(
  { db, chainId }: ChainDatabase,
  rows: readonly { readonly sender: string; readonly nonce: string }[],
): Promise<void> {
  await sql`delete from user_operations as o
    using unnest(${rows.map(({ sender }) => sender)}::text[], ${rows.map(({ nonce }) => nonce)}::text[]) as n(sender, nonce)
    where o.chain_id = ${chainId} and o.sender = n.sender and o.nonce = n.nonce
    and o.status = 'dropped' and o.reason = 'replaced'
    and not exists (select from sponsorships as s where s.chain_id = o.chain_id and s.operation = o.hash)`.execute(
    db,
  )
}

function outbids(next: UserOperation, { status, operation: last }: Waiting): boolean {
  const percent = replacementPercent[status === 'sent' ? 'sent' : 'pending']
  return (
    next.maxFeePerGas * 100n >= last.maxFeePerGas * percent &&
    next.maxPriorityFeePerGas * 100n >= last.maxPriorityFeePerGas * percent
  )
}
