import { isError, LatchkeyError, type NewFactor, type RecoveryFactor } from '@latchkey/wire'
import {
  type Bytes,
  createRandomId,
  fromBase64Url,
  toBase64Url,
  toBytes,
  utf8,
  wipe,
} from '../crypto/bytes.ts'
import { gcmOpen, gcmSeal, importGcmKey } from '../crypto/gcm.ts'
import { parseRecoveryKit } from './recoveryKit.ts'

/** A secret that the user holds: 32 bytes of a passkey's PRF, or a typed kit. */
export type FactorSecret =
  | {
      readonly kind: 'passkey'
      /** base64url; empty or short means that the passkey has no PRF. */
      readonly prf: string
      readonly credentialId: string
      readonly label?: string | undefined
    }
  | { readonly kind: 'kit'; readonly kit: string }

/** The setup of a recovery factor. With `operator`, the operator of the server could sign. */
export type FactorSetup = FactorSecret | { readonly kind: 'operator' }

/** The input for a passkey's PRF (WebAuthn `prf.eval.first`). */
const prfSalt: Bytes = utf8('wallet-recovery-v1')

/**
 * HKDF-SHA256 of the secret. Throws `RECOVERY_FAILED` if a passkey gave no PRF output,
 * `KIT_INVALID` for a typing error.
 */
async function wrappingKey(secret: FactorSecret): Promise<CryptoKey> {
  const input = secret.kind === 'kit' ? parseRecoveryKit(secret.kit) : parsePrf(secret.prf)
  const base = await crypto.subtle.importKey('raw', input, 'HKDF', false, ['deriveBits'])
  const info = utf8(`latchkey ${secret.kind} v1`)
  const bits = await crypto.subtle.deriveBits(
    { name: 'HKDF', hash: 'SHA-256', salt: prfSalt, info },
    base,
    256,
  )
  wipe(input)
  return importGcmKey(toBytes(bits))
}

function parsePrf(text: string): Bytes {
  const prf = fromBase64Url(text)
  if (prf.length !== 32 || prf.every((byte) => byte === 0))
    throw new LatchkeyError('RECOVERY_FAILED', { data: { reason: 'the passkey gives no secret' } })
  return prf
}

/**
 * The wrapping also vouches for the wallet's fixed facts, so no server can substitute another
 * wallet on a new device.
 */
const factorAad = (core: string, kind: string, id: string) =>
  utf8(JSON.stringify(['latchkey factor v1', core, kind, id]))

/** Wraps the recovery key for a factor. `core`: see `getWalletCore`. */
export async function wrapFactor(
  setup: FactorSetup,
  recoveryKey: Bytes,
  core: string,
): Promise<NewFactor> {
  const id = createRandomId()
  if (setup.kind === 'operator')
    return { id, kind: 'operator', recoveryKey: toBase64Url(recoveryKey) }
  const wrap = await gcmSeal(await wrappingKey(setup), recoveryKey, factorAad(core, setup.kind, id))
  if (setup.kind === 'kit') return { id, kind: 'kit', wrap }
  const { credentialId, label } = setup
  return { id, kind: 'passkey', wrap, credentialId, ...(label !== undefined && { label }) }
}

/**
 * Opens the recovery key with a factor. Throws `RECOVERY_FAILED` if none of `factors` opens with
 * the secret for this wallet.
 */
export async function unwrapFactor(
  secret: FactorSecret,
  factors: readonly RecoveryFactor[],
  core: string,
): Promise<Bytes> {
  const key = await wrappingKey(secret)
  for (const { id, kind, wrap } of factors) {
    if (kind !== secret.kind || !wrap) continue
    const found = await gcmOpen(key, wrap, factorAad(core, kind, id)).catch(() => undefined)
    if (found?.length === 32) return found
  }
  throw new LatchkeyError('RECOVERY_FAILED', {
    data: {
      reason:
        secret.kind === 'kit' ? 'the kit is of another wallet' : 'the passkey is of another wallet',
    },
  })
}

/** Whether `setup`, such as a kit or a passkey, opens one of the wallet's ways of recovery. */
export async function isAmong(
  setup: FactorSetup,
  factors: readonly RecoveryFactor[],
  core: string,
): Promise<boolean> {
  if (setup.kind === 'operator') return factors.some(({ kind }) => kind === 'operator')
  try {
    wipe(await unwrapFactor(setup, factors, core))
    return true
  } catch (error) {
    if (!isError(error, 'RECOVERY_FAILED')) throw error
    return false
  }
}
