import { type Chains, readArtifact, startChains, waitForReceipt } from '@latchkey/dev'
import { isError } from '@latchkey/wire'
import {
  createPublicClient,
  decodeFunctionData,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  formatEther,
  type Hex,
  http,
  parseAbi,
  toHex,
} from 'viem'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createChainWallet } from '../../test/chainWallet.ts'
import {
  alice,
  bob,
  type FakeWallet,
  fakeConnector,
  neverSleep,
  rpcError,
} from '../../test/fakeWallet.ts'
import { createPoolServer, type PoolServer, poolServerUrl, type Tx } from '../../test/poolServer.ts'
import { rpc } from '../../test/rpc.ts'
import { createBrowser, openApp } from '../../test/tab.ts'
import { connect } from '../connection/connect.ts'
import type { InjectedProvider } from '../namespaces/eip155/connector/provider.ts'
import type { AskSafe } from '../namespaces/eip155/connector/safe/askParent.ts'
import type { SafeCall } from '../namespaces/eip155/connector/safe/readSafeRequest.ts'
import { createSafeProvider } from '../namespaces/eip155/connector/safe/safeProvider.ts'
import { swapRouterAbi } from '../namespaces/eip155/swap/abi.ts'
import type { AllowanceChoice } from '../namespaces/swapPlan.ts'
import { latchkeyOne, latchkeyTwo } from '../networks.ts'
import { waitForTransaction } from '../send/waitForTransaction.ts'
import { getSwapPrices, getSwapTokens } from './getSwapTokens.ts'
import { getMaxSwap, isSignatureRefused, prepareSwap, type SwapParameters } from './prepareSwap.ts'
import { quoteSwap } from './quoteSwap.ts'
import { swap } from './swap.ts'

const chainId = 'eip155:31337' as const
const native = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
const ether: SwapParameters['from'] = { symbol: 'ETH', decimals: 18 }
const v2Abi = parseAbi([
  'function swapExactETHForTokens(uint256, address[], address, uint256) payable',
  'function addLiquidityETH(address, uint256, uint256, uint256, address, uint256) payable',
])

let chains: Chains
let url: string
let snapshot: unknown
let wallet: FakeWallet
let app: ReturnType<typeof openApp>
/** The server's responses; a test may have it lie. */
let server: PoolServer
let usd: { address: Hex; symbol: string; decimals: number }

beforeAll(async () => {
  chains = await startChains()
  url = chains.urls[chainId]
  usd = { address: at().usd, symbol: 'dUSD', decimals: 6 }
})
afterAll(() => chains?.stop())
beforeEach(async () => {
  snapshot = await rpc(url, 'evm_snapshot')
  server = createPoolServer({ chainId, url, addresses: at() })
  wallet = createChainWallet(url)
  app = openApp(
    {
      ...createBrowser().openTab(),
      fetch: server.fetch,
      connectors: [fakeConnector({ id: 'a.one', wallet })],
    },
    { rpcUrls: chains.urls, apiUrl: poolServerUrl },
  )
  await connect(app, { connectorId: 'a.one' })
  return async () => {
    app.destroy()
    await rpc(url, 'evm_revert', [snapshot])
  }
})

const at = () => chains.addresses[chainId]
const client = () => createPublicClient({ transport: http(url) })
const id = (address: string) => `${chainId}:${address.toLowerCase()}`
const json = (value: unknown, status = 200) => new Response(JSON.stringify(value), { status })

const read = (token: Hex, functionName: 'balanceOf' | 'allowance') =>
  client().readContract({
    address: token,
    abi: erc20Abi,
    functionName,
    args: functionName === 'allowance' ? [alice, at().swapRouter] : [alice],
  } as Parameters<ReturnType<typeof client>['readContract']>[0]) as Promise<bigint>

const toUsd = (amount = '1'): SwapParameters => ({ from: ether, to: usd, amount, slippage: 1 })
/** By a transaction, unless a test chooses otherwise. */
const fromUsd = (amount = '100', allowance: AllowanceChoice = 'exact'): SwapParameters => ({
  from: usd,
  to: ether,
  amount,
  slippage: 1,
  allowance,
})

/** The calls that the wallet was requested to send. */
const sent = () =>
  wallet.calls
    .filter(({ method }) => method === 'eth_sendTransaction')
    .map(({ params }) => (params as [{ to: string; data: Hex; value: Hex }])[0])
const approvalsOf = (calls: readonly { data: Hex }[]) =>
  calls.map(({ data }) => decodeFunctionData({ abi: erc20Abi, data }).args)

async function finish(outcome: Awaited<ReturnType<typeof swap>>) {
  if (!('hash' in outcome)) throw new Error('It was a batch')
  expect(await waitForTransaction(app, { hash: outcome.hash, chainId })).toEqual({
    status: 'success',
  })
}

test('default: the networks have the addresses of the local chains', () => {
  for (const network of [latchkeyOne, latchkeyTwo])
    expect(network.swap).toEqual({ router: at().swapRouter, wrappedNative: at().wrappedEther })
})

test('default: the native currency for a token: as reviewed, and not a unit less', async () => {
  const plan = await prepareSwap(app, toUsd('1.5'))
  const { outflows, expected, minimum, steps, isBatch } = plan
  expect(outflows).toMatchObject([{ value: 1_500_000_000_000_000_000n, symbol: 'ETH' }])
  expect(minimum.value).toBe((expected.value * 99n + 99n) / 100n)
  expect({ steps, isBatch }).toEqual({
    steps: [{ kind: 'swap', contract: at().swapRouter }],
    isBatch: false,
  })
  const before = await read(usd.address, 'balanceOf')
  await finish(await swap(app, { plan }))
  expect((await read(usd.address, 'balanceOf')) - before).toBe(expected.value)
  expect(sent()).toMatchObject([{ value: '0x14d1120d7b160000' }])
})

test('default: a token: an allowance of exactly the amount first, then the swap', async () => {
  const plan = await prepareSwap(app, fromUsd('100.000001'))
  expect(plan.steps).toMatchObject([
    { kind: 'approve', spender: at().swapRouter, amount: { value: 100_000_001n } },
    { kind: 'swap' },
  ])
  const steps: number[] = []
  await finish(await swap(app, { plan, onStep: (step) => steps.push(step) }))
  expect(steps).toEqual([0, 1])
  expect(approvalsOf(sent().slice(0, 1))).toEqual([[at().swapRouter, 100_000_001n]])
  expect(await read(usd.address, 'allowance')).toBe(0n)
})

test('default: a token that takes a signature: exactly the amount for minutes, and one transaction', async () => {
  const plan = await prepareSwap(app, fromUsd('100.000001', 'signature'))
  expect(plan).toMatchObject({
    isBatch: false,
    steps: [
      { kind: 'permit', spender: at().swapRouter, amount: { value: 100_000_001n } },
      { kind: 'swap', contract: at().swapRouter },
    ],
  })
  const held = await read(usd.address, 'balanceOf')
  const steps: number[] = []
  await finish(await swap(app, { plan, onStep: (step) => steps.push(step) }))
  expect(steps).toEqual([0, 1])
  expect(held - (await read(usd.address, 'balanceOf'))).toBe(100_000_001n)
  expect(await read(usd.address, 'allowance')).toBe(0n)
  expect(sent()).toHaveLength(1)
  const { domain, message, primaryType } = signed()
  expect({ domain, primaryType }).toEqual({
    domain: { name: 'Dev USD', version: '1', chainId: 31_337, verifyingContract: usd.address },
    primaryType: 'Permit',
  })
  expect(message).toMatchObject({ owner: alice, spender: at().swapRouter, value: '100000001' })
  const { timestamp } = await client().getBlock()
  const now = Math.max(Math.floor(Date.now() / 1000), Number(timestamp))
  expect(Number(message.deadline)).toBeLessThanOrEqual(now + 1_200)
})

/** The typed data that the wallet was requested to sign. */
function signed() {
  const requests = wallet.calls.filter(({ method }) => method === 'eth_signTypedData_v4')
  expect(requests).toHaveLength(1)
  const [, text] = (requests[0]?.params ?? []) as [string, string]
  return JSON.parse(text) as {
    domain: object
    primaryType: string
    message: Record<string, string>
  }
}

test('behavior: a sufficient allowance needs no signature; the choice `exact` requests a transaction', async () => {
  expect((await prepareSwap(app, fromUsd('5', 'exact'))).steps).toMatchObject([
    { kind: 'approve', amount: { value: 5_000_000n } },
    { kind: 'swap' },
  ])
  const plan = await prepareSwap(app, fromUsd('5', 'unlimited'))
  expect(plan.steps).toMatchObject([
    { kind: 'approve', isUnlimited: true, amount: { value: 2n ** 256n - 1n } },
    { kind: 'swap' },
  ])
  await finish(await swap(app, { plan }))
  expect(approvalsOf(sent().slice(0, 1))).toEqual([[at().swapRouter, 2n ** 256n - 1n]])
  const later = await prepareSwap(app, fromUsd('6', 'signature'))
  expect(later.steps).toMatchObject([{ kind: 'swap' }])
  expect(wallet.calls.some(({ method }) => method === 'eth_signTypedData_v4')).toBe(false)
})

test.each<[string, (params: unknown) => unknown]>([
  ['no such method', () => Promise.reject(rpcError(4200, 'No eth_signTypedData_v4'))],
  ['a signature of nobody', () => `0x${'ab'.repeat(65)}`],
  ['the long signature of a contract', () => `0x${'ab'.repeat(130)}`],
  [
    'a signature of another amount',
    (params) => {
      const [address, text] = params as [string, string]
      const data = JSON.parse(text) as { message: Record<string, string> }
      data.message.value = '1'
      return rpc(url, 'eth_signTypedData_v4', [address, data])
    },
  ],
])('error: a wallet with %s swaps by a transaction instead', async (_, sign) => {
  wallet.answers.eth_signTypedData_v4 = sign
  const plan = await prepareSwap(app, fromUsd('10', 'signature'))
  const error = await swap(app, { plan }).catch((cause: unknown) => cause)
  expect(isSignatureRefused(error)).toBe(true)
  expect(sent()).toEqual([])
  await finish(await swap(app, { plan: await prepareSwap(app, fromUsd('10', 'exact')) }))
})

test('error: who declines the signature sends nothing, and is not asked for a transaction', async () => {
  wallet.answers.eth_signTypedData_v4 = () => Promise.reject(rpcError(4001, 'No'))
  const plan = await prepareSwap(app, fromUsd('10', 'signature'))
  const error = await swap(app, { plan }).catch((cause: unknown) => cause)
  expect(isError(error, 'USER_REJECTED')).toBe(true)
  expect(isSignatureRefused(error)).toBe(false)
  expect(sent()).toEqual([])
})

test('error: a server cannot insert its own permit into the swap', async () => {
  const permit = encodeFunctionData({
    abi: swapRouterAbi,
    functionName: 'selfPermitIfNecessary',
    args: [usd.address, 2n ** 255n, 2n ** 63n, 27, `0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`],
  })
  server.alter = (tx) => {
    const { args } = decodeFunctionData({ abi: swapRouterAbi, data: tx.data as Hex })
    const [deadline, steps] = args as unknown as [bigint, Hex[]]
    const whole = [deadline, [permit, ...steps]] as const
    return {
      ...tx,
      data: encodeFunctionData({ abi: swapRouterAbi, functionName: 'multicall', args: whole }),
    }
  }
  await expect(prepareSwap(app, fromUsd('10', 'signature'))).rejects.toMatchObject({
    code: 'SWAP_ALTERED',
  })
})

test('default: with a wallet that does it, allowance and swap are one batch', async () => {
  wallet.answers.wallet_getCapabilities = () => ({ '0x7a69': { atomic: { status: 'supported' } } })
  wallet.answers.wallet_sendCalls = () => ({ id: '0x1234' })
  const plan = await prepareSwap(app, fromUsd())
  expect(plan).toMatchObject({ isBatch: true, fee: { payer: 'account' } })
  expect(await swap(app, { plan })).toEqual({ callsId: '0x1234' })
  const batches = wallet.calls.filter(({ method }) => method === 'wallet_sendCalls')
  const [{ calls, atomicRequired }] = (batches[0]?.params ?? [{}]) as [
    { calls: { to: string; data: Hex; value: string }[]; atomicRequired: boolean },
  ]
  expect(batches).toHaveLength(1)
  expect(atomicRequired).toBe(true)
  expect(calls).toMatchObject([
    { to: usd.address, value: '0x0' },
    { to: at().swapRouter, value: '0x0' },
  ])
  expect(approvalsOf(calls.slice(0, 1))).toEqual([[at().swapRouter, 100_000_000n]])
  expect(sent()).toEqual([])
})

test('behavior: a wallet that takes back its support for batches gets single requests', async () => {
  wallet.answers.wallet_getCapabilities = () => ({ '0x7a69': { atomic: { status: 'ready' } } })
  wallet.answers.wallet_sendCalls = () => Promise.reject(rpcError(5750, 'no smart account'))
  const plan = await prepareSwap(app, fromUsd())
  await finish(await swap(app, { plan }))
  expect(sent()).toHaveLength(2)
})

/** A new token that misbehaves as configured; the account holds 1,000 of it. */
async function deployHostile() {
  const { abi, bytecode } = readArtifact('DevHostileToken')
  const deploy = encodeDeployData({ abi, bytecode })
  const hash = (await rpc(url, 'eth_sendTransaction', [{ from: alice, data: deploy }])) as Hex
  const { contractAddress } = await waitForReceipt(client(), hash)
  const token = { address: contractAddress as Hex, symbol: 'dBAD', decimals: 18 }
  const call = async (functionName: string, args: readonly unknown[]) =>
    mine({ to: token.address, data: encodeFunctionData({ abi, functionName, args }) })
  await call('mint', [alice, 10n ** 21n])
  return { token, call }
}

/** The same with a pool of 100 of it and one ether. */
async function deployPooled() {
  const hostile = await deployHostile()
  const { token, call } = hostile
  await call('approve', [at().uniswapV2Router, 10n ** 20n])
  const args = [token.address, 10n ** 20n, 0n, 0n, alice, 2n ** 63n] as const
  const data = encodeFunctionData({ abi: v2Abi, functionName: 'addLiquidityETH', args })
  await mine({ to: at().uniswapV2Router, data, value: '0xde0b6b3a7640000' })
  return hostile
}

async function mine(transaction: { to: Hex; data: Hex; value?: Hex }) {
  // More than the node estimates: a pool writes more in a second in which it has not been used.
  const gas = toHex(5_000_000)
  const hash = await rpc(url, 'eth_sendTransaction', [{ from: alice, gas, ...transaction }])
  await waitForReceipt(client(), hash as Hex)
  return hash
}

test('error: a permit without effect is replaced by a transaction; another domain is not signed', async () => {
  const { token, call } = await deployPooled()
  const parameters: SwapParameters = { from: token, to: ether, amount: '1', slippage: 1 }
  const kinds = async () => (await prepareSwap(app, parameters)).steps.map(({ kind }) => kind)
  expect(await kinds()).toEqual(['approve', 'swap'])
  await call('lieAboutPermit', [2])
  expect(await kinds()).toEqual(['approve', 'swap'])
  await call('lieAboutPermit', [1])
  const plan = await prepareSwap(app, parameters)
  expect(plan.steps.map(({ kind }) => kind)).toEqual(['permit', 'swap'])
  const error = await swap(app, { plan }).catch((cause: unknown) => cause)
  expect(isSignatureRefused(error)).toBe(true)
  expect(sent()).toEqual([])
  const exact = await prepareSwap(app, { ...parameters, allowance: 'exact' })
  await finish(await swap(app, { plan: exact }))
  expect(sent()).toHaveLength(2)
})

test('behavior: an account with code gets a transaction request instead of a permit', async () => {
  await rpc(url, 'anvil_setCode', [alice, '0xef0100000000000000000000000000000000000000dead'])
  const { steps } = await prepareSwap(app, fromUsd('10', 'signature'))
  expect(steps).toMatchObject([{ kind: 'approve' }, { kind: 'swap' }])
})

test('behavior: a token that wants it gets its allowance taken back first', async () => {
  const { token, call } = await deployHostile()
  await call('approve', [at().swapRouter, 5n])
  const whole = { from: token, to: ether, amount: '1', slippage: 1 }
  // There is no pool for it: the server's word is enough here.
  server.alter = (tx) => tx
  const steps = async () => {
    const lying = await prepareSwap(app, whole).catch((error: unknown) => error)
    return isError(lying) ? lying.code : (lying as Awaited<ReturnType<typeof prepareSwap>>).steps
  }
  const swapData = [
    10n ** 18n,
    0n,
    [token.address, at().wrappedEther],
    '0x0000000000000000000000000000000000000002',
  ]
  const { timestamp } = await client().getBlock()
  server.answers['/v1/convert/build-transaction'] = () => ({
    tx: {
      from: `${chainId}:${alice}`,
      to: id(at().swapRouter),
      data: encodeFunctionData({
        abi: swapRouterAbi,
        functionName: 'multicall',
        args: [
          (timestamp > BigInt(Math.floor(Date.now() / 1000))
            ? timestamp
            : BigInt(Math.floor(Date.now() / 1000))) + 600n,
          [
            encodeFunctionData({
              abi: swapRouterAbi,
              functionName: 'swapExactTokensForTokens',
              args: swapData as never,
            }),
            encodeFunctionData({
              abi: swapRouterAbi,
              functionName: 'unwrapWETH9',
              args: [99n, alice],
            }),
          ],
        ],
      }),
      amount: '100',
      eip155: null,
    },
  })
  expect(await steps()).toMatchObject([{ kind: 'approve' }, { kind: 'swap' }])
  await call('behave', needsReset)
  expect(await steps()).toMatchObject([
    { kind: 'approve', amount: { value: 0n } },
    { kind: 'approve', amount: { value: 10n ** 18n } },
    { kind: 'swap' },
  ])
  await call('behave', [6, 0n, 100n, false, false])
  // Its decimals differ from the server's.
  expect(await steps()).toBe('SWAP_ALTERED')
})

const needsReset = [18, 0n, 100n, false, true] as const

test('behavior: an allowance that is taken back first: three transactions, and nothing is left of it', async () => {
  const { token, call } = await deployPooled()
  await call('approve', [at().swapRouter, 5n])
  await call('behave', needsReset)
  const parameters: SwapParameters = { from: token, to: ether, amount: '1', slippage: 1 }
  const plan = await prepareSwap(app, { ...parameters, allowance: 'exact' })
  const held = await read(token.address, 'balanceOf')
  const steps: number[] = []
  await finish(await swap(app, { plan, onStep: (step) => steps.push(step) }))
  expect(steps).toEqual([0, 1, 2])
  const [router, amount] = [at().swapRouter, 10n ** 18n]
  expect(approvalsOf(sent().slice(0, 2))).toEqual([
    [router, 0n],
    [router, amount],
  ])
  expect(sent().map(({ to }) => to.toLowerCase())).toEqual(
    [token.address, token.address, router].map((one) => one.toLowerCase()),
  )
  expect(held - (await read(token.address, 'balanceOf'))).toBe(amount)
  expect(await read(token.address, 'allowance')).toBe(0n)
})

test('behavior: a swap has the gas for what a new pool first writes in another second', async () => {
  const { token } = await deployPooled()
  // The estimate is of the second in which the pool was made; the block is of a later one.
  await rpc(url, 'anvil_setBlockTimestampInterval', [0])
  onTestFinished(() => rpc(url, 'anvil_removeBlockTimestampInterval', []).then(() => undefined))
  const send = wallet.answers.eth_sendTransaction
  wallet.answers.eth_sendTransaction = async (params) => {
    const [{ to }] = params as [{ to: string }]
    if (to.toLowerCase() === at().swapRouter.toLowerCase())
      await rpc(url, 'anvil_setBlockTimestampInterval', [10])
    return send?.(params)
  }
  const parameters: SwapParameters = { from: token, to: ether, amount: '1', slippage: 1 }
  const plan = await prepareSwap(app, { ...parameters, allowance: 'exact' })
  await finish(await swap(app, { plan }))
})

test('behavior: a batch takes the earlier allowance back first too', async () => {
  const { token, call } = await deployPooled()
  await call('approve', [at().swapRouter, 5n])
  await call('behave', needsReset)
  wallet.answers.wallet_getCapabilities = () => ({ '0x7a69': { atomic: { status: 'supported' } } })
  // The chain's node executes the calls in sequence, like a wallet in a single transaction.
  wallet.answers.wallet_sendCalls = async (params) => {
    const [{ calls }] = params as [{ calls: { to: Hex; data: Hex; value: Hex }[] }]
    for (const one of calls) await mine(one)
    return { id: '0x1234' }
  }
  const parameters: SwapParameters = { from: token, to: ether, amount: '1', slippage: 1 }
  const plan = await prepareSwap(app, parameters)
  const held = await read(token.address, 'balanceOf')
  expect(await swap(app, { plan })).toEqual({ callsId: '0x1234' })
  const [batch, ...others] = wallet.calls.filter(({ method }) => method === 'wallet_sendCalls')
  const [{ calls }] = (batch?.params ?? [{}]) as [{ calls: { to: string; data: Hex }[] }]
  expect(others).toEqual([])
  expect(calls).toHaveLength(3)
  expect(approvalsOf(calls.slice(0, 2))).toEqual([
    [at().swapRouter, 0n],
    [at().swapRouter, 10n ** 18n],
  ])
  expect(sent()).toEqual([])
  expect(held - (await read(token.address, 'balanceOf'))).toBe(10n ** 18n)
  expect(await read(token.address, 'allowance')).toBe(0n)
})

test('behavior: the native currency is wrapped and unwrapped one to one, regardless of the server', async () => {
  server.answers['/v1/convert/build-transaction'] = () => ({ tx: null })
  const wrapped = { address: at().wrappedEther, symbol: 'WETH', decimals: 18 }
  const plan = await prepareSwap(app, { from: ether, to: wrapped, amount: '2', slippage: 1 })
  expect(plan.minimum.value).toBe(2n * 10n ** 18n)
  const before = await read(wrapped.address, 'balanceOf')
  await finish(await swap(app, { plan }))
  expect((await read(wrapped.address, 'balanceOf')) - before).toBe(2n * 10n ** 18n)
  const back = await prepareSwap(app, { from: wrapped, to: ether, amount: '2', slippage: 1 })
  expect(back.steps).toHaveLength(1)
  await finish(await swap(app, { plan: back }))
  expect(await read(wrapped.address, 'balanceOf')).toBe(before)
})

test('error: a price that moved below the minimum is not signed for', async () => {
  const plan = await prepareSwap(app, toUsd())
  const data = encodeFunctionData({
    abi: v2Abi,
    functionName: 'swapExactETHForTokens',
    args: [0n, [at().wrappedEther, usd.address], bob, 2n ** 63n],
  })
  const value = `0x${(30n * 10n ** 18n).toString(16)}`
  const hash = await rpc(url, 'eth_sendTransaction', [
    { from: bob, to: at().uniswapV2Router, data, value },
  ])
  await waitForReceipt(client(), hash as Hex)
  await expect(swap(app, { plan })).rejects.toMatchObject({ code: 'SWAP_PRICE_MOVED' })
  expect(sent()).toEqual([])
  const fresh = await prepareSwap(app, toUsd())
  expect(fresh.expected.value).toBeLessThan(plan.minimum.value)
  await finish(await swap(app, { plan: fresh }))
})

test('behavior: a price that moved a little is swapped at no less than the minimum that was shown', async () => {
  const plan = await prepareSwap(app, toUsd())
  server.alter = (tx) => tx
  const data = encodeFunctionData({
    abi: v2Abi,
    functionName: 'swapExactETHForTokens',
    args: [0n, [at().wrappedEther, usd.address], bob, 2n ** 63n],
  })
  const hash = await rpc(url, 'eth_sendTransaction', [
    { from: bob, to: at().uniswapV2Router, data, value: '0xde0b6b3a7640000' },
  ])
  await waitForReceipt(client(), hash as Hex)
  const before = await read(usd.address, 'balanceOf')
  await finish(await swap(app, { plan }))
  expect((await read(usd.address, 'balanceOf')) - before).toBeGreaterThanOrEqual(plan.minimum.value)
  const signed = sent()[0]?.data ?? '0x'
  const [, [inner]] = decodeFunctionData({ abi: swapRouterAbi, data: signed }).args as [
    bigint,
    [Hex],
  ]
  expect(decodeFunctionData({ abi: swapRouterAbi, data: inner }).args?.[1]).toBe(plan.minimum.value)
})

test.each<[string, (tx: Tx) => Tx, string]>([
  ['router', (tx) => ({ ...tx, to: id(bob) }), 'SWAP_ALTERED'],
  ['network', (tx) => ({ ...tx, to: tx.to.replace('31337', '1') }), 'SWAP_ALTERED'],
  ['account', (tx) => ({ ...tx, from: id(bob) }), 'SWAP_ALTERED'],
  ['value', (tx) => ({ ...tx, value: '1000000000000000001' }), 'SWAP_ALTERED'],
  ['expectation', (tx) => ({ ...tx, amount: String(BigInt(tx.amount) * 2n) }), 'SWAP_ALTERED'],
  ['calldata', (tx) => ({ ...tx, data: '0xa9059cbb' }), 'SWAP_ALTERED'],
  [
    'receiver',
    (tx) => ({
      ...tx,
      data: tx.data.replace(alice.slice(2).toLowerCase(), bob.slice(2).toLowerCase()),
    }),
    'SWAP_ALTERED',
  ],
  [
    'quote',
    (tx) => ({
      ...tx,
      quote: {
        id: null,
        fromAmount: '1',
        fromAccount: id(native),
        toAmount: '9',
        toAccount: id(usd.address),
      },
    }),
    'SWAP_ALTERED',
  ],
  ['shape', (tx) => ({ ...tx, amount: '-1' }), 'ANSWER_INVALID'],
])(
  'error: a server that lies about the %s gets nothing signed, at review or later',
  async (_, alter, code) => {
    const honest = await prepareSwap(app, toUsd())
    server.alter = alter
    await expect(prepareSwap(app, toUsd())).rejects.toMatchObject({ code })
    const error = await swap(app, { plan: honest }).catch((cause: unknown) => cause)
    expect(isError(error, 'SWAP_ALTERED') || isError(error, 'SEND_FAILED')).toBe(true)
    expect(sent()).toEqual([])
  },
)

test('error: missing funds are reported before the wallet prompts', async () => {
  await expect(prepareSwap(app, toUsd('9999999'))).rejects.toMatchObject({
    code: 'INSUFFICIENT_FUNDS',
  })
  await expect(prepareSwap(app, fromUsd('99999999'))).rejects.toMatchObject({
    code: 'INSUFFICIENT_FUNDS',
  })
  for (const bad of [{ amount: '0' }, { amount: '1e3' }, { slippage: 51 }, { slippage: -1 }])
    await expect(prepareSwap(app, { ...toUsd(), ...bad })).rejects.toMatchObject({
      code: 'INVALID_SEND_INPUT',
    })
  await rpc(url, 'anvil_setBalance', [alice, '0x1'])
  await expect(prepareSwap(app, fromUsd())).rejects.toMatchObject({ code: 'INSUFFICIENT_GAS' })
  expect(sent()).toEqual([])
})

test('behavior: the most that can be swapped leaves the fee', async () => {
  expect(await getMaxSwap(app, { token: usd })).toBe(
    String(Number(await read(usd.address, 'balanceOf')) / 1e6),
  )
  const amount = await getMaxSwap(app, { token: ether })
  await finish(await swap(app, { plan: await prepareSwap(app, toUsd(amount)) }))
})

const accountAbi = parseAbi([
  'struct Call { address target; uint256 value; bytes data; }',
  'function execute(address target, uint256 value, bytes data)',
  'function executeBatch(Call[] calls)',
])

/**
 * A smart account whose operator pays only for calls of some contracts. Returns the contracts of
 * each operation that it was queried for.
 */
async function openSponsored(paid: readonly string[]): Promise<string[][]> {
  const asked: string[][] = []
  server.answers['/v1/bundler'] = (body) => {
    const [{ callData }] = (body as { params: [{ callData: Hex }] }).params
    const { functionName, args } = decodeFunctionData({ abi: accountAbi, data: callData })
    const list = functionName === 'execute' ? [args[0]] : args[0].map(({ target }) => target)
    asked.push(list.map((one) => one.toLowerCase()))
    const isPaid = list.every((one) => paid.includes(one.toLowerCase()))
    return { jsonrpc: '2.0', id: 1, ...(isPaid ? { result: {} } : { error: { code: -32_001 } }) }
  }
  wallet.answers.wallet_getCapabilities = () => ({
    '0x7a69': { atomic: { status: 'supported' }, sponsorship: { supported: true } },
  })
  await connectSmart(wallet)
  return asked
}

/** Connects a smart account by this provider, in place of the other account. */
async function connectSmart(provider: InjectedProvider) {
  app.destroy()
  const plain = fakeConnector({ id: 'a.smart', wallet: provider })
  const smart: typeof plain = {
    ...plain,
    connect: async (parameters) => {
      const { accounts, chainId } = await plain.connect(parameters)
      return { accounts: [{ ...accounts[0], type: 'smartAccount' }], chainId }
    },
  }
  app = openApp(
    { ...createBrowser().openTab(), fetch: server.fetch, connectors: [smart] },
    { rpcUrls: chains.urls, apiUrl: poolServerUrl },
  )
  await connect(app, { connectorId: 'a.smart' })
}

test('behavior: a wallet without a smart account on this network signs the allowance', async () => {
  await connectSmart(wallet)
  const plan = await prepareSwap(app, fromUsd('100.000001', 'signature'))
  expect(plan).toMatchObject({ isBatch: false, steps: [{ kind: 'permit' }, { kind: 'swap' }] })
  const before = await read(usd.address, 'balanceOf')
  await finish(await swap(app, { plan }))
  expect(before - (await read(usd.address, 'balanceOf'))).toBe(100_000_001n)
  expect(await read(usd.address, 'allowance')).toBe(0n)
})

/**
 * A Safe's web app whose only owner confirms at once; Alice's account stands for the Safe. Returns
 * the calls of each transaction.
 */
function startSafe() {
  const transactions: (readonly SafeCall[])[] = []
  const hashes = new Map<string, unknown>()
  const ask: AskSafe = async (method, params) => {
    if (method === 'sendTransactions') {
      const { txs } = params as { txs: readonly SafeCall[] }
      transactions.push(txs)
      const safeTxHash = `0x${String(transactions.length).padStart(64, '0')}`
      for (const { to, data, value } of txs) {
        const call = { to: to as Hex, data: data as Hex, value: toHex(BigInt(value)) }
        hashes.set(safeTxHash, await mine(call))
      }
      return { safeTxHash }
    }
    if (method !== 'getTxBySafeTxHash') throw new Error(`No ${method}`)
    const { safeTxHash } = params as { safeTxHash: string }
    return { txStatus: 'SUCCESS', txHash: hashes.get(safeTxHash) }
  }
  const greet = async () => ({ safeAddress: alice, chainId: 31_337 })
  const { signal } = new AbortController()
  return { transactions, provider: createSafeProvider({ ask, greet, sleep: neverSleep, signal }) }
}

test('default: a Safe: allowance and swap are one transaction of it, and both are done on the chain', async () => {
  const { transactions, provider } = startSafe()
  await connectSmart(provider)
  const wanted = fromUsd('100.000001', 'signature')
  const plan = await prepareSwap(app, { ...wanted, to: gold() })
  // A contract cannot sign a permit.
  expect(plan).toMatchObject({ isBatch: true, steps: [{ kind: 'approve' }, { kind: 'swap' }] })
  const before = [await read(usd.address, 'balanceOf'), await read(gold().address, 'balanceOf')]
  const outcome = await swap(app, { plan })
  const { callsId } = outcome as { callsId: string }
  const status = await provider.request({ method: 'wallet_getCallsStatus', params: [callsId] })
  expect(status).toMatchObject({ status: 200 })
  expect(transactions.map((calls) => calls.map(({ to, value }) => [to, value]))).toEqual([
    [
      [usd.address, '0'],
      [at().swapRouter, '0'],
    ],
  ])
  expect((before[0] ?? 0n) - (await read(usd.address, 'balanceOf'))).toBe(100_000_001n)
  const received = (await read(gold().address, 'balanceOf')) - (before[1] ?? 0n)
  expect(received).toBe(plan.expected.value)
  expect(await read(usd.address, 'allowance')).toBe(0n)
})

const gold = () => ({ address: at().gold, symbol: 'dGLD', decimals: 18 })

test('behavior: the sponsor is queried for the exact calls that would be sent', async () => {
  const [token, router] = [usd.address, at().swapRouter].map((one) => one.toLowerCase()) as [
    string,
    string,
  ]
  const asked = await openSponsored([router])
  expect((await prepareSwap(app, toUsd())).fee.payer).toBe('sponsor')
  // Allowance and swap are a single operation, and calls of the token are not sponsored.
  expect((await prepareSwap(app, fromUsd())).fee.payer).toBe('account')
  expect(asked).toEqual([[router], [token, router]])
})

test('behavior: the maximum amount keeps back the fee if the operator does not pay for this swap', async () => {
  const [router, wrapped] = [at().swapRouter, at().wrappedEther].map((one) => one.toLowerCase())
  const asked = await openSponsored([String(router)])
  const balance = formatEther(await client().getBalance({ address: alice }))
  const wrappedEther = { address: at().wrappedEther, symbol: 'WETH', decimals: 18 }
  expect(await getMaxSwap(app, { token: ether, to: usd })).toBe(balance)
  const left = await getMaxSwap(app, { token: ether, to: wrappedEther })
  expect(Number(left)).toBeLessThan(Number(balance))
  expect(await getMaxSwap(app, { token: ether })).toBe(left)
  expect(asked.flat()).toEqual([router, wrapped, router, wrapped])
})

test('error: who lowers the allowance in the wallet swaps nothing', async () => {
  const plan = await prepareSwap(app, fromUsd())
  wallet.answers.eth_sendTransaction = (params) => {
    const [transaction] = params as [{ data: Hex }]
    const args = [at().swapRouter, 5n] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
    return rpc(url, 'eth_sendTransaction', [{ ...transaction, data }])
  }
  await expect(swap(app, { plan })).rejects.toMatchObject({ code: 'SWAP_REFUSED' })
  expect(sent()).toHaveLength(1)
})

test('behavior: a user who leaves between the steps gets no further prompt', async () => {
  const leaving = new AbortController()
  const plan = await prepareSwap(app, fromUsd())
  const onStep = (step: number) => step === 1 && leaving.abort()
  await expect(swap(app, { plan, onStep, signal: leaving.signal })).rejects.toMatchObject({
    code: 'ABORTED',
  })
  expect(sent()).toHaveLength(1)
})

test('default: quotes, tokens and prices are parsed, and match the request', async () => {
  const quote = {
    id: null,
    fromAmount: '5',
    fromAccount: id(native),
    toAmount: '7',
    toAccount: id(usd.address),
    priceImpact: '0.5',
  }
  server.answers['/v1/convert/quotes'] = () => ({ quotes: [quote] })
  const parameters = { chainId, from: ether, to: usd, amount: 5n }
  expect(await quoteSwap(app, parameters)).toMatchObject({
    expected: 7n,
    impactPercent: 0.5,
    route: [],
  })
  await expect(quoteSwap(app, { ...parameters, amount: 6n })).rejects.toMatchObject({
    code: 'SWAP_ALTERED',
  })
  server.answers['/v1/convert/quotes'] = () => ({ quotes: [{ ...quote, toAmount: '0' }] })
  await expect(quoteSwap(app, parameters)).rejects.toMatchObject({ code: 'SWAP_REFUSED' })
  const token = { name: 'Dollar', symbol: 'dUSD', logoUri: null, eip2612: null, decimals: 6 }
  server.answers['/v1/convert/tokens'] = () => ({
    tokens: [
      { ...token, address: id(native), decimals: 18 },
      { ...token, address: id(usd.address) },
      { ...token, address: id(usd.address), decimals: 1.5 },
      { ...token, address: 'eip155:1:javascript' },
    ],
  })
  expect(await getSwapTokens(app, { chainId })).toEqual([
    { name: 'Dollar', symbol: 'dUSD', iconUrl: '', decimals: 18 },
    {
      name: 'Dollar',
      symbol: 'dUSD',
      iconUrl: '',
      decimals: 6,
      address: usd.address.toLowerCase(),
    },
  ])
  expect(await getSwapTokens(app, { chainId, address: bob })).toEqual([])
  server.answers['/v1/fungible/price'] = () => ({
    fungibles: [{ ...token, address: id(usd.address), iconUrl: '', price: 1 }],
  })
  expect(await getSwapPrices(app, { chainId, tokens: [ether, usd] })).toEqual([undefined, 1])
})

test.each([
  ['insufficient liquidity', 'SWAP_REFUSED'],
  ['Chain ID eip155:31337 is not supported', 'SWAP_UNSUPPORTED'],
  ['it takes a fee', 'SWAP_REFUSED'],
])('error: the server refuses: %s', async (reason, code) => {
  app.destroy()
  const description = `Conversion parameter error: ${reason}`
  const other = openApp({
    ...createBrowser().openTab(),
    fetch: async () => json({ reasons: [{ field: '', description }] }, 400),
  })
  const parameters = { chainId, from: ether, to: usd, amount: 5n }
  await expect(quoteSwap(other, parameters)).rejects.toMatchObject({ code })
  other.destroy()
})

/**
 * Replaces the allowance with another transaction of its nonce, once the page has seen that it
 * waits.
 */
async function swapReplacing(other: object) {
  await rpc(url, 'evm_setAutomine', [false])
  onTestFinished(() => rpc(url, 'evm_setAutomine', [true]).then(() => {}))
  let hash: string | undefined
  wallet.answers.eth_sendTransaction = async (params) => {
    const answer = (await rpc(url, 'eth_sendTransaction', params as unknown[])) as string
    hash ??= answer
    return answer
  }
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const answer = await server.fetch(input, init)
    if (!hash || !String(init?.body).includes('eth_getTransactionByHash')) return answer
    const waiting = (await rpc(url, 'eth_getTransactionByHash', [hash])) as Record<string, string>
    const { from, to, nonce, input: data, maxFeePerGas, maxPriorityFeePerGas } = waiting
    // A node replaces a transaction of the same nonce if the fee is a tenth higher.
    const dearer = (fee = '0x0') => `0x${((BigInt(fee) * 6n) / 5n).toString(16)}`
    const fees = {
      maxFeePerGas: dearer(maxFeePerGas),
      maxPriorityFeePerGas: dearer(maxPriorityFeePerGas),
    }
    hash = undefined
    await rpc(url, 'eth_sendTransaction', [{ from, to, nonce, data, ...fees, ...other }])
    wallet.answers.eth_sendTransaction = (params) =>
      rpc(url, 'eth_sendTransaction', params as unknown[])
    await rpc(url, 'anvil_mine', ['0x1'])
    await rpc(url, 'evm_setAutomine', [true])
    return answer
  }
  const watched = openApp(
    {
      ...createBrowser().openTab(),
      fetch,
      connectors: [fakeConnector({ id: 'a.one', wallet })],
    },
    { rpcUrls: chains.urls, apiUrl: poolServerUrl },
  )
  onTestFinished(() => watched.destroy())
  await connect(watched, { connectorId: 'a.one' })
  return swap(watched, { plan: await prepareSwap(watched, fromUsd('5')) })
}

test('behavior: a swap continues after an allowance that was sped up', async () => {
  await finish(await swapReplacing({}))
  expect(sent()).toHaveLength(2)
})

test('error: a swap ends after an allowance that was cancelled', async () => {
  await expect(swapReplacing({ to: alice, data: '0x', value: '0x0' })).rejects.toMatchObject({
    code: 'TRANSACTION_CANCELLED',
  })
  expect(sent()).toHaveLength(1)
})
