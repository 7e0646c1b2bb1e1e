import { type Kysely, sql } from 'kysely'

/** A passkey can begin an account. It then signs in also if it does not recover the wallet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table passkeys add column began_account boolean not null default false',
  'alter table passkey_challenges drop constraint passkey_challenges_purpose_check',
  `alter table passkey_challenges add constraint passkey_challenges_purpose_check
    check (purpose in ('register', 'account', 'login', 'step-up'))`,
]
