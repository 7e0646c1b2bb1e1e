import { encodeFunctionData, parseAbi, toHex } from 'viem'
import { deriveAccounts, getDeployer } from '../chains/accounts.ts'
import { type DevChainId, devChainIds } from '../chains/definitions.ts'
import { callRpc } from '../chains/rpc.ts'
import type { Payment } from './listSold.ts'

/** URLs of the nodes. */
export type Nodes = { readonly evm: Record<DevChainId, string>; readonly solanaUrl: string }

const dollarAbi = parseAbi(['function mint(address to, uint256 amount)'])

/**
 * Sends the purchased assets on their chain, once. Returns the hash or signature; throws if the
 * node refuses.
 */
export async function payOut(nodes: Nodes, payment: Payment): Promise<string> {
  const { sold, to, units } = payment
  const chainId = devChainIds.find((id) => id === sold.chainId)
  if (chainId === undefined) {
    const { payOutSolana } = await import('./payOutSolana.ts')
    return payOutSolana(nodes.solanaUrl, payment)
  }
  // The deployer has what it did not put into contracts, and no user or test pays from it.
  const from = getDeployer(deriveAccounts())
  const args = [to as `0x${string}`, units] as const
  const transaction =
    sold.asset === 'native'
      ? { from, to, value: toHex(units) }
      : { from, to: sold.asset, data: encodeFunctionData({ abi: dollarAbi, args }) }
  return String(await callRpc(nodes.evm[chainId], 'eth_sendTransaction', [transaction]))
}
