import { LatchkeyError, parseBoundedJson } from '@latchkey/wire'
import { fromBase64Url, toBase64Url, wipe } from '../crypto/bytes.ts'
import { toPhrase } from '../crypto/deriveAccounts.ts'
import { deriveRecoveryKeyPair, hpkeOpen, hpkeSeal } from '../crypto/hpke.ts'
import { combineShares, splitKey } from '../crypto/splitKey.ts'
import { getWalletCore } from '../manifest.ts'
import { openShareKey, wipeOpened } from '../openSharedSeed.ts'
import { openWallet } from '../openWallet.ts'
import { readWalletState } from '../readState.ts'
import type { VaultIdentity, WalletVault } from '../vault.ts'
import { type RecoveryBundle, recoveryBundle } from './bundleSchema.ts'
import { type FactorSecret, unwrapFactor } from './factors.ts'

const context = (walletId: string, epoch: number) => ['recovery share', walletId, 'bundle', epoch]

/**
 * Makes the bundle for download. It is useless with the operator's factor alone, which needs the
 * operator's server.
 */
export async function makeRecoveryBundle(
  vault: WalletVault,
  who: VaultIdentity,
): Promise<RecoveryBundle> {
  const { wallet } = await readWalletState(vault, who.realm)
  return openWallet(vault, who, async ({ kek, deviceSplit, record }) => {
    const { walletId, userId, realm, addresses } = record
    const { epoch, recoveryKey, sealedSeed } = deviceSplit
    const split = await splitKey(kek)
    const info = context(walletId, epoch)
    const sealedRecoveryShare = await hpkeSeal(recoveryKey, split.recovery, info)
    const share = toBase64Url(split.device)
    wipe(split.device, split.server, split.recovery)
    const factors = (wallet?.factors ?? []).filter((factor) => factor.wrap !== undefined)
    const place = { walletId, userId, realm, epoch, addresses }
    return {
      latchkey: 'recovery bundle',
      v: 1,
      ...place,
      recoveryKey,
      sealedSeed,
      factors,
      share,
      sealedRecoveryShare,
    }
  })
}

/**
 * Gets the 24 words from a bundle and a factor, without a server. Throws `RECOVERY_FAILED` or
 * `KIT_INVALID`.
 */
export async function recoverOffline(
  text: string,
  secret: FactorSecret,
): Promise<{ words: string; addresses: RecoveryBundle['addresses'] }> {
  const bundle = readBundle(text)
  const { walletId, epoch, addresses } = bundle
  const key = await unwrapFactor(secret, bundle.factors, getWalletCore(bundle))
  const { pair } = await deriveRecoveryKeyPair(key)
  wipe(key)
  const opened = await openShares()
  const words = toPhrase(opened.secrets.seed)
  wipeOpened(opened)
  return { words, addresses }

  async function openShares() {
    try {
      const recovery = await hpkeOpen(pair, bundle.sealedRecoveryShare, context(walletId, epoch))
      const kek = await combineShares(fromBase64Url(bundle.share), recovery)
      return await openShareKey(kek, bundle, bundle)
    } catch (cause) {
      throw failed('the bundle was changed', cause)
    }
  }
}

function readBundle(text: string): RecoveryBundle {
  try {
    return recoveryBundle.parse(parseBoundedJson(text))
  } catch (cause) {
    throw failed('this is not a recovery bundle', cause)
  }
}

const failed = (reason: string, cause: unknown) =>
  new LatchkeyError('RECOVERY_FAILED', { data: { reason }, cause })
