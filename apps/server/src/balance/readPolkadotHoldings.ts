import { readAccount } from '../polkadot/readAccount.ts'
import type { BalanceSources, HoldingsQuery, ReadHoldings } from './holding.ts'

/**
 * The native currency of an account, including reserved funds, without a price. Throws
 * RPC_UNAVAILABLE.
 */
export async function readPolkadotHoldings(
  { config, upstreams }: BalanceSources,
  { owner, chainId }: HoldingsQuery,
): Promise<ReadHoldings> {
  const chain = config.chains[chainId]
  if (chain === undefined) return { holdings: [], isComplete: true }
  const { free, reserved } = await readAccount({ upstreams, chainId }, owner)
  const native = { ...chain.nativeCurrency, address: undefined, quote: undefined }
  return { holdings: [{ ...native, amount: free + reserved }], isComplete: true }
}
