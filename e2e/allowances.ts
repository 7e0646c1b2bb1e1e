import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { rpc, stack } from './fixtures.ts'

const chain = 'eip155:31337'

/** Approves an allowance from an account, bypassing its wallet, and waits for the block. */
export async function allow(
  from: string,
  { token, spender, amount }: { token: 'usd' | 'gold'; spender: Hex; amount: bigint },
) {
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [spender, amount],
  })
  await rpc(chain, 'anvil_impersonateAccount', [from])
  const to = stack.addresses[chain]?.[token]
  const hash = await rpc<string>(chain, 'eth_sendTransaction', [{ from, to, data }])
  while ((await rpc(chain, 'eth_getTransactionReceipt', [hash])) === null)
    await rpc(chain, 'eth_blockNumber')
  await rpc(chain, 'anvil_stopImpersonatingAccount', [from])
}

/** The on-chain allowance of a spender. */
export async function allowanceOf(
  owner: Hex,
  { token, spender }: { token: 'usd' | 'gold'; spender: Hex },
): Promise<bigint> {
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'allowance',
    args: [owner, spender],
  })
  return BigInt(
    await rpc<string>(chain, 'eth_call', [{ to: stack.addresses[chain]?.[token], data }, 'latest']),
  )
}
