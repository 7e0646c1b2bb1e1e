import type { Kysely } from 'kysely'
import type { Database } from '../../db/database.ts'

/**
 * Whether the browser with this key has signed in to the account of a mailbox before, and was not
 * revoked. The key itself proves this, so it depends on no stored token and survives a sign-out.
 */
export async function isKnownBrowser(
  db: Kysely<Database>,
  { emailIndex, jkt }: { readonly emailIndex: Uint8Array; readonly jkt: string },
): Promise<boolean> {
  const device = await db
    .selectFrom('devices')
    .innerJoin('users', 'users.id', 'devices.user_id')
    .select('devices.id')
    .where('users.email_index', '=', emailIndex)
    .where('devices.jkt', '=', jkt)
    .where('devices.revoked_at', 'is', null)
    .executeTakeFirst()
  return device !== undefined
}
