import { gcmSealed, hpkeSealed, isError, LatchkeyError, walletAddresses } from '@latchkey/wire'
import * as z from 'zod/mini'
import { type Bytes, utf8 } from './crypto/bytes.ts'
import { gcmOpen, gcmSeal } from './crypto/gcm.ts'
import { exportPublicKey } from './crypto/hpke.ts'
import { type KeyStore, keysKey } from './keyStore.ts'

const deviceSplit = z.strictObject({
  changeId: z.string(),
  epoch: z.int(),
  manifestVersion: z.int(),
  /** This device's share, wrapped under the browser's own key. */
  wrappedShare: gcmSealed,
  sealedSeed: gcmSealed,
  /** A copy: with it, the share and a recovery factor, the wallet opens without a server. */
  sealedRecoveryShare: hpkeSealed,
  recoveryKey: z.string(),
})

/** One split that this device holds, with everything needed to use it. */
export type DeviceSplit = z.infer<typeof deviceSplit>

const record = z.strictObject({
  v: z.literal(1),
  userId: z.string(),
  realm: z.string(),
  walletId: z.string(),
  /** Pinned when first seen; nothing from the server changes them. */
  addresses: walletAddresses,
  current: z.optional(deviceSplit),
  /** Prepared, but not known to be committed. */
  next: z.optional(deviceSplit),
  quarantine: z.optional(z.string()),
})

/** The record that this browser stores of one user's wallet. */
export type WalletRecord = z.infer<typeof record>

/**
 * The browser's own keys: one wraps shares, the other receives sealed data. Neither can be
 * extracted.
 */
export type BrowserKeys = {
  readonly wrap: CryptoKey
  readonly device: CryptoKeyPair
  readonly deviceKey: string
}

/** The user of a record, and the realm of its wallet. */
type Owner = { readonly userId: string; readonly realm: string }

const recordKey = ({ userId, realm }: Owner) =>
  realm === 'main' ? `wallet ${userId}` : `wallet ${userId} ${realm}`

/**
 * Reads the record. Throws `WALLET_QUARANTINED` if it exists but is invalid; an invalid record
 * never counts as missing.
 */
export async function readRecord(store: KeyStore, owner: Owner): Promise<WalletRecord | undefined> {
  const found = await store.get(recordKey(owner))
  if (found === undefined) return undefined
  const parsed = record.safeParse(found)
  const isOwn = parsed.data?.userId === owner.userId && parsed.data.realm === owner.realm
  if (!parsed.success || !isOwn)
    throw new LatchkeyError('WALLET_QUARANTINED', {
      data: { reason: 'what this browser kept cannot be read' },
    })
  return parsed.data
}

/**
 * Finds the record of a wallet that is not needed now: an unreadable record counts as missing, so
 * that it does not block work with another wallet.
 */
export const findRecord = (store: KeyStore, owner: Owner): Promise<WalletRecord | undefined> =>
  readRecord(store, owner).catch((error: unknown) => {
    if (!isError(error, 'WALLET_QUARANTINED')) throw error
    return undefined
  })

export const writeRecord = (store: KeyStore, from: WalletRecord): Promise<void> =>
  store.put(recordKey(from), record.parse(from))

export const deleteRecord = (store: KeyStore, owner: Owner): Promise<void> =>
  store.delete(recordKey(owner))

/** Whether both have the same accounts. */
export const sameAddresses = (
  { addresses }: Pick<WalletRecord, 'addresses'>,
  other: Pick<WalletRecord, 'addresses'>,
): boolean =>
  addresses.eip155 === other.addresses.eip155 && addresses.solana === other.addresses.solana

/** The browser's keys, created on first use. */
export async function browserKeys(store: KeyStore): Promise<BrowserKeys> {
  const found = await store.get(keysKey)
  if (isKeys(found)) return found
  const wrap = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ])
  const device = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, [
    'deriveBits',
  ])
  const keys = { wrap, device, deviceKey: await exportPublicKey(device) }
  await store.put(keysKey, keys)
  return keys
}

const isKeys = (found: unknown): found is BrowserKeys =>
  typeof found === 'object' && found !== null && 'wrap' in found && 'device' in found

type WalletSlot = { readonly walletId: string; readonly userId: string; readonly realm: string }

const deviceShareAad = (place: WalletSlot, changeId: string, epoch: number) =>
  utf8(
    JSON.stringify([
      'latchkey device share v1',
      place.walletId,
      place.userId,
      place.realm,
      changeId,
      epoch,
    ]),
  )

type WrapParameters = WalletSlot & {
  readonly keys: BrowserKeys
  readonly changeId: string
  readonly epoch: number
}

/** Wraps this device's share for its record. */
export const wrapShare = (share: Bytes, { keys, changeId, epoch, ...place }: WrapParameters) =>
  gcmSeal(keys.wrap, share, deviceShareAad(place, changeId, epoch))

/** Unwraps this device's share. Throws if it was changed, moved or made in another browser. */
export const unwrapShare = (
  keys: BrowserKeys,
  place: WalletSlot,
  from: DeviceSplit,
): Promise<Bytes> =>
  gcmOpen(keys.wrap, from.wrappedShare, deviceShareAad(place, from.changeId, from.epoch))
