import { sql } from 'kysely'
import type { Hex } from 'viem'
import type { ChainDatabase } from '../mempool/operationStore.ts'
import type { MinedVersion } from './bundleStore.ts'

const watchedMinutes = 30
const watchedBundles = 64

/** Recently mined bundles, the newest block first. */
export async function listMinedBundles({ db, chainId }: ChainDatabase): Promise<MinedVersion[]> {
  const rows = await db
    .selectFrom('user_operation_bundles')
    .select(['hash', 'block_number', 'block_hash'])
    .where('chain_id', '=', chainId)
    .where('settled', '=', true)
    .where('block_number', 'is not', null)
    .where('block_hash', 'is not', null)
    .where('created_at', '>', sql<Date>`now() - make_interval(mins => ${watchedMinutes})`)
    .orderBy('block_number', 'desc')
    .limit(watchedBundles)
    .execute()
  return rows.map(({ hash, block_number, block_hash }) => ({
    hash: hash as Hex,
    block: BigInt(block_number ?? 0),
    blockHash: block_hash as Hex,
  }))
}

/**
 * Reopens a bundle that left the chain. Its operations wait for it again, or for another version of
 * it, which may be mined instead. An operation is dropped if another operation with its nonce has
 * replaced it in the meantime.
 */
export async function reopenBundle({ db, chainId }: ChainDatabase, hash: Hex): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`update user_operation_bundles set settled = false, block_number = null, block_hash = null, lost_gas = null
      where chain_id = ${chainId} and created_at > now() - make_interval(mins => ${2 * watchedMinutes})
      and nonce = (select nonce from user_operation_bundles where chain_id = ${chainId} and hash = ${hash})`.execute(
      transaction,
    )
    await sql`update user_operations as o set changed_at = now(),
      status = case when w.hash is null then 'sent' else 'dropped' end,
      reason = case when w.hash is null then null else 'replaced' end
      from user_operations as m left join user_operations as w on w.chain_id = m.chain_id
        and w.sender = m.sender and w.nonce = m.nonce and w.status in ('pending', 'sent')
      where m.chain_id = ${chainId} and m.bundle_hash = ${hash} and m.status = 'included'
        and o.chain_id = m.chain_id and o.hash = m.hash`.execute(transaction)
  })
}
