import { type RawBuilder, sql } from 'kysely'
import type { Address } from 'viem'

/** The operator's own paymaster, in lower case: it is trusted from the beginning. */
export type Trusted = { readonly trustedPaymaster?: Address | undefined }

/**
 * How careful the bundler is: not at all, by sending operations of unknown accounts alone or not at
 * all, or by limiting all accounts.
 */
export type Caution = 'none' | 'alone' | 'stop' | 'strict'

/**
 * Whether the sender of an operation, and its paymaster if any, have had an operation in a block
 * since they were last blamed for a reverted bundle. `row`: the table or alias of the operation.
 */
export const isProven = (row: string, trusted: Trusted): RawBuilder<boolean> =>
  sql`(exists (${proofs(row, 'sender')}) and (${isPaidByOwn(row, trusted)} or exists (${proofs(row, 'paymaster')})))`

/** How many times more gas than an account has paid for may be lost because of it. */
const creditFactor = 4

/**
 * Whether the gas at risk is in proportion to the gas that the operation's sender, and its
 * paymaster if any, have paid for since they were last blamed. The gas at risk is lost if the
 * validation fails in a block. So an attacker who makes bundles revert pays for a part of the gas
 * that the bundler loses.
 */
export const isCovered = (row: string, trusted: Trusted): RawBuilder<boolean> => {
  const covers = (column: Entity) =>
    sql`(select coalesce(sum(paid_gas), 0) * ${creditFactor} from (${proofs(row, column)}) as p)
      >= coalesce(${ref(row, 'risked_gas')}, 0)`
  return sql`(${covers('sender')} and (${isPaidByOwn(row, trusted)} or ${covers('paymaster')}))`
}

type Entity = 'sender' | 'paymaster'

/**
 * Included operations with the same sender or paymaster that have paid our bundler, from after it
 * was last blamed. An operation that another account sent proves nothing: its own account may have
 * sent it.
 */
const proofs = (row: string, column: Entity): RawBuilder<unknown> => sql`
  select i.paid_gas from user_operations as i
  where i.chain_id = ${ref(row, 'chain_id')} and i.${sql.ref(column)} = ${ref(row, column)} and i.status = 'included' and i.paid_gas is not null
  and not exists (select from bundle_offenders as b where b.chain_id = i.chain_id
    and b.entity = i.${sql.ref(column)} and b.blamed_at > i.changed_at)`

/** Whether the account pays for itself, or the operator for it. */
const isPaidByOwn = (row: string, { trustedPaymaster }: Trusted) =>
  sql`(${ref(row, 'paymaster')} is null or ${ref(row, 'paymaster')} = ${trustedPaymaster ?? ''})`

/** Whether the sender or the paymaster of an operation pauses because it made a bundle revert. */
export const pauses = (row: string): RawBuilder<boolean> => sql`exists (
  select from bundle_offenders as b where b.chain_id = ${ref(row, 'chain_id')}
  and b.entity in (${ref(row, 'sender')}, ${ref(row, 'paymaster')}) and b.cooled_at > now())`

/**
 * The standing of an operation's sender and paymaster: 0 during a pause, 2 if both are proven
 * ({@link isProven}), otherwise 1.
 */
export const standing = (row: string, trusted: Trusted): RawBuilder<number> =>
  sql`case when ${pauses(row)} then 0 when ${isProven(row, trusted)} then 2 else 1 end`

const ref = (row: string, column: string) => sql.ref(`${row}.${column}`)
