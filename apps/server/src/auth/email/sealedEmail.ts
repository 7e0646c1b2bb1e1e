import { LatchkeyError } from '@latchkey/wire'
import type { Auth } from '../auth.ts'

/** A stored address: encrypted, with the keyed hash for lookups. */
export type SealedEmail = { readonly index: Uint8Array; readonly sealed: Uint8Array }

const context = { purpose: 'email' }

/** Encrypts a normalized address. */
export async function sealEmail({ secrets }: Auth, email: string): Promise<SealedEmail> {
  const [index, sealed] = await Promise.all([
    secrets.mac('email-index', email),
    secrets.seal(context, Buffer.from(email)),
  ])
  return { index, sealed }
}

type EmailColumns = {
  readonly email_index: Uint8Array | null
  readonly email_sealed: Uint8Array | null
}

/** The stored address of a user, if any. */
export const toSealedEmail = (user: EmailColumns): SealedEmail | undefined =>
  user.email_index && user.email_sealed
    ? { index: user.email_index, sealed: user.email_sealed }
    : undefined

/** The stored address. Throws `INVALID_PARAMS` if the user has no address. */
export function requireEmail(email: SealedEmail | undefined): SealedEmail {
  if (email === undefined)
    throw new LatchkeyError('INVALID_PARAMS', {
      data: { reason: 'this account has no email address' },
    })
  return email
}

/** Decrypts the address of a user; null if the user has no address. */
export const openOptionalEmail = async (
  auth: Pick<Auth, 'secrets'>,
  email: SealedEmail | undefined,
): Promise<string | null> => (email ? openEmail(auth, email.sealed) : null)

/** Decrypts an address. */
export const openEmail = async (
  { secrets }: Pick<Auth, 'secrets'>,
  sealed: Uint8Array,
): Promise<string> => Buffer.from(await secrets.open(context, sealed)).toString('utf8')
