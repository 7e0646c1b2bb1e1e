import {
  LatchkeyError,
  type listIdentitiesRoute,
  socialProvider,
  type unlinkIdentityRoute,
} from '@latchkey/wire'
import type * as z from 'zod/mini'
import { assertDeviceOwnsWallet } from '../assertDeviceOwnsWallet.ts'
import type { Auth } from '../auth.ts'
import type { SessionCall } from '../mount.ts'
import { beganWithPasskey } from '../passkeys/passkeys.ts'
import { requireStepUp } from '../session/stepUp.ts'

/** Decrypts the name of an identity. */
export const openName = async ({ secrets }: Pick<Auth, 'secrets'>, sealed: Uint8Array) =>
  Buffer.from(await secrets.open({ purpose: 'identity-name' }, sealed)).toString('utf8')

/** The identities of a user, the oldest first, and the providers of this server. */
export async function listIdentities(
  auth: Auth,
  { session }: SessionCall<typeof listIdentitiesRoute>,
): Promise<z.infer<typeof listIdentitiesRoute.result>> {
  const rows = await auth.db
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .select(['identities.id', 'provider', 'name_sealed', 'identities.created_at', 'email_added_at'])
    .where('user_id', '=', session.userId)
    .orderBy('identities.created_at')
    .execute()
  const identities = await Promise.all(
    rows.map(async ({ id, provider, name_sealed, created_at, email_added_at }) => ({
      id,
      provider: socialProvider.parse(provider),
      name: await openName(auth, name_sealed),
      createdAtMs: created_at.getTime(),
      precedesEmail: email_added_at !== null && created_at < email_added_at,
    })),
  )
  return {
    identities,
    providers: [...auth.config.socials.keys()],
    beganWithPasskey: await beganWithPasskey(auth.db, session.userId),
  }
}

/**
 * Removes an identity of a user. The last way to sign in cannot be removed. Throws
 * `STEP_UP_NEEDED`, `INVALID_PARAMS`, `VAULT_NOT_FOUND`, `WALLET_NOT_ENROLLED`.
 */
export async function unlinkIdentity(
  auth: Auth,
  { session, body }: SessionCall<typeof unlinkIdentityRoute>,
): Promise<z.infer<typeof unlinkIdentityRoute.result>> {
  await assertDeviceOwnsWallet(auth.db, session)
  const { userId } = session
  await auth.db.transaction().execute(async (trx) => {
    // The lock serializes two removals, so that not both of the last two ways go.
    const user = await trx
      .selectFrom('users')
      .select('email_index')
      .where('id', '=', userId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const identities = await trx
      .selectFrom('identities')
      .select(['id', 'provider'])
      .where('user_id', '=', userId)
      .execute()
    const identity = identities.find(({ id }) => id === body.id)
    if (identity === undefined) throw new LatchkeyError('VAULT_NOT_FOUND')
    await requireStepUp(auth, session, `unlink ${socialProvider.parse(identity.provider)}`)
    const isLast = identities.length === 1 && user.email_index === null
    if (isLast && !(await beganWithPasskey(trx, userId)))
      throw new LatchkeyError('INVALID_PARAMS', { data: { reason: 'the last sign-in stays' } })
    await trx.deleteFrom('identities').where('id', '=', identity.id).execute()
    const detail = { provider: identity.provider }
    const { deviceId } = session
    await auth.audit(trx, { subject: userId, deviceId, action: 'sign-in removed', detail })
  })
  auth.log.info('an identity was unlinked')
  return {}
}
