import { type Kysely, sql } from 'kysely'

/** Each promise to pay for a user operation, so that unused amounts can be returned. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table sponsorships (
    id bigint generated always as identity primary key,
    chain_id text not null,
    account text not null,
    nonce numeric not null,
    day date not null,
    wei numeric not null,
    valid_until bigint not null
  )`,
  'create index sponsorships_valid_until on sponsorships (chain_id, valid_until)',
]
