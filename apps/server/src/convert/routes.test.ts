import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Chains, readArtifact, startChains } from '@latchkey/dev'
import {
  convertAllowanceRoute,
  convertApprovalRoute,
  convertQuotesRoute,
  convertTokensRoute,
  convertTransactionRoute,
} from '@latchkey/wire'
import fc from 'fast-check'
import {
  type Abi,
  decodeFunctionData,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseEther,
  parseGwei,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { makeServices } from '../../test/makeServices.ts'
import { rpc as callRpc } from '../../test/startActivity.ts'
import { startFailing } from '../../test/startFailing.ts'
import { nativeAddress } from '../evm/address.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import { indexListedTokens } from '../tokens/listedTokens.ts'
import { createTokenFacts } from '../tokens/tokenFacts.ts'
import { convertRoutes } from './routes.ts'
import { routerAbi, wrappedAbi } from './uniswap/abi.ts'
import { toProbeCall } from './uniswap/probeTransfer.ts'

const [one, two] = ['eip155:31337', 'eip155:31338'] as const
/** The chain of a test; the other chain has no swaps. */
let chainId: typeof one | typeof two = one
const erc20 = parseAbi([
  'function approve(address, uint256) returns (bool)',
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address, uint256) returns (bool)',
  'function nonces(address) view returns (uint256)',
])
const hostileAbi = readArtifact('DevHostileToken').abi

let chains: Chains
let snapshot: unknown

beforeAll(async () => {
  chains = await startChains({ ports: 'free' })
})
afterAll(() => chains?.stop())
beforeEach(async () => {
  snapshot = await rpc('evm_snapshot', [])
})
afterEach(() => {
  chainId = one
  return rpc('evm_revert', [snapshot])
})

const at = () => chains.addresses[chainId]
const rpc = <Result>(method: string, params: unknown[]) =>
  callRpc<Result>(chains.urls[chainId], method, params)
const account = (index: number) => {
  const found = chains.accounts[index]
  if (!found) throw new Error(`There is no account ${index}`)
  return found
}
const id = (address: string) => `${chainId}:${address}`

/** The routes on the local chain, where dUSD, dBTC, dGLD and `more` are on the operator's list. */
function open({
  upstream = chains.urls[chainId],
  more = [],
  aggregator,
}: {
  upstream?: string
  more?: readonly string[]
  /** The URL of an aggregator, which the other chain then uses. */
  aggregator?: string
} = {}) {
  const { wrappedEther, usd, btc, gold, uniswapV2Factory, uniswapV3Factory } = at()
  const other = chainId === one ? two : one
  const made = makeServices({
    [chainId]: {
      name: 'One',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      upstreams: [upstream],
      multicall3: at().multicall3,
      uniswapV2: { factory: uniswapV2Factory, wrappedNative: wrappedEther, usd },
      uniswapV3: { factory: uniswapV3Factory },
      swap: { source: 'uniswap', router: at().swapRouter, quoter: at().quoter },
    },
    [other]: {
      name: 'Two',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      upstreams: [chains.urls[other]],
      ...(aggregator && { swap: { source: '1inch' } }),
    },
  })
  const swapApi = { url: aggregator ?? '', key: 'secret' }
  const services = { ...made, config: { ...made.config, swapApi } }
  const upstreams = createUpstreams(services)
  let requests = 0
  const counted: typeof upstreams = {
    ...upstreams,
    read(...parameters) {
      requests += 1
      return upstreams.read(...parameters)
    },
  }
  const listed = [
    { address: usd, name: 'Dev USD', symbol: 'dUSD', decimals: 6 },
    { address: btc, name: 'Dev BTC', symbol: 'dBTC', decimals: 8 },
    { address: gold, name: 'Dev Gold', symbol: 'dGLD', decimals: 18 },
    ...more.map((address) => ({ address, name: 'Dev Hostile', symbol: 'dBAD', decimals: 18 })),
  ]
  const app = convertRoutes({
    ...services,
    upstreams: counted,
    getListed: indexListedTokens(services, async () => listed),
    getFacts: createTokenFacts({ ...services, upstreams: counted }),
    getTokenIcon: () => '',
  })
  const get = async (path: string, query: Record<string, string>) => {
    const response = await app.request(
      `${path}?${new URLSearchParams({ projectId: 'local', ...query })}`,
    )
    return { status: response.status, body: await response.json() }
  }
  const post = async (body: object) => {
    const init = { method: 'POST', body: JSON.stringify(body) }
    const response = await app.request(convertTransactionRoute.path, init)
    return { status: response.status, body: await response.json() }
  }
  return { get, post, requests: () => requests }
}

type Pair = { from: string; to: string; amount: bigint }

async function quote({ from, to, amount }: Pair, server = open()) {
  const query = { from: id(from), to: id(to), amount: String(amount) }
  const { status, body } = await server.get(convertQuotesRoute.path, query)
  expect(body).toMatchObject({ quotes: [{}] })
  const [found] = convertQuotesRoute.result.parse(body).quotes
  if (status !== 200 || !found) throw new Error('no quote')
  return found
}

async function refusal({ from, to, amount }: Pair, server = open()) {
  const query = { from: id(from), to: id(to), amount: String(amount) }
  const { status, body } = await server.get(convertQuotesRoute.path, query)
  return `${status} ${body.reasons?.[0]?.description}`
}

type Swap = Pair & { slippage?: number; user?: string; permit?: Hex }

async function build({ from, to, amount, slippage = 1, user = account(1).address, permit }: Swap) {
  const { body } = await open().post({
    projectId: 'local',
    from: id(from),
    to: id(to),
    amount: String(amount),
    userAddress: id(user),
    eip155: { slippage, ...(permit && { permit }) },
  })
  return convertTransactionRoute.result.parse(body).tx
}

async function send(
  from: string,
  { to, data, value = 0n }: { to?: string; data: string; value?: bigint },
) {
  const hash = await rpc<Hex>('eth_sendTransaction', [
    { from, ...(to && { to }), data, value: `0x${value.toString(16)}`, gas: '0x989680' },
  ])
  const receipt = () =>
    rpc<{ status: string; contractAddress: Hex } | null>('eth_getTransactionReceipt', [hash])
  await expect.poll(receipt).not.toBeNull()
  const mined = await receipt()
  if (!mined) throw new Error('not mined')
  return { isGood: mined.status === '0x1', contract: mined.contractAddress }
}

const execute = (tx: Awaited<ReturnType<typeof build>>, user = account(1).address) =>
  send(user, {
    to: tx.to.split(':').at(-1) ?? '',
    data: tx.data,
    value: BigInt(tx.value ?? 0),
  })

const approve = (token: string, amount: bigint, user = account(1).address) =>
  send(user, {
    to: token,
    data: encodeFunctionData({
      abi: erc20,
      functionName: 'approve',
      args: [at().swapRouter, amount],
    }),
  })

async function balance(token: string, owner = account(1).address): Promise<bigint> {
  if (token === nativeAddress) return BigInt(await rpc<Hex>('eth_getBalance', [owner, 'latest']))
  const data = encodeFunctionData({ abi: erc20, functionName: 'balanceOf', args: [owner] })
  return BigInt(await rpc<Hex>('eth_call', [{ to: token, data }, 'latest']))
}

const dollars = (amount: number) => BigInt(Math.round(amount * 1e6))

test.each([one, two])(
  'default: on %s what arrives is exactly what was quoted, and all of the amount is taken',
  async (network) => {
    chainId = network
    const { usd, gold, btc, wrappedEther } = at()
    const pairs: Pair[] = [
      { from: usd, to: wrappedEther, amount: dollars(1_000.000_001) },
      { from: usd, to: gold, amount: 3n },
      { from: usd, to: gold, amount: dollars(777.777_777) },
      { from: gold, to: btc, amount: parseEther('1.234567890123456789') },
      { from: wrappedEther, to: usd, amount: parseEther('4.999999999999999999') },
    ]
    for (const pair of pairs) {
      await approve(pair.from, pair.amount)
      const { toAmount } = await quote(pair)
      const tx = await build(pair)
      expect(tx.amount).toBe(toAmount)
      const before = { from: await balance(pair.from), to: await balance(pair.to) }
      expect(await execute(tx)).toMatchObject({ isGood: true })
      expect(before.from - (await balance(pair.from))).toBe(pair.amount)
      expect((await balance(pair.to)) - before.to).toBe(BigInt(toAmount))
      expect(await balance(pair.to, at().swapRouter)).toBe(0n)
    }
  },
)

test('behavior: the native currency goes in with the transaction and comes out unwrapped', async () => {
  const { usd } = at()
  const buy = await build({ from: nativeAddress, to: usd, amount: parseEther('2') })
  expect(buy.value).toBe(String(parseEther('2')))
  const dollarsBefore = await balance(usd)
  await execute(buy)
  expect((await balance(usd)) - dollarsBefore).toBe(BigInt(buy.amount))
  const sell = { from: usd, to: nativeAddress, amount: dollars(500) }
  await approve(usd, sell.amount)
  const tx = await build({ ...sell, user: account(1).address })
  await rpc('anvil_setNextBlockBaseFeePerGas', ['0x0'])
  const before = await balance(nativeAddress)
  const { isGood } = await execute(tx)
  const after = await balance(nativeAddress)
  // The sender has also paid gas, so only the order of magnitude can be compared.
  expect([isGood, after > before + (BigInt(tx.amount) * 9n) / 10n]).toEqual([true, true])
})

test('behavior: wrapping and unwrapping cost nothing and need no approval', async () => {
  const { wrappedEther } = at()
  const amount = parseEther('1.5')
  for (const pair of [
    { from: nativeAddress, to: wrappedEther, amount },
    { from: wrappedEther, to: nativeAddress, amount },
  ]) {
    expect(await quote(pair)).toMatchObject({ toAmount: String(amount), isWrap: true, route: [] })
    const tx = await build(pair)
    expect([tx.to, tx.minimum]).toEqual([id(wrappedEther.toLowerCase()), String(amount)])
    const before = await balance(wrappedEther)
    expect(await execute(tx)).toMatchObject({ isGood: true })
    const change = (await balance(wrappedEther)) - before
    expect(change).toBe(pair.to === wrappedEther ? amount : -amount)
  }
})

test('behavior: for any pair and amount, the quoted output arrives and exactly the amount is taken', async () => {
  const { usd, gold, btc, wrappedEther } = at()
  const units = new Map([
    [usd, 6],
    [gold, 18],
    [btc, 8],
    [wrappedEther, 18],
  ])
  const tokens = [...units.keys()]
  const held = new Map<string, bigint>()
  for (const token of tokens) {
    await approve(token, 2n ** 255n)
    held.set(token, await balance(token))
  }
  const trades = fc
    .record({
      two: fc.shuffledSubarray(tokens, { minLength: 2, maxLength: 2 }),
      share: fc.bigInt({ min: 1n, max: 10n ** 9n }),
    })
    .map(({ two: [from = usd, to = gold], share }): Pair => {
      // From a millionth of a token up to the account's whole balance.
      const amount = ((held.get(from) ?? 0n) * share * share) / 10n ** 18n
      return { from, to, amount: amount > 0n ? amount : 1n }
    })
  let swapped = 0
  await fc.assert(
    fc.asyncProperty(trades, async (pair) => {
      const start = await rpc('evm_snapshot', [])
      const query = { from: id(pair.from), to: id(pair.to), amount: String(pair.amount) }
      const { status, body } = await open().get(convertQuotesRoute.path, query)
      // Too little for a single unit of output.
      if (status === 400) return
      const tx = await build({ ...pair, slippage: 0 })
      expect(tx.amount).toBe(body.quotes[0].toAmount)
      const before = { from: await balance(pair.from), to: await balance(pair.to) }
      expect(await execute(tx)).toMatchObject({ isGood: true })
      expect(before.from - (await balance(pair.from))).toBe(pair.amount)
      const received = (await balance(pair.to)) - before.to
      expect(received).toBeGreaterThanOrEqual(BigInt(tx.amount))
      swapped += 1
      await rpc('evm_revert', [start])
    }),
    { numRuns: 20 },
  )
  expect(swapped).toBeGreaterThan(10)
})

test('behavior: a large amount is split if that pays off, and reports its price impact', async () => {
  const { usd } = at()
  const small = await quote({ from: nativeAddress, to: usd, amount: parseEther('0.01') })
  expect(small.route).toHaveLength(1)
  expect(small).toMatchObject({ fee: '0.3' })
  expect(Number(small.priceImpact)).toBeLessThan(0.01)
  const large = await quote({ from: nativeAddress, to: usd, amount: parseEther('500') })
  expect(large.route?.map(({ percent }) => percent).reduce((sum, one) => sum + one)).toBe(100)
  expect(large.route?.map(({ percent }) => percent)).toEqual([50, 50])
  expect(Number(large.priceImpact)).toBeGreaterThan(15)
  // A single pool of 1000 ether and 3 million dollars would give 998 000 dollars.
  expect(BigInt(large.toAmount)).toBeGreaterThan(dollars(1_195_000))
  const tx = await build({ from: nativeAddress, to: usd, amount: parseEther('500') })
  const before = await balance(usd)
  expect(await execute(tx)).toMatchObject({ isGood: true })
  expect((await balance(usd)) - before).toBe(BigInt(tx.amount))
})

async function setBaseFee(gwei: string) {
  await rpc('anvil_setNextBlockBaseFeePerGas', [`0x${parseGwei(gwei).toString(16)}`])
  await rpc('evm_mine', [])
}

test('behavior: another path has to bring more than its gas costs now', async () => {
  const pair = { from: nativeAddress, to: at().usd, amount: parseEther('20') }
  const cheap = await quote(pair)
  expect(cheap.route).toHaveLength(2)
  // At 3,000 dollars for one ether, the gas of a path then costs about 2,000 dollars, and adds
  // about 600.
  await setBaseFee('5000')
  // A snapshot does not restore it.
  onTestFinished(() => setBaseFee('1'))
  const dear = await quote(pair)
  expect(dear.route).toHaveLength(1)
  const more = BigInt(cheap.toAmount) - BigInt(dear.toAmount)
  expect(more > dollars(500) && more < dollars(700)).toBe(true)
})

test('behavior: through another token where two have no pool in common', async () => {
  const { gold, btc, wrappedEther } = at()
  const { route } = await quote({ from: gold, to: btc, amount: parseEther('10') })
  expect(route?.[0]?.tokens).toEqual([gold, wrappedEther, btc].map((one) => id(one.toLowerCase())))
  expect(route?.[0]?.exchanges).toEqual(['Uniswap V2 0.3%', 'Uniswap V2 0.3%'])
})

test('behavior: through two pools of V3, exactly as quoted', async () => {
  const { token } = await deployHostile({ hasPair: false })
  await openPool({ token, amount: parseEther('100000'), ether: parseEther('100') })
  const pair = { from: token, to: at().usd, amount: parseEther('10') }
  await approve(token, pair.amount)
  const { route, toAmount } = await quote(pair)
  expect(route).toMatchObject([
    {
      percent: 100,
      tokens: [token, at().wrappedEther, at().usd].map((one) => id(one.toLowerCase())),
      exchanges: ['Uniswap V3 0.3%', 'Uniswap V3 0.3%'],
    },
  ])
  const before = await balance(at().usd)
  expect(await execute(await build(pair))).toMatchObject({ isGood: true })
  expect((await balance(at().usd)) - before).toBe(BigInt(toAmount))
  expect(await balance(token)).toBe(parseEther('990'))
  expect(await balance(at().wrappedEther, at().swapRouter)).toBe(0n)
})

test('behavior: uses three pools if each pays off, exactly as quoted', async () => {
  const { token } = await deployHostile()
  for (const fee of [500, 3_000] as const)
    await openPool({ token, amount: parseEther('100000'), ether: parseEther('100'), fee })
  const pair = { from: token, to: nativeAddress, amount: parseEther('1000') }
  await approve(token, pair.amount)
  const { route = [] } = await quote(pair)
  expect(route.map(({ exchanges }) => exchanges).sort()).toEqual([
    ['Uniswap V2 0.3%'],
    ['Uniswap V3 0.05%'],
    ['Uniswap V3 0.3%'],
  ])
  expect(route.reduce((total, { percent }) => total + percent, 0)).toBe(100)
  // To the wrapped native currency, from which no gas is paid.
  const wrapped = { ...pair, to: at().wrappedEther }
  const tx = await build(wrapped)
  expect(getSteps(tx).map(({ functionName }) => functionName)).toEqual([
    'swapExactTokensForTokens',
    'exactInput',
    'exactInput',
    'sweepToken',
  ])
  const before = await balance(wrapped.to)
  expect(await execute(tx)).toMatchObject({ isGood: true })
  expect((await balance(wrapped.to)) - before).toBe(BigInt(tx.amount))
  expect(await balance(token)).toBe(0n)
  expect(await balance(wrapped.to, at().swapRouter)).toBe(0n)
})

test('behavior: three upstream calls at first, a single call with known pools', async () => {
  const server = open()
  const pair = { from: at().gold, to: at().usd, amount: parseEther('1') }
  await quote(pair, server)
  expect(server.requests()).toBeLessThanOrEqual(3)
  const before = server.requests()
  await quote(pair, server)
  expect(server.requests() - before).toBe(1)
})

test('behavior: the minimum is respected if another trade comes in between', async () => {
  const { usd } = at()
  const tx = await build({ from: nativeAddress, to: usd, amount: parseEther('3'), slippage: 0.5 })
  const expected = (BigInt(tx.amount) * 9_950n + 9_999n) / 10_000n
  expect(tx.minimum).toBe(String(expected))
  const [sandwich, user] = [account(2).address, account(1).address]
  const large = await build({
    from: nativeAddress,
    to: usd,
    amount: parseEther('50'),
    user: sandwich,
  })
  await execute(large, sandwich)
  const before = await balance(usd, user)
  expect(await execute(tx)).toMatchObject({ isGood: false })
  expect(await balance(usd, user)).toBe(before)
})

test.each<[string, () => Pair, string]>([
  [
    'a pair',
    () => ({ from: at().usd, to: at().gold, amount: dollars(100) }),
    'swapExactTokensForTokens',
  ],
  [
    'a pool of V3',
    () => ({ from: at().usd, to: at().wrappedEther, amount: dollars(100) }),
    'exactInput',
  ],
  [
    'two paths',
    () => ({ from: at().wrappedEther, to: at().usd, amount: parseEther('4') }),
    'sweepToken',
  ],
  [
    'the native currency',
    () => ({ from: at().usd, to: nativeAddress, amount: dollars(100) }),
    'unwrapWETH9',
  ],
])(
  'behavior: of %s, what arrives is enough as a minimum, and one unit more is not',
  async (_, toPair, last) => {
    const pair = toPair()
    // The V3 pool is chosen if the pair gives slightly less.
    if (last === 'exactInput') await lowerPair()
    await approve(pair.from, 2n ** 255n)
    const tx = await build({ ...pair, slippage: 50 })
    expect(getSteps(tx).at(-1)?.functionName).toBe(last)
    const arriving = BigInt(tx.amount)
    expect(BigInt(tx.minimum ?? 0)).toBe((arriving + 1n) / 2n)
    const before = await balance(pair.from)
    expect(await execute(withMinimum(tx, arriving + 1n))).toMatchObject({ isGood: false })
    expect(await balance(pair.from)).toBe(before)
    expect(await execute(withMinimum(tx, arriving))).toMatchObject({ isGood: true })
    expect(before - (await balance(pair.from))).toBe(pair.amount)
  },
)

/** Sells dollars to the V2 pair alone, which then gives less for them. */
async function lowerPair() {
  const { usd, wrappedEther, uniswapV2Router } = at()
  const user = account(1).address
  const approveArgs = [uniswapV2Router, dollars(1_500)] as const
  const data = encodeFunctionData({ abi: erc20, functionName: 'approve', args: approveArgs })
  await send(user, { to: usd, data })
  const { abi } = readArtifact('UniswapV2Router02')
  const args = [dollars(1_500), 0n, [usd, wrappedEther], user, 2n ** 64n]
  const functionName = 'swapExactTokensForTokens'
  const sold = encodeFunctionData({ abi, functionName, args })
  expect(await send(user, { to: uniswapV2Router, data: sold })).toMatchObject({ isGood: true })
}

test('behavior: after its deadline a transaction does nothing', async () => {
  const tx = await build({
    from: nativeAddress,
    to: at().usd,
    amount: parseEther('1'),
    slippage: 50,
  })
  await rpc('evm_setNextBlockTimestamp', [Number(tx.deadline) + 1])
  expect(await execute(tx)).toMatchObject({ isGood: false })
})

test('param: permit: a signature takes the place of the approval', async () => {
  const { usd, swapRouter } = at()
  const { privateKey, address } = account(1)
  const amount = dollars(25)
  const data = encodeFunctionData({ abi: erc20, functionName: 'nonces', args: [address] })
  const nonce = BigInt(await rpc<Hex>('eth_call', [{ to: usd, data }, 'latest']))
  const deadline = 2n ** 48n
  const signer = privateKeyToAccount(privateKey)
  const signature = await signer.signTypedData({
    domain: { name: 'Dev USD', version: '1', chainId: 31_337, verifyingContract: usd },
    types: {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'Permit',
    message: { owner: address, spender: swapRouter, value: amount, nonce, deadline },
  })
  const [r, s] = [signature.slice(0, 66) as Hex, `0x${signature.slice(66, 130)}` as Hex]
  const permit = encodeAbiParameters(
    [
      { type: 'address' },
      { type: 'address' },
      { type: 'uint256' },
      { type: 'uint256' },
      { type: 'uint8' },
      { type: 'bytes32' },
      { type: 'bytes32' },
    ],
    [address, swapRouter, amount, deadline, Number.parseInt(signature.slice(130), 16), r, s],
  )
  const tx = await build({ from: usd, to: nativeAddress, amount, permit })
  const before = await balance(usd)
  expect(await execute(tx)).toMatchObject({ isGood: true })
  expect(before - (await balance(usd))).toBe(amount)
})

test('error: an invalid permit', async () => {
  const { usd, gold } = at()
  const { status, body } = await open().post({
    from: id(usd),
    to: id(gold),
    amount: '1000000',
    userAddress: id(account(1).address),
    eip155: { slippage: 1, permit: '0x1234' },
  })
  expect([status, body.reasons[0].description]).toEqual([
    400,
    'Conversion parameter error: the permit is not valid',
  ])
})

test('default: allowance and approval: exact, unlimited, and for the one router', async () => {
  const { usd, gold, swapRouter } = at()
  const { get } = open()
  const user = account(1).address
  const read = async (token: string) => {
    const query = { tokenAddress: id(token), userAddress: id(user) }
    return convertAllowanceRoute.result.parse((await get(convertAllowanceRoute.path, query)).body)
      .allowance
  }
  expect(await read(usd)).toBe('0')
  expect(await read(nativeAddress)).toBe(String(2n ** 256n - 1n))
  const query = { from: id(usd), to: id(gold) }
  const exact = await get(convertApprovalRoute.path, { ...query, amount: '5000000' })
  const { tx } = convertApprovalRoute.result.parse(exact.body)
  expect(tx).toMatchObject({ from: id(usd), to: id(gold), value: '0' })
  await send(user, { to: usd, data: tx.data })
  expect(await read(usd)).toBe('5000000')
  const unlimited = convertApprovalRoute.result.parse(
    (await get(convertApprovalRoute.path, query)).body,
  )
  const { args } = decodeFunctionData({ abi: erc20, data: unlimited.tx.data as Hex })
  expect(args).toEqual([swapRouter, 2n ** 256n - 1n])
})

test('default: tokens: the native currency first, then the list; an address asks for one', async () => {
  const { get } = open()
  const { usd, wrappedEther } = at()
  const list = await get(convertTokensRoute.path, { chainId })
  const { tokens } = convertTokensRoute.result.parse(list.body)
  expect(tokens.map(({ symbol }) => symbol)).toEqual(['ETH', 'dUSD', 'dBTC', 'dGLD'])
  expect(tokens[0]?.address).toBe(id(nativeAddress))
  const one = await get(convertTokensRoute.path, { chainId, address: wrappedEther })
  expect(convertTokensRoute.result.parse(one.body).tokens).toMatchObject([{ symbol: 'WETH' }])
  const none = await get(convertTokensRoute.path, { chainId, address: account(1).address })
  expect(none.body).toEqual({ tokens: [] })
  const listed = await get(convertTokensRoute.path, { chainId, address: id(usd) })
  expect(listed.body.tokens).toMatchObject([{ symbol: 'dUSD', decimals: 6 }])
})

test('error: what cannot be exchanged, in the words that clients look for', async () => {
  const { usd, keys } = at()
  const other = `eip155:31338:${usd}`
  const { get } = open()
  const ask = async (query: Record<string, string>) => {
    const all = { from: id(usd), to: id(nativeAddress), amount: '1000', ...query }
    const { status, body } = await get(convertQuotesRoute.path, all)
    return `${status} ${body.reasons?.[0]?.description}`
  }
  expect(await ask({ to: id(keys) })).toBe('400 Conversion parameter error: insufficient liquidity')
  expect(await ask({ to: other })).toBe(
    '400 Conversion parameter error: Chain ID eip155:31338 is not supported',
  )
  expect(await ask({ to: id(usd) })).toBe('400 Conversion parameter error: the tokens are the same')
  expect(await ask({ from: usd })).toMatch(/^400 Crypto utils error/)
  expect(await ask({ amount: '0' })).toMatch(/^400 The amount/)
  expect(await ask({ amount: '1e18' })).toMatch(/^400 /)
  expect(await ask({ amount: String(2n ** 255n) })).toMatch(/^400 The amount/)
})

test('param: source: a network that swaps by the aggregator has its spender and its transactions', async () => {
  const spender = `0x${'11'.repeat(20)}` as const
  const [usd, user] = [chains.addresses[two].usd, account(1).address]
  const tx = { from: user, to: spender, data: '0x07ed2379', value: '0', gas: 200_000 }
  const asked: (string | undefined)[] = []
  // With the shapes of the aggregator's documentation.
  const api = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    asked.push(`${pathname} ${request.headers.authorization}`)
    const answers: Record<string, object> = {
      '/swap/v6.1/31338/approve/spender': { address: spender },
      '/swap/v6.1/31338/quote': { dstAmount: '777', gas: 200_000 },
      '/swap/v6.1/31338/swap': { dstAmount: '777', tx },
    }
    response.end(JSON.stringify(answers[pathname]))
  })
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void api.close())
  const server = open({ aggregator: `http://127.0.0.1:${(api.address() as AddressInfo).port}` })
  const toId = (address: string) => `${two}:${address}`
  const query = { from: toId(usd), to: toId(nativeAddress), amount: '1000' }
  const { body } = await server.get(convertQuotesRoute.path, query)
  expect(body.quotes).toMatchObject([{ toAmount: '777', route: [], gas: '220000' }])
  const approval = await server.get(convertApprovalRoute.path, query)
  const approved = convertApprovalRoute.result.parse(approval.body).tx
  const { args } = decodeFunctionData({ abi: erc20, data: approved.data as Hex })
  expect(args).toEqual([spender, 1000n])
  const hash = await callRpc(chains.urls[two], 'eth_sendTransaction', [
    { from: user, to: usd, data: approved.data },
  ])
  await expect
    .poll(() => callRpc(chains.urls[two], 'eth_getTransactionReceipt', [hash]))
    .toMatchObject({ status: '0x1' })
  const question = { tokenAddress: toId(usd), userAddress: toId(user) }
  expect((await server.get(convertAllowanceRoute.path, question)).body).toEqual({
    allowance: '1000',
  })
  const built = await server.post({
    ...{ projectId: 'local', ...query, userAddress: toId(user) },
    eip155: { slippage: 1 },
  })
  expect(convertTransactionRoute.result.parse(built.body).tx).toMatchObject({
    to: toId(spender),
    data: tx.data,
    value: '0',
    minimum: '770',
    quote: { route: [] },
  })
  expect(built.body.tx.deadline).toBeUndefined()
  expect(asked).toEqual(
    ['quote', 'approve/spender', 'swap'].map((path) => `/swap/v6.1/31338/${path} Bearer secret`),
  )
  // The other network keeps its own pools, and never uses the aggregator.
  const { route } = await quote({ from: at().usd, to: at().gold, amount: 1_000_000n }, server)
  expect(route).not.toEqual([])
  expect(asked).toHaveLength(3)
})

test('error: nodes that do not answer are 503', async () => {
  const failing = await startFailing(chains.urls[chainId])
  const { get } = open({ upstream: failing.url })
  const query = { from: id(at().usd), to: id(nativeAddress), amount: '1000' }
  const { status, body } = await get(convertQuotesRoute.path, query)
  await failing.stop()
  expect([status, body.reasons[0].description]).toEqual([
    503,
    'Convertion provider is temporarily unavailable',
  ])
})

type Behavior = {
  decimals?: number
  fee?: number
  share?: number
  isStopped?: boolean
}

/**
 * A token with a pool of 100 ether and 100,000 tokens (by default), which then behaves as
 * configured.
 */
async function deployHostile({ hasPair = true, share = 100 } = {}) {
  const deployer = account(2).address
  const { bytecode } = readArtifact('DevHostileToken')
  const { contract: token } = await send(deployer, {
    data: encodeDeployData({ abi: [], bytecode }),
  })
  const call = (functionName: string, args: unknown[], to = token) =>
    send(deployer, { to, data: encodeFunctionData({ abi: hostileAbi, functionName, args }) })
  const router = at().uniswapV2Router
  const amount = parseEther('100000')
  await call('mint', [deployer, (amount * 100n) / BigInt(share) + 1n])
  if (share !== 100) await call('behave', [18, 0, share, false, false])
  await call('mint', [account(1).address, parseEther('1000')])
  if (hasPair) await call('approve', [router, amount])
  const data = encodeFunctionData({
    abi: readArtifact('UniswapV2Router02').abi,
    functionName: 'addLiquidityETH',
    args: [token, amount, 0n, 0n, deployer, 2n ** 64n],
  })
  if (hasPair) await send(deployer, { to: router, data, value: parseEther('100') })
  const behave = ({ decimals = 18, fee = 0, share = 100, isStopped = false }: Behavior) =>
    call('behave', [decimals, fee, share, isStopped, false])
  return { token, call, behave }
}

/** A Uniswap V3 pool over all prices, with these amounts of a token and of ether. */
async function openPool(pool: { token: Hex; amount: bigint; ether: bigint; fee?: 500 | 3000 }) {
  const { token, amount, ether, fee = 3_000 } = pool
  const { wrappedEther, liquidity } = at()
  const owner = account(2).address
  const call = (to: string, data: Hex, value = 0n) => send(owner, { to, data, value })
  await call(wrappedEther, encodeFunctionData({ abi: wrappedAbi, functionName: 'deposit' }), ether)
  const mint = { abi: hostileAbi, functionName: 'mint', args: [owner, amount] }
  await call(token, encodeFunctionData(mint))
  const args = [liquidity, 2n ** 255n] as const
  for (const paid of [token, wrappedEther])
    await call(paid, encodeFunctionData({ abi: erc20, functionName: 'approve', args }))
  const [first, second] =
    token.toLowerCase() < wrappedEther.toLowerCase() ? [amount, ether] : [ether, amount]
  const price = squareRoot((second << 192n) / first)
  const tick = fee === 500 ? 887_270 : 887_220
  const range = [-tick, tick, squareRoot(first * second), 1]
  const { isGood } = await call(
    liquidity,
    encodeFunctionData({
      abi: readArtifact('DevLiquidity').abi,
      functionName: 'open',
      args: [token, wrappedEther, fee, price, ...range],
    }),
  )
  expect(isGood).toBe(true)
}

/** Rounded down. */
function squareRoot(value: bigint): bigint {
  let root = value
  for (let next = (value + 1n) >> 1n; next < root; next = (root + value / root) >> 1n) root = next
  return root
}

/** The steps in the router's calldata, in order. */
function getSteps({ data }: { data: string }) {
  const { args } = decodeFunctionData({ abi: routerAbi, data: data as Hex })
  const [, steps] = args as unknown as [bigint, Hex[]]
  return steps.map((step) => decodeFunctionData({ abi: routerAbi, data: step }))
}

/** The same transaction with another minimum in its last step. */
function withMinimum<Tx extends { data: string }>(tx: Tx, minimum: bigint): Tx {
  const [deadline, steps] = decodeFunctionData({ abi: routerAbi, data: tx.data as Hex })
    .args as unknown as [bigint, Hex[]]
  const { functionName, args } = decodeFunctionData({ abi: routerAbi, data: steps.at(-1) ?? '0x' })
  const changed = {
    swapExactTokensForTokens: () => args?.map((one, index) => (index === 1 ? minimum : one)),
    sweepToken: () => args?.map((one, index) => (index === 1 ? minimum : one)),
    unwrapWETH9: () => [minimum, args?.[1]],
    exactInput: () => [{ ...(args?.[0] as object), amountOutMinimum: minimum }],
  }[functionName as 'exactInput']()
  const encode = (name: string, values: unknown) =>
    encodeFunctionData({ abi: routerAbi as Abi, functionName: name, args: values as unknown[] })
  const last = encode(functionName, changed)
  return { ...tx, data: encode('multicall', [deadline, [...steps.slice(0, -1), last]]) }
}

test('behavior: a token that is on no list is tried before it is quoted', async () => {
  const { token } = await deployHostile()
  const amount = parseEther('10')
  await approve(token, amount)
  const pair = { from: token, to: at().usd, amount }
  const { toAmount } = await quote(pair)
  const before = await balance(at().usd)
  expect(await execute(await build(pair))).toMatchObject({ isGood: true })
  expect((await balance(at().usd)) - before).toBe(BigInt(toAmount))
})

test.each<[string, Behavior]>([
  ['takes a fee', { fee: 1 }],
  ['cannot be transferred', { isStopped: true }],
])('error: a token that %s is refused in both directions', async (_, behavior) => {
  const { token, behave } = await deployHostile()
  await behave(behavior)
  const words = /^400 Conversion parameter error: 0x\w{40} takes a fee on transfers/
  const amount = parseEther('1')
  expect(await refusal({ from: token, to: nativeAddress, amount })).toMatch(words)
  expect(await refusal({ from: nativeAddress, to: token, amount })).toMatch(words)
})

test('behavior: a token that counts shares, and rounds a unit off, is swapped in both directions', async () => {
  const { token } = await deployHostile({ share: 97 })
  const amount = parseEther('1')
  const before = await balance(token)
  const bought = await build({ from: nativeAddress, to: token, amount })
  expect(await execute(bought)).toMatchObject({ isGood: true })
  expect((await balance(token)) - before).toBeGreaterThanOrEqual(BigInt(bought.minimum ?? 0))
  await approve(token, amount)
  const sold = await build({ from: token, to: at().usd, amount })
  expect(await execute(sold)).toMatchObject({ isGood: true })
})

test('error: a token on the list that takes a fee on transfers is refused too', async () => {
  const { token, behave } = await deployHostile()
  const listed = open({ more: [token] })
  const pair = { from: nativeAddress, to: token, amount: parseEther('1') }
  await quote(pair, listed)
  await behave({ fee: 1 })
  const words = /^400 Conversion parameter error: 0x\w{40} takes a fee on transfers/
  expect(await refusal(pair, listed)).toMatch(words)
  expect(await refusal({ ...pair, from: token, to: nativeAddress }, listed)).toMatch(words)
})

test('behavior: if a node cannot simulate transfers, tokens on the list are quoted and others are not', async () => {
  const { token } = await deployHostile()
  const node = await startFailing(
    chains.urls[chainId],
    ({ params }) => Array.isArray(params) && params.length > 2,
  )
  const pair = { from: nativeAddress, to: token, amount: parseEther('1') }
  const { toAmount } = await quote(pair, open({ upstream: node.url, more: [token] }))
  expect(BigInt(toAmount)).toBeGreaterThan(0n)
  expect(await refusal(pair, open({ upstream: node.url }))).toMatch(/^400 .* takes a fee/)
  await node.stop()
})

test('behavior: a token that lies about its decimals changes no amount', async () => {
  const { token, behave } = await deployHostile()
  const pair = { from: token, to: at().usd, amount: parseEther('1') }
  const { toAmount } = await quote(pair)
  await behave({ decimals: 3 })
  expect((await quote(pair)).toAmount).toBe(toAmount)
})

test.each<[string, Behavior, boolean]>([
  ['rebases downwards', { share: 90 }, false],
  ['rebases upwards', { share: 110 }, true],
  ['takes more than the tolerance', { fee: 2 }, false],
  ['takes no more than the tolerance', { fee: 1 }, true],
  ['stops', { isStopped: true }, false],
])(
  'behavior: a token that %s after the quote costs no more than the minimum',
  async (_, behavior, isSwapped) => {
    const { token, behave } = await deployHostile()
    const tx = await build({ from: nativeAddress, to: token, amount: parseEther('1') })
    await behave(behavior)
    const before = await balance(token)
    expect(await execute(tx)).toMatchObject({ isGood: isSwapped })
    const received = (await balance(token)) - before
    if (isSwapped) expect(received).toBeGreaterThanOrEqual(BigInt(tx.minimum ?? 0))
    else expect(received).toBe(0n)
  },
)

type Reentry = { to: () => string; target: () => Hex; data: (token: Hex) => Hex }

const tradeAhead = (amount: string): Omit<Reentry, 'to'> => ({
  target: () => at().swapRouter,
  data: (token) =>
    encodeFunctionData({
      abi: routerAbi,
      functionName: 'swapExactTokensForTokens',
      args: [parseEther(amount), 0n, [token, at().wrappedEther], account(2).address],
    }),
})
const takeFromRouter = (functionName: 'sweepToken' | 'unwrapWETH9'): Omit<Reentry, 'to'> => ({
  target: () => at().swapRouter,
  data: (token) =>
    functionName === 'sweepToken'
      ? encodeFunctionData({
          abi: routerAbi,
          functionName,
          args: [at().wrappedEther, 0n, token],
        })
      : encodeFunctionData({ abi: routerAbi, functionName, args: [0n, token] }),
})

test.each<[string, Reentry, boolean]>([
  [
    'trades ahead beyond the tolerance',
    { to: () => at().wrappedEther, ...tradeAhead('2000') },
    false,
  ],
  ['trades ahead within the tolerance', { to: () => nativeAddress, ...tradeAhead('20') }, true],
  [
    'sweeps what the router collects',
    { to: () => at().wrappedEther, ...takeFromRouter('sweepToken') },
    false,
  ],
  [
    'unwraps what the router collects',
    { to: () => nativeAddress, ...takeFromRouter('unwrapWETH9') },
    false,
  ],
])(
  'behavior: a token that re-enters the router and %s costs no more than the minimum',
  async (_, reentry, isSwapped) => {
    const { token, call } = await deployHostile()
    await openPool({ token, amount: parseEther('100000'), ether: parseEther('100') })
    const [to, amount] = [reentry.to(), parseEther('900')]
    await call('mint', [token, parseEther('100000')])
    await approve(token, amount)
    const tx = await build({ from: token, to, amount })
    expect(tx.quote?.route).toHaveLength(2)
    await call('reenter', [reentry.target(), reentry.data(token)])
    const minimum = BigInt(tx.minimum ?? 0)
    const swap = async (sent: typeof tx) => {
      const before = { from: await balance(token), to: await balance(to) }
      const { isGood } = await execute(sent)
      return {
        isGood,
        paid: before.from - (await balance(token)),
        // The receiver of the native currency has also paid gas in it.
        received: (await balance(to)) - before.to + (to === nativeAddress ? maxGasCost : 0n),
        reentries: await readReentries(token),
      }
    }
    // The token really does steal: without a minimum the user would lose money.
    const unprotected = await rpc('evm_snapshot', [])
    const lost = await swap(withMinimum(tx, 0n))
    expect([lost.isGood, lost.paid, lost.reentries]).toEqual([true, amount, 2n])
    expect(lost.received >= minimum).toBe(isSwapped)
    await rpc('evm_revert', [unprotected])
    const real = await swap(tx)
    expect([real.isGood, real.paid]).toEqual([isSwapped, isSwapped ? amount : 0n])
    if (isSwapped) expect(real.received).toBeGreaterThanOrEqual(minimum)
  },
)

test('error: a token on no list cannot have the native currency paid a second time in its wrapped form', async () => {
  const { token, call } = await deployHostile({ hasPair: false })
  await openPool({ token, amount: parseEther('100000'), ether: parseEther('100') })
  const { wrappedEther, swapRouter } = at()
  const trade = { from: nativeAddress, to: token, amount: parseEther('1') }
  const tx = await build(trade)
  await approve(wrappedEther, parseEther('2'))
  const refund = encodeFunctionData({ abi: parseAbi(['function refundETH()']) })
  await call('reenter', [swapRouter, refund])
  // The expected attack: the pool hands out the token first, and the token takes the ether.
  const snapshotBefore = await rpc('evm_snapshot', [])
  const before = await balance(wrappedEther)
  expect(await execute(tx)).toMatchObject({ isGood: true })
  expect(before - (await balance(wrappedEther))).toBe(trade.amount)
  expect(await balance(nativeAddress, token)).toBe(trade.amount)
  await rpc('evm_revert', [snapshotBefore])
  const body = {
    ...{ projectId: 'local', from: id(nativeAddress), to: id(token), amount: String(trade.amount) },
    ...{ userAddress: id(account(1).address), eip155: { slippage: 1 } },
  }
  const refused = await open().post(body)
  expect([refused.status, refused.body.reasons[0].description]).toEqual([
    400,
    expect.stringContaining('is not on a token list, and could make the router take'),
  ])
  // A token on the list is trusted, and without the allowance there is nothing to take.
  expect((await open({ more: [token] }).post(body)).status).toBe(200)
  await approve(wrappedEther, 0n)
  expect(await execute(await build(trade))).toMatchObject({ isGood: false })
  expect(await balance(nativeAddress, token)).toBe(0n)
})

const maxGasCost = parseEther('0.01')
const readReentries = async (token: Hex) => {
  const data = encodeFunctionData({ abi: hostileAbi, functionName: 'reentries' })
  return BigInt(await rpc<Hex>('eth_call', [{ to: token, data }, 'latest']))
}

test('default: the probe is the compiled contract', () => {
  const holder = `0x${'1'.repeat(40)}` as const
  const { params } = toProbeCall({ token: nativeAddress, holder, amount: 1n })
  const [, , overrides] = JSON.parse(params ?? '')
  expect(readArtifact('TransferProbe').bytecode.endsWith(overrides[holder].code.slice(2))).toBe(
    true,
  )
})
