import type { ChainId } from '@latchkey/wire'
import type { Config } from '../config.ts'
import { isEvmChain } from '../evm/chain.ts'

const mainnet = 'eip155:1'

/**
 * The chains whose names count: Ethereum first, the others in the order of the chains file. Names
 * of a test network count only on that network, or if only test networks are configured: on them
 * anyone may register a name that belongs to another person on Ethereum.
 */
export function ensChains(
  { chains }: Pick<Config, 'chains'>,
  preferred: ChainId | undefined,
): ChainId[] {
  const all = (Object.keys(chains) as ChainId[])
    .filter((id) => isEvmChain(id) && chains[id]?.ens !== undefined)
    .sort((a, b) => Number(b === mainnet) - Number(a === mainnet))
  if (preferred !== undefined && chains[preferred]?.testnet && all.includes(preferred))
    return [preferred]
  const real = all.filter((id) => !chains[id]?.testnet)
  return real.length > 0 ? real : all
}
