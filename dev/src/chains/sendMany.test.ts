import { createPublicClient, encodeFunctionData, erc20Abi, http } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callRpc } from './rpc.ts'
import { sendMany } from './sendMany.ts'
import { type Chains, startChains } from './startChains.ts'

let chains: Chains
beforeAll(async () => {
  chains = await startChains()
})
afterAll(() => chains?.stop())

const url = () => chains.urls['eip155:31337']
const client = () => createPublicClient({ transport: http(url()) })
const accountAt = (index: number) => chains.accounts[index]?.address ?? '0x'

test('default: thousands of transfers in big blocks, one block per transaction again after it', async () => {
  const to = '0x00000000000000000000000000000000000000aa'
  const before = await client().getBlockNumber()
  await sendMany({ url: url(), from: accountAt(1), count: 3_100, payment: () => ({ to }) })
  expect(await client().getBlockNumber()).toBe(before + 7n)
  expect(await client().getBalance({ address: to })).toBe(3_100n)
  await callRpc(url(), 'eth_sendTransaction', [{ from: accountAt(0), to, value: '0x1' }])
  await expect.poll(() => client().getBalance({ address: to })).toBe(3_101n)
})

test('param: payment sets the content of each transaction, gas its limit', async () => {
  const { usd } = chains.addresses['eip155:31337']
  const to = '0x00000000000000000000000000000000000000bb'
  const payment = (index: number) => ({
    to: usd,
    value: 0n,
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [to, BigInt(index + 1)],
    }),
  })
  const from = accountAt(2)
  await sendMany({ url: url(), from, count: 10, payment, perBlock: 4, gas: 80_000n })
  const read = { address: usd, abi: erc20Abi, functionName: 'balanceOf', args: [to] } as const
  expect(await client().readContract(read)).toBe(55n)
})

test('error: an account whose key the chain does not have', async () => {
  const payment = () => ({ to: accountAt(0) })
  const from = '0x00000000000000000000000000000000000000cc'
  await expect(sendMany({ url: url(), from, count: 2, payment })).rejects.toThrow(
    'eth_sendTransaction: No Signer available',
  )
  expect(await callRpc(url(), 'anvil_getAutomine', [])).toBe(true)
})
