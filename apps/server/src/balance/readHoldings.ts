import { type Namespace, parseChainId } from '@latchkey/wire'
import type { BalanceSources, HoldingsQuery, ReadHoldings } from './holding.ts'
import { readBitcoinHoldings } from './readBitcoinHoldings.ts'
import { readEvmHoldings } from './readEvmHoldings.ts'
import { readSolanaHoldings } from './readSolanaHoldings.ts'

type Read = (sources: BalanceSources, query: HoldingsQuery) => Promise<ReadHoldings>

const readers: Partial<Record<Namespace, Read>> = {
  eip155: readEvmHoldings,
  solana: readSolanaHoldings,
  bip122: readBitcoinHoldings,
}

/** Whether balances are read on chains of a namespace. */
export const hasBalances = (namespace: Namespace): boolean => readers[namespace] !== undefined

/** What an address holds on a chain, from the chain itself. Throws RPC_UNAVAILABLE. */
export function readHoldings(sources: BalanceSources, query: HoldingsQuery): Promise<ReadHoldings> {
  const read = readers[parseChainId(query.chainId).namespace]
  return read?.(sources, query) ?? Promise.resolve({ holdings: [], isComplete: true })
}
