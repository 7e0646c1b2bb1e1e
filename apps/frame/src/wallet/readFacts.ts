import type { WalletView } from '@latchkey/wire'
import { sha256 } from '@noble/hashes/sha2.js'
import * as z from 'zod/mini'
import { toBase64Url, utf8 } from './crypto/bytes.ts'
import { verifyManifest, type WalletFacts } from './manifest.ts'
import { quarantineError } from './openSharedSeed.ts'
import type { WalletVault } from './vault.ts'
import type { DeviceSplit, WalletRecord } from './walletRecord.ts'

const manifestPin = z.strictObject({
  version: z.int(),
  /** The hash of the manifest's text: each version has exactly one. */
  digest: z.string(),
  /** Devices that were removed on this one before they were stored for all wallets of the user. */
  removed: z.array(z.string()),
})

const manifestPinKey = (walletId: string) => `manifest seen ${walletId}`

type FactsParameters = {
  readonly wallet: WalletView
  readonly record: WalletRecord
  /** The split in use: its epoch, and the manifest that it came with. */
  readonly deviceSplit: DeviceSplit
}

/**
 * The facts that a change may build on: signed by the wallet, of this epoch, and neither older nor
 * different from what this device has seen, without removed devices. Throws `WALLET_QUARANTINED`.
 */
export async function readManifestFacts(
  vault: WalletVault,
  { wallet, record, deviceSplit }: FactsParameters,
): Promise<WalletFacts> {
  const facts = readSigned(wallet, record)
  if (facts.version < deviceSplit.manifestVersion || facts.epoch !== deviceSplit.epoch)
    throw olderStateError()
  const { removed } = await pinVersion(vault, wallet, facts)
  const removedAll = await readRemoved(vault, record.userId)
  const goneIds = new Set([...(wallet.gone ?? []), ...removed, ...removedAll])
  return { ...facts, devices: facts.devices.filter(({ id }) => !goneIds.has(id)) }
}

/**
 * Stores the newest manifest that this device has seen. Throws `WALLET_QUARANTINED` if it is older,
 * or different with the same version.
 */
export async function pinVersion(
  vault: WalletVault,
  { id, manifest }: Pick<WalletView, 'id' | 'manifest'>,
  { version }: WalletFacts,
): Promise<z.infer<typeof manifestPin>> {
  const last = await readManifestPin(vault, id)
  const digest = toBase64Url(sha256(utf8(manifest.text)))
  if (version < last.version || (version === last.version && digest !== last.digest))
    throw olderStateError()
  const next = { ...last, version, digest }
  await vault.store.put(manifestPinKey(id), next)
  return next
}

const removedDevices = z.array(z.string())
const removedKey = (userId: string) => `devices removed ${userId}`

/**
 * Stores that a device was removed on this one; no list of any wallet of the user that is signed
 * here ever contains it again.
 */
export async function pinRemoved(vault: WalletVault, userId: string, id: string): Promise<void> {
  const last = await readRemoved(vault, userId)
  await vault.store.put(removedKey(userId), [...new Set([...last, id])])
}

async function readRemoved({ store }: WalletVault, userId: string): Promise<string[]> {
  const found = await store.get(removedKey(userId))
  if (found === undefined) return []
  const { data } = removedDevices.safeParse(found)
  if (!data) throw quarantineError('what this browser kept cannot be read')
  return data
}

/** After a recovery by a factor: the server's current state is the new starting point. */
export async function forgetVersion(vault: WalletVault, walletId: string): Promise<void> {
  const { removed } = await readManifestPin(vault, walletId).catch(() => ({ removed: [] }))
  await vault.store.put(manifestPinKey(walletId), { version: 0, digest: '', removed })
}

/** Deletes the stored pin of a deleted wallet. */
export const forgetPin = ({ store }: WalletVault, walletId: string): Promise<void> =>
  store.delete(manifestPinKey(walletId))

async function readManifestPin(
  { store }: WalletVault,
  walletId: string,
): Promise<z.infer<typeof manifestPin>> {
  const found = await store.get(manifestPinKey(walletId))
  if (found === undefined) return { version: 0, digest: '', removed: [] }
  const { data } = manifestPin.safeParse(found)
  if (!data) throw quarantineError('what this browser kept cannot be read')
  return data
}

function readSigned({ manifest, id }: WalletView, { addresses, walletId }: WalletRecord) {
  try {
    const facts = verifyManifest(manifest, addresses.eip155)
    if (facts.walletId === walletId && id === walletId) return facts
  } catch (cause) {
    throw quarantineError('what the server shows is not signed by the wallet', cause)
  }
  throw quarantineError('the server shows another wallet')
}

const olderStateError = () => quarantineError('the server shows an older state of the wallet')
