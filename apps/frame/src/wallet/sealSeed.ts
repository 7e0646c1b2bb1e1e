import type { GcmSealed, WalletAddresses } from '@latchkey/wire'
import { type Bytes, concat, utf8, wipe } from './crypto/bytes.ts'
import { gcmOpen, gcmSeal, importGcmKey } from './crypto/gcm.ts'

/** The context of a sealed seed: it does not open for another wallet, user, epoch or address. */
export type SealFacts = {
  readonly walletId: string
  readonly userId: string
  readonly realm: string
  readonly epoch: number
  readonly addresses: WalletAddresses
}

/** The secrets that the key-encryption key protects, 32 bytes each. The holder must wipe them. */
export type WalletSecrets = { readonly seed: Bytes; readonly recoveryKey: Bytes }

const seedAad = ({ walletId, userId, realm, epoch, addresses }: SealFacts): Bytes =>
  utf8(
    JSON.stringify([
      'latchkey seed v1',
      walletId,
      userId,
      realm,
      epoch,
      addresses.eip155,
      addresses.solana,
    ]),
  )

/** Seals seed and recovery key under a key that is used only once. */
export async function sealSeed(
  key: Bytes,
  { seed, recoveryKey }: WalletSecrets,
  facts: SealFacts,
): Promise<GcmSealed> {
  const plain = concat(seed, recoveryKey)
  const sealed = await gcmSeal(await importGcmKey(key), plain, seedAad(facts))
  wipe(plain)
  return sealed
}

/** Opens what {@link sealSeed} made. Throws on any other key, text or fact. */
export async function openSeed(
  key: Bytes,
  sealed: GcmSealed,
  facts: SealFacts,
): Promise<WalletSecrets> {
  const plain = await gcmOpen(await importGcmKey(key), sealed, seedAad(facts))
  const secrets = { seed: plain.slice(0, 32), recoveryKey: plain.slice(32, 64) }
  const { length } = plain
  wipe(plain)
  if (length !== 64) throw new Error('not a seed and a recovery key')
  return secrets
}
