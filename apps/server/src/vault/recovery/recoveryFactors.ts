import { LatchkeyError, type NewFactor } from '@latchkey/wire'
import { retirePasskeys } from '../../auth/passkeys/passkeys.ts'
import { readFirstFactor } from '../../auth/session/firstFactor.ts'
import type { StoredLogin } from '../../auth/session/session.ts'
import { requireStepUp } from '../../auth/session/stepUp.ts'
import { firstFactorMail } from '../../mail/walletMails.ts'
import { appendAudit } from '../audit.ts'
import { ensureUserKey } from '../keys/userKey.ts'
import { mailOwner } from '../moves/mailOwner.ts'
import type { Db, Vault } from '../vault.ts'
import { findWallet } from '../wallet/findWallet.ts'
import { requireHolder } from '../wallet/requireHolder.ts'
import { insertFactors, requireMailbox, sealFactor } from './storeFactor.ts'

const maxFactors = 10

type Adding = {
  readonly session: StoredLogin
  readonly factor: NewFactor
  readonly walletId?: string | undefined
}

/**
 * Adds a recovery factor to the wallet in use, which is `walletId` for the caller. The owner gets a
 * mail about a factor that needed no confirmation. Throws `WALLET_CHANGED` if `walletId` is another
 * wallet, `STEP_UP_NEEDED`, `WALLET_NOT_ENROLLED`, `VAULT_NOT_FOUND`, `INVALID_PARAMS`.
 */
export async function addFactor(
  vault: Vault,
  { session, factor, walletId }: Adding,
): Promise<Record<string, never>> {
  await requireHolder(vault, session)
  requireMailbox(session, [factor])
  const { userId, deviceId } = session
  const isFirst = (await readFirstFactor(vault, session)) !== undefined
  if (!isFirst) await requireStepUp(vault, session, `add ${factor.kind}`)
  const wallet = await findWallet(vault.db, userId)
  if (!wallet) throw new LatchkeyError('VAULT_NOT_FOUND')
  // A factor of another wallet would not recover this one.
  if (walletId !== undefined && walletId !== wallet.id) throw new LatchkeyError('WALLET_CHANGED')
  const key = await ensureUserKey(vault, userId)
  const stored = await sealFactor(vault, { key, walletId: wallet.id }, factor)
  const isAdded = await vault.db.transaction().execute(async (trx) => {
    const factors = await lockFactors(trx, wallet.id)
    if (factors.some(({ id }) => id === factor.id)) return false
    // Another factor came first.
    if (isFirst && factors.length > 0) throw new LatchkeyError('STEP_UP_NEEDED')
    const second = factor.kind === 'operator' && factors.some(({ kind }) => kind === 'operator')
    if (factors.length >= maxFactors || second) throw new LatchkeyError('WALLET_CHANGED')
    await insertFactors(trx, { walletId: wallet.id, factors: [stored], nowMs: vault.clock() })
    const detail = { kind: factor.kind }
    await appendAudit(trx, vault, { subject: userId, deviceId, action: 'factor added', detail })
    return true
  })
  if (isFirst && isAdded) await mailOwner(vault, session, firstFactorMail({ kind: factor.kind }))
  return {}
}

/**
 * Removes a recovery factor. Throws the errors of {@link addFactor}, `LAST_FACTOR` for the only
 * one, and `OPERATOR_NEEDS_NEW_KEY` for the operator's: the operator may keep a copy, so the wallet
 * needs a new recovery key first.
 */
export async function removeFactor(
  vault: Vault,
  { session, id }: { readonly session: StoredLogin; readonly id: string },
): Promise<Record<string, never>> {
  await requireHolder(vault, session)
  await requireStepUp(vault, session, `remove ${id}`)
  const { userId, deviceId } = session
  const wallet = await findWallet(vault.db, userId)
  if (!wallet) throw new LatchkeyError('VAULT_NOT_FOUND')
  await vault.db.transaction().execute(async (trx) => {
    const factors = await lockFactors(trx, wallet.id)
    const factor = factors.find((each) => each.id === id)
    if (!factor) throw new LatchkeyError('VAULT_NOT_FOUND')
    if (factors.length === 1) throw new LatchkeyError('LAST_FACTOR')
    if (factor.kind === 'operator') throw new LatchkeyError('OPERATOR_NEEDS_NEW_KEY')
    await trx.deleteFrom('recovery_factors').where('id', '=', id).execute()
    const credentialIds = factor.credential_id === null ? [] : [factor.credential_id]
    await retirePasskeys(trx, { userId, credentialIds })
    const detail = { kind: factor.kind }
    await appendAudit(trx, vault, { subject: userId, deviceId, action: 'factor removed', detail })
  })
  return {}
}

/** The factors of a wallet, which no other transaction changes until this one ends. */
async function lockFactors(trx: Db, walletId: string) {
  await trx.selectFrom('wallets').select('id').where('id', '=', walletId).forUpdate().execute()
  return trx
    .selectFrom('recovery_factors')
    .select(['id', 'kind', 'credential_id'])
    .where('wallet_id', '=', walletId)
    .execute()
}
