import type { Db } from '../vault.ts'
import type { WalletRow } from './findWallet.ts'
import { type ManifestFacts, parseManifest } from './readManifest.ts'

/**
 * Whether every device except `added` is in the list that the owner signed last, with the same key.
 */
export function isSubset(
  facts: ManifestFacts,
  { manifest }: Pick<WalletRow, 'manifest'>,
  added?: string,
): boolean {
  const known = new Map(parseManifest(manifest).devices.map(({ id, key }) => [id, key]))
  return facts.devices.every(({ id, key }) => id === added || known.get(id) === key)
}

/** Devices in the wallet's manifest that no longer hold a split. */
export async function findMissingDevices(
  db: Db,
  { id, manifest }: Pick<WalletRow, 'id' | 'manifest'>,
): Promise<string[]> {
  const slots = await db
    .selectFrom('wallet_slots')
    .select('slot')
    .where('wallet_id', '=', id)
    .execute()
  const slotNames = new Set(slots.map(({ slot }) => slot))
  return parseManifest(manifest).devices.flatMap((device) =>
    slotNames.has(device.id) ? [] : device.id,
  )
}
