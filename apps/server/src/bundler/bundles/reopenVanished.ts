import { hexQuantity } from '../../evm/schemas.ts'
import type { ChainBundler } from '../chainBundler.ts'
import { takeBundlerLease } from './bundleStore.ts'
import { listMinedBundles, reopenBundle } from './minedBundles.ts'

/** A block that so many others follow stays. */
const watchedBlocks = 64n

/**
 * Looks whether bundles that were mined lately still are: after a re-org the operations of one that vanished wait again, and the
 * same transaction is sent again. Throws RPC_UNAVAILABLE.
 */
export async function reopenVanished(chain: ChainBundler, holder: string): Promise<void> {
  const { db, chainId, ask, log } = chain
  const mined = await listMinedBundles({ db, chainId })
  if (mined.length === 0 || !(await takeBundlerLease({ db, chainId, holder }))) return
  const askHead = { method: 'eth_blockNumber', params: [] }
  const [now] = await ask([askHead])
  const first = hexQuantity.parse(now?.result) - watchedBlocks
  const watched = mined.filter(({ block }) => block > first)
  if (watched.length === 0) return
  const [head, ...receipts] = await ask([
    askHead,
    ...watched.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  ])
  const latest = hexQuantity.parse(head?.result)
  for (const [index, { hash, block }] of watched.entries()) {
    // A node that is behind does not know the block yet.
    if (block > latest || receipts[index]?.result !== null) continue
    log.warn({ bundle: hash, block: String(block) }, 'a bundle left the chain')
    await reopenBundle({ db, chainId }, hash)
  }
}
