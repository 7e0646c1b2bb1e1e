import { type Kysely, sql } from 'kysely'

/**
 * Approvals that the followed accounts gave. Earlier reads did not include approvals, so all blocks
 * are read again. The existing rows stay.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table activity_approvals (
    account_id integer not null,
    block bigint not null,
    index integer not null,
    position integer not null,
    kind text not null,
    contract bytea not null,
    spender bytea not null,
    token_id numeric(78),
    mined_ms bigint not null,
    primary key (account_id, block, index, position)
  )`,
  `update activity_accounts set live = false, first_block = null, seen_to = null, todo = '{}',
    since_ms = null, bottom_ms = null`,
  `update activity_chains set generation = generation + 1`,
]
