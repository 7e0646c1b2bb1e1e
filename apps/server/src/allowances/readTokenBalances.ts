import { encodeFunctionData } from 'viem/utils'
import type { FollowedAccount } from '../activity/activity.ts'
import { erc20Abi } from '../evm/abi.ts'
import { decodeUint } from '../evm/decodeResult.ts'
import type { Hex } from '../evm/hex.ts'
import { readIsolated } from '../evm/readIsolated.ts'
import type { LiveAllowance, LiveAllowancesDeps } from './readLiveAllowances.ts'

/**
 * How much the account holds of the allowed tokens at the newest block, in base units by contract.
 * Omits tokens that do not report a balance. Throws RPC_UNAVAILABLE.
 */
export async function readTokenBalances(
  { config, upstreams }: Pick<LiveAllowancesDeps, 'config' | 'upstreams'>,
  { chainId, address }: FollowedAccount,
  allowances: readonly Pick<LiveAllowance, 'contract'>[],
): Promise<ReadonlyMap<Hex, bigint>> {
  const contracts = [...new Set(allowances.map(({ contract }) => contract))]
  const multicall3 = config.chains[chainId]?.multicall3 as Hex | undefined
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [address] })
  const reads = contracts.map((to) => ({ to, data }))
  const results = await readIsolated({ upstreams, chainId, multicall3 }, reads)
  const balances = new Map<Hex, bigint>()
  for (const [index, contract] of contracts.entries()) {
    const balance = decodeUint(results[index])
    if (balance !== undefined) balances.set(contract, balance)
  }
  return balances
}
