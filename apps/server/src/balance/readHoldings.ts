import { type Namespace, parseChainId } from '@latchkey/wire'
import type { BalanceSources, HoldingsQuery, ReadHoldings } from './holding.ts'
import { readBitcoinHoldings } from './readBitcoinHoldings.ts'
import { readEvmHoldings } from './readEvmHoldings.ts'
import { readPolkadotHoldings } from './readPolkadotHoldings.ts'
import { readSolanaHoldings } from './readSolanaHoldings.ts'

type Read = (sources: BalanceSources, query: HoldingsQuery) => Promise<ReadHoldings>

const readers: Record<Namespace, Read> = {
  eip155: readEvmHoldings,
  solana: readSolanaHoldings,
  bip122: readBitcoinHoldings,
  polkadot: readPolkadotHoldings,
}

/** Reads the holdings of an address from the chain itself. Throws RPC_UNAVAILABLE. */
export const readHoldings: Read = (sources, query) =>
  readers[parseChainId(query.chainId).namespace](sources, query)
