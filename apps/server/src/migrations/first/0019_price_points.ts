import { type Kysely, sql } from 'kysely'

/**
 * Earlier prices of tokens, in dollars times 10^18, for tokens whose prices no outside source
 * keeps.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table price_points (
    chain_id text not null,
    token text not null,
    at timestamptz not null,
    price numeric not null,
    primary key (chain_id, token, at)
  )`,
  'create index price_points_at on price_points (at)',
]
