import * as z from 'zod'
import { hexHash, hexQuantity } from '../../evm/schemas.ts'
import type { ChainBundler } from '../chainBundler.ts'
import { takeBundlerLease } from './bundleStore.ts'
import { listMinedBundles, reopenBundle } from './minedBundles.ts'

/** The number of blocks after which a block is considered final. */
const watchedBlocks = 64n

const header = z.object({ hash: hexHash })

/**
 * Checks that recently mined bundles are still in the chain. After a reorganization, the operations
 * of a vanished bundle wait again, and the same transaction is sent again. Requests single blocks,
 * the newest first, until a block is unchanged, because all earlier blocks are then unchanged too.
 * Throws RPC_UNAVAILABLE.
 */
export async function requeueReorged(chain: ChainBundler, holder: string): Promise<void> {
  const { db, chainId, ask, log } = chain
  const mined = await listMinedBundles({ db, chainId })
  if (mined.length === 0 || !(await takeBundlerLease({ db, chainId, holder }))) return
  const [head] = await ask([{ method: 'eth_blockNumber', params: [] }])
  const latest = hexQuantity.parse(head?.result)
  // A node that is behind does not know the block yet.
  const watched = mined.filter(({ block }) => block <= latest && block > latest - watchedBlocks)
  for (const { hash, block, blockHash } of watched) {
    const params = [`0x${block.toString(16)}`, false]
    const [reply] = await ask([{ method: 'eth_getBlockByNumber', params }])
    const now = header.safeParse(reply?.result)
    if (!now.success) return
    if (now.data.hash === blockHash) return
    log.warn({ bundle: hash, block: String(block) }, 'a bundle left the chain')
    await reopenBundle({ db, chainId }, hash)
  }
}
