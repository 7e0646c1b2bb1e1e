import { type Manifest, walletAddresses } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { Bytes } from './crypto/bytes.ts'
import { manifestDigest, recoverSigner, signDigest } from './crypto/digests.ts'

const facts = z.strictObject({
  v: z.literal(1),
  walletId: z.string(),
  userId: z.string(),
  realm: z.string(),
  addresses: walletAddresses,
  /** Public half of the recovery key. */
  recoveryKey: z.string(),
  epoch: z.int().check(z.gte(1)),
  /** Each change increments it, so an older manifest is a rollback. */
  version: z.int().check(z.gte(1)),
  /** Devices that hold a split, and the keys that their shares may be sealed to. */
  devices: z.array(z.strictObject({ id: z.string(), key: z.string() })),
})

/** The wallet's statement about itself, signed by the wallet's EVM key. */
export type WalletFacts = z.infer<typeof facts>

export function signManifest(from: WalletFacts, key: Bytes): Manifest {
  const text = JSON.stringify(facts.parse(from))
  return { text, signature: signDigest(manifestDigest(text), key) }
}

/** Parses a manifest that `address` has signed. Throws on any other. */
export function verifyManifest({ text, signature }: Manifest, address: string): WalletFacts {
  if (recoverSigner(manifestDigest(text), signature) !== address)
    throw new Error('the manifest has another signer')
  const read = facts.parse(JSON.parse(text))
  if (read.addresses.eip155 !== address) throw new Error('the manifest is of another wallet')
  return read
}

/** The facts that never change and that recovery factors vouch for, serialized. */
export const getWalletCore = (
  from: Omit<WalletFacts, 'v' | 'epoch' | 'version' | 'devices'>,
): string =>
  JSON.stringify([
    from.walletId,
    from.userId,
    from.realm,
    from.addresses.eip155,
    from.addresses.solana,
    from.recoveryKey,
  ])
