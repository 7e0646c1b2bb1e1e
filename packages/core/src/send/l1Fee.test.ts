import { type Chains, setPriceBelow, startChains } from '@latchkey/dev'
import type { Allowance } from '@latchkey/wire'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createChainWallet } from '../../test/chainWallet.ts'
import { alice, bob, fakeConnector } from '../../test/fakeWallet.ts'
import { createPoolServer, poolServerUrl } from '../../test/poolServer.ts'
import { rpc } from '../../test/rpc.ts'
import { createBrowser, openApp } from '../../test/tab.ts'
import { prepareRevocation, revokeAllowances } from '../allowances/revokeAllowances.ts'
import { connect } from '../connection/connect.ts'
import { latchkeyTwo } from '../networks.ts'
import { getMaxSwap, prepareSwap } from '../swap/prepareSwap.ts'
import { swap } from '../swap/swap.ts'
import { getMaxAmount, prepareSend } from './prepareSend.ts'
import { send } from './send.ts'
import { waitForTransaction } from './waitForTransaction.ts'

/** A network of the OP stack: in addition to its gas, a transaction pays for its data. */
const chainId = 'eip155:31338' as const
const ether = { symbol: 'ETH', decimals: 18 }
const priceBelow = 30n * 10n ** 9n
/** The price of a payment in addition to its gas: its data, and the operator's fee. */
const paymentFee = (100n * 16n * 684_000n * priceBelow) / 10n ** 6n + 10n ** 12n

let chains: Chains
let url: string
let snapshot: unknown
let app: ReturnType<typeof openApp>
let usd: { address: Hex; symbol: string; decimals: number }

beforeAll(async () => {
  chains = await startChains()
  url = chains.urls[chainId]
  usd = { address: chains.addresses[chainId].usd, symbol: 'dUSD', decimals: 6 }
})
afterAll(() => chains?.stop())
beforeEach(async () => {
  snapshot = await rpc(url, 'evm_snapshot')
  const addresses = chains.addresses[chainId]
  const wallet = createChainWallet(url)
  wallet.answers.eth_chainId = () => '0x7a6a'
  app = openApp(
    {
      ...createBrowser().openTab(),
      fetch: createPoolServer({ chainId, url, addresses }).fetch,
      connectors: [fakeConnector({ id: 'a.one', wallet })],
    },
    { rpcUrls: chains.urls, apiUrl: poolServerUrl, networks: [latchkeyTwo] },
  )
  await connect(app, { connectorId: 'a.one' })
  return async () => {
    app.destroy()
    await rpc(url, 'evm_revert', [snapshot])
  }
})

const balance = async () => BigInt((await rpc(url, 'eth_getBalance', [alice, 'latest'])) as Hex)
const finish = async (hash: string) =>
  expect(await waitForTransaction(app, { hash, chainId })).toEqual({ status: 'success' })

/** The price of a transaction's gas. */
async function gasPaid(hash: string): Promise<bigint> {
  const receipt = (await rpc(url, 'eth_getTransactionReceipt', [hash])) as Record<string, Hex>
  return BigInt(receipt.gasUsed ?? 0) * BigInt(receipt.effectiveGasPrice ?? 0)
}

/** An allowance of the token that the test revokes. */
async function allow(spender: Hex) {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 5n] })
  await finish(
    (await rpc(url, 'eth_sendTransaction', [{ from: alice, to: usd.address, data }])) as string,
  )
}

test('default: the fee of a payment includes what its data costs, with a margin of a half', async () => {
  const before = await balance()
  const plan = await prepareSend(app, { to: bob, amount: '1', token: ether })
  const hash = await send(app, { plan })
  await finish(hash)
  const gas = await gasPaid(hash)
  const spent = before - (await balance()) - 10n ** 18n
  expect(spent - gas).toBeGreaterThanOrEqual(paymentFee)
  expect(spent - gas).toBeLessThan(paymentFee + 10n ** 5n)
  expect(plan.fee.value).toBeGreaterThan(gas + (paymentFee * 3n) / 2n)
})

test.each([
  ['as it was', 100n],
  ['four tenths higher, as after three full blocks', 140n],
])('behavior: Max is sent with the price of the layer below %s', async (_, percent) => {
  const amount = await getMaxAmount(app, { token: ether, to: bob })
  await setPriceBelow(url, (priceBelow * percent) / 100n)
  const plan = await prepareSend(app, { to: bob, amount, token: ether })
  await finish(await send(app, { plan }))
  expect(await balance()).toBeLessThan(10n ** 15n)
})

test('behavior: a plan of Max is also sent if the price rises after it', async () => {
  const amount = await getMaxAmount(app, { token: ether, to: bob })
  const plan = await prepareSend(app, { to: bob, amount, token: ether })
  await setPriceBelow(url, (priceBelow * 14n) / 10n)
  await finish(await send(app, { plan }))
})

test('error: a payment that leaves too little for its data is refused before the wallet prompts', async () => {
  const amount = await getMaxAmount(app, { token: ether, to: bob })
  await setPriceBelow(url, priceBelow * 3n)
  await expect(prepareSend(app, { to: bob, amount, token: ether })).rejects.toMatchObject({
    code: 'INSUFFICIENT_FUNDS',
  })
  const { fee } = await prepareSend(app, { to: bob, amount: '1', token: usd })
  await rpc(url, 'anvil_setBalance', [alice, `0x${(fee.value - paymentFee * 3n).toString(16)}`])
  await expect(prepareSend(app, { to: bob, amount: '1', token: usd })).rejects.toMatchObject({
    code: 'INSUFFICIENT_GAS',
  })
})

test('behavior: a swap of the most that can be swapped leaves what its data costs', async () => {
  await setPriceBelow(url, priceBelow * 100n)
  const amount = await getMaxSwap(app, { token: ether })
  const plan = await prepareSwap(app, { from: ether, to: usd, amount, slippage: 1 })
  expect(plan.fee.value).toBeGreaterThan(100n * paymentFee)
  await setPriceBelow(url, priceBelow * 110n)
  const outcome = await swap(app, { plan })
  if (!('hash' in outcome)) throw new Error('It was a batch')
  await finish(outcome.hash)
})

test('error: a swap whose data has become a quarter dearer is shown again', async () => {
  await setPriceBelow(url, priceBelow * 100n)
  const plan = await prepareSwap(app, { from: ether, to: usd, amount: '1', slippage: 1 })
  await setPriceBelow(url, priceBelow * 200n)
  await expect(swap(app, { plan })).rejects.toMatchObject({ code: 'SWAP_PRICE_MOVED' })
})

test('behavior: the fee of a revocation includes the data of each of its transactions', async () => {
  const spenders: Hex[] = [bob, chains.addresses[chainId].swapRouter]
  for (const spender of spenders) await allow(spender)
  const allowances = spenders.map(
    (spender): Allowance => ({
      kind: 'erc20',
      token: { address: `${chainId}:${usd.address}`, name: null, symbol: null, iconUrl: null },
      ...{ tokenId: null, spender, spenderName: null, amount: '5', isUnlimited: false },
      ...{ changedAt: '2026-01-01T00:00:00.000Z', expiresAt: null, isSpam: false },
    }),
  )
  const plan = await prepareRevocation(app, { allowances })
  expect(plan.fee.value).toBeGreaterThan(2n * paymentFee)
  const before = await balance()
  await revokeAllowances(app, { plan })
  expect(before - (await balance())).toBeLessThanOrEqual(plan.fee.value)
  expect(before - (await balance())).toBeGreaterThan(2n * paymentFee)
  await rpc(url, 'anvil_setBalance', [alice, `0x${(plan.fee.value / 2n).toString(16)}`])
  await expect(prepareRevocation(app, { allowances })).rejects.toMatchObject({
    code: 'INSUFFICIENT_GAS',
  })
})
