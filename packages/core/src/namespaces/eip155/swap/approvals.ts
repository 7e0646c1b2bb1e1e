import { isError } from '@latchkey/wire'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import type { Request } from '../../request.ts'
import { toBigInt } from '../values.ts'

type Holding = { node: Request; token: string; owner: string; spender: string }

/** The amount of an owner's token that a spender may currently take. */
export async function readAllowance({ node, token, owner, spender }: Holding): Promise<bigint> {
  const args = [owner as Hex, spender as Hex] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args })
  return toBigInt(await node('eth_call', [{ to: token, data }, 'latest']))
}

/**
 * The allowances to request, one after the other, so that a spender may take `grant`; empty if the
 * allowance already covers `amount`. Tokens that refuse to change an allowance, for example Tether
 * on Ethereum, get an allowance of 0 first.
 */
export async function getApprovals(
  parameters: Holding & { amount: bigint; grant: bigint },
): Promise<bigint[]> {
  const { node, token, owner, spender, amount, grant } = parameters
  const present = await readAllowance(parameters)
  if (present >= amount) return []
  if (present === 0n) return [grant]
  const data = encodeApproval(spender, grant)
  try {
    await node('eth_call', [{ from: owner, to: token, data }, 'latest'])
    return [grant]
  } catch (error) {
    if (!isError(error, 'RPC_FAILED')) throw error
    return [0n, grant]
  }
}

/** Calldata that allows a spender to take exactly this amount. */
const encodeApproval = (spender: string, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender as Hex, amount] })

/** The calls that request allowances, one after the other. */
export const encodeApprovals = (parameters: {
  token: string
  spender: string
  approvals: readonly bigint[]
}) =>
  parameters.approvals.map((value) => ({
    to: parameters.token,
    data: encodeApproval(parameters.spender, value),
  }))
