import { type DevChainId, devChainIds, nativeCurrency } from '../chains/definitions.ts'
import { solanaChain } from '../chains/solana/definition.ts'
import { solanaAddresses, solanaTokens } from '../chains/solana/seed/addresses.ts'
import { devTokens } from '../contracts/tokens.ts'

/** An asset that the checkout sells. `asset` is `native`, or the contract or mint of a token. */
export type Sold = {
  readonly chainId: string
  readonly asset: string
  readonly symbol: string
  readonly decimals: number
  /** The price of a whole unit, the same as in the pools of the local chains. */
  readonly usdCents: bigint
}

/** The assets to send to a buyer. */
export type Payment = {
  readonly sold: Sold
  readonly to: string
  /** In base units. */
  readonly units: bigint
}

const native = 'native'

/** The assets that the checkout sells: the currencies of the local chains and their dollar. */
export function listSold(parameters: {
  /** The dollar's contract on each EVM chain. */
  usd: Record<DevChainId, string>
  hasSolana: boolean
}): Sold[] {
  const { symbol, decimals } = devTokens.usd
  const dollar = { symbol, decimals, usdCents: 100n }
  const ether = { asset: native, ...pick(nativeCurrency), usdCents: 300_000n }
  const sol = { asset: native, ...pick(solanaChain.nativeCurrency), usdCents: 15_000n }
  const evm = devChainIds.flatMap((chainId) => [
    { chainId, ...ether },
    { chainId, asset: parameters.usd[chainId].toLowerCase(), ...dollar },
  ])
  if (!parameters.hasSolana) return evm
  const { id: chainId } = solanaChain
  const token = { ...pick(solanaTokens.token), usdCents: 100n }
  return [...evm, { chainId, ...sol }, { chainId, asset: solanaAddresses.token, ...token }]
}

const pick = ({ symbol, decimals }: { symbol: string; decimals: number }) => ({ symbol, decimals })
