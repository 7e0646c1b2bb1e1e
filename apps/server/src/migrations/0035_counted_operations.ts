import { type Kysely, sql } from 'kysely'

/**
 * The client that requested a promise, whether the account's signature was known, and the promised
 * operation in our mempool.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table sponsorships
    add column operation text,
    add column client text,
    add column is_unsigned boolean not null default false`,
  'create index sponsorships_account on sponsorships (chain_id, account)',
]
