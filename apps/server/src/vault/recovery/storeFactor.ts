import type { NewFactor } from '@latchkey/wire'
import { requireEmail } from '../../auth/email/sealedEmail.ts'
import type { StoredLogin } from '../../auth/session/session.ts'
import { gcmOpen, gcmSeal } from '../keys/gcm.ts'
import { openForUser, sealForUser, type UserKey } from '../keys/userKey.ts'
import type { StoredFactor } from '../tables.ts'
import { type Db, fromBase64Url, mainRealm, toBase64Url, type Vault } from '../vault.ts'

type Owner = { readonly key: UserKey; readonly walletId: string }

const getKmsContext = ({ key, walletId }: Owner) =>
  ({ purpose: 'recovery', userId: key.userId, walletId, realm: mainRealm }) as const
const getSealContext = ({ walletId }: Owner) => ['operator factor', walletId] as const

/**
 * The operator's help sends codes and warnings to a confirmed mailbox, so an account without a
 * mailbox cannot have it. Throws `INVALID_PARAMS`.
 */
export function requireMailbox(
  session: Pick<StoredLogin, 'email'>,
  factors: readonly Pick<NewFactor, 'kind'>[],
): void {
  if (factors.some(({ kind }) => kind === 'operator')) requireEmail(session.email)
}

/**
 * Encrypts a factor for storage. The operator's recovery key is encrypted with a data key of the
 * KMS key `recovery`, and the result with the user's own key. Reading it takes both principals, and
 * deleting the user destroys it.
 */
export async function sealFactor(
  { kms }: Pick<Vault, 'kms'>,
  owner: Owner,
  factor: NewFactor,
): Promise<StoredFactor> {
  if (factor.kind !== 'operator') return factor
  const { plaintext, wrapped } = await kms.generateDataKey(getKmsContext(owner))
  const aad = Buffer.from(JSON.stringify(getSealContext(owner)))
  const inner = gcmSeal(plaintext, fromBase64Url(factor.recoveryKey), aad)
  plaintext.fill(0)
  const outer = sealForUser(owner.key, inner, getSealContext(owner))
  return {
    id: factor.id,
    kind: 'operator',
    operatorSealed: toBase64Url(outer),
    operatorKeyWrapped: toBase64Url(wrapped),
  }
}

/**
 * The recovery key of an operator factor. Throws `VAULT_UNAVAILABLE` if the KMS cannot decrypt it.
 */
export async function openOperatorFactor(
  { kms }: Pick<Vault, 'kms'>,
  owner: Owner,
  factor: { readonly sealed: Uint8Array; readonly keyWrapped: Uint8Array },
): Promise<Buffer> {
  const key = await kms.unwrap(factor.keyWrapped, getKmsContext(owner))
  const aad = Buffer.from(JSON.stringify(getSealContext(owner)))
  return gcmOpen(key, openForUser(owner.key, factor.sealed, getSealContext(owner)), aad)
}

type Inserting = {
  readonly walletId: string
  readonly factors: readonly StoredFactor[]
  readonly nowMs: number
}

export async function insertFactors(
  db: Db,
  { walletId, factors, nowMs }: Inserting,
): Promise<void> {
  if (factors.length === 0) return
  await db
    .insertInto('recovery_factors')
    .values(
      factors.map((factor) => ({
        id: factor.id,
        wallet_id: walletId,
        kind: factor.kind,
        wrap: factor.wrap ? JSON.stringify(factor.wrap) : null,
        credential_id: factor.credentialId ?? null,
        label: factor.label ?? null,
        operator_sealed: factor.operatorSealed ? fromBase64Url(factor.operatorSealed) : null,
        operator_key_wrapped: factor.operatorKeyWrapped
          ? fromBase64Url(factor.operatorKeyWrapped)
          : null,
        created_at: new Date(nowMs),
      })),
    )
    .execute()
}
