import type { Auth } from '../auth.ts'

/** An address as it is stored: encrypted, with the keyed hash for lookups. */
export type SealedEmail = { readonly index: Uint8Array; readonly sealed: Uint8Array }

const context = { purpose: 'email' }

/** Encrypts a normalised address. */
export async function sealEmail({ secrets }: Auth, email: string): Promise<SealedEmail> {
  const [index, sealed] = await Promise.all([
    secrets.mac('email-index', email),
    secrets.seal(context, Buffer.from(email)),
  ])
  return { index, sealed }
}

/** Decrypts an address. */
export const openEmail = async ({ secrets }: Auth, sealed: Uint8Array): Promise<string> =>
  Buffer.from(await secrets.open(context, sealed)).toString('utf8')
