import { type Kysely, sql } from 'kysely'

/** The metadata of NFTs, and when to fetch it again. Times come from the server. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table nft_metadata (
    chain_id text not null,
    contract text not null,
    token_id text not null,
    state text not null check (state in ('pending', 'ready', 'failed', 'none')),
    reason text,
    name text,
    description text,
    image text,
    external_url text,
    attributes jsonb not null default '[]',
    hash text,
    read_at timestamptz,
    failures integer not null default 0,
    next_at timestamptz not null,
    primary key (chain_id, contract, token_id)
  )`,
  `create index nft_metadata_next on nft_metadata (next_at)`,
]
