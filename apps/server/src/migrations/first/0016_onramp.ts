import { type Kysely, sql } from 'kysely'

/** Orders at providers that sell crypto. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table onramp_orders (
    id text primary key,
    provider text not null,
    chain_id text not null,
    address text not null,
    account text not null,
    asset text not null,
    symbol text not null,
    decimals integer not null,
    payment_amount text,
    payment_currency text not null,
    payment_method text not null,
    status text not null default 'created',
    reason text,
    transaction_hash text,
    reported_at timestamptz,
    received numeric,
    created_at timestamptz not null
  )`,
  'create index onramp_orders_account on onramp_orders (account, chain_id, created_at desc)',
  `create unique index onramp_orders_arrived on onramp_orders (chain_id, account, asset, transaction_hash)
    where status = 'arrived'`,
  'create index onramp_orders_created on onramp_orders (created_at)',
]
