import { requestEsplora } from '../esplora/requestEsplora.ts'
import { getAddress } from '../esplora/requests.ts'
import { nativeAddress } from '../evm/address.ts'
import type { BalanceSources, HoldingsQuery, ReadHoldings } from './holding.ts'

/** The bitcoins of one address, including pending ones. Throws RPC_UNAVAILABLE. */
export async function readBitcoinHoldings(
  { config, upstreams, readPrices }: BalanceSources,
  { owner, chainId, forced }: HoldingsQuery,
): Promise<ReadHoldings> {
  const chain = config.chains[chainId]
  if (chain === undefined) return { holdings: [], isComplete: true }
  const [stats, [quote]] = await Promise.all([
    requestEsplora({ upstreams, chainId }, getAddress({ chainId, address: owner })),
    readPrices({
      chainId,
      tokens: [nativeAddress],
      cache: forced.length > 0 ? 'pass' : 'use',
    }),
  ])
  const flows = [stats.chain_stats, stats.mempool_stats]
  const amount = flows.reduce(
    (total, flow) => total + BigInt(flow.funded_txo_sum) - BigInt(flow.spent_txo_sum),
    0n,
  )
  const holding = { ...chain.nativeCurrency, address: undefined, amount, quote }
  return { holdings: [holding], isComplete: true }
}
