import { type RawBuilder, sql } from 'kysely'

/** Whether the sender of an operation has had one in a block since it was last blamed for a reverted bundle. `row`: the table or alias of the operation. */
export const isProven = (row: string): RawBuilder<boolean> => sql`exists (
  select from user_operations as i
  where i.chain_id = ${ref(row, 'chain_id')} and i.sender = ${ref(row, 'sender')} and i.status = 'included'
  and not exists (select from bundle_offenders as b where b.chain_id = i.chain_id
    and b.entity = i.sender and b.blamed_at > i.changed_at))`

/** Whether the sender or the paymaster of an operation pauses because it made a bundle revert. */
export const pauses = (row: string): RawBuilder<boolean> => sql`exists (
  select from bundle_offenders as b where b.chain_id = ${ref(row, 'chain_id')}
  and b.entity in (${ref(row, 'sender')}, ${ref(row, 'paymaster')}) and b.cooled_at > now())`

/** What is known about who sent an operation: 0 if it pauses, 1 if nothing is known, 2 if it has proved itself. */
export const standing = (row: string): RawBuilder<number> =>
  sql`case when ${pauses(row)} then 0 when ${isProven(row)} then 2 else 1 end`

const ref = (row: string, column: string) => sql.ref(`${row}.${column}`)
