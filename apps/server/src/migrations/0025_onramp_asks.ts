import { type Kysely, sql } from 'kysely'

/** When to poll the provider of an order next, for providers that report nothing by themselves. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table onramp_orders add column ask_at timestamptz not null default now()',
  `create index onramp_orders_ask on onramp_orders (ask_at)
    where status in ('created', 'declined', 'expired', 'paid')`,
]
