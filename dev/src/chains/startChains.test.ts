import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Address,
  createPublicClient,
  erc20Abi,
  formatUnits,
  type Hex,
  http,
  namehash,
  parseAbi,
  parseEther,
  serializeTransaction,
} from 'viem'
import { afterEach, expect, test, vi } from 'vitest'
import { isAlive } from '../processes/orphans.ts'
import { setPriceBelow } from './placeFeeOracle.ts'
import { callRpc } from './rpc.ts'
import { type Chains, startChains } from './startChains.ts'
import { waitForReceipt } from './waitForReceipt.ts'

const cleanups: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  vi.unstubAllEnvs()
})

const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'latchkey-test-'))
  cleanups.push(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const start = async (parameters?: Parameters<typeof startChains>[0]) => {
  const chains = await startChains(parameters)
  cleanups.push(chains.stop)
  return chains
}

const one = 'eip155:31337'
const two = 'eip155:31338'
const client = (url: string) => createPublicClient({ transport: http(url) })
const height = ({ urls }: Chains) => callRpc(urls[one], 'eth_blockNumber', [])
async function newestReceipts({ urls }: Chains) {
  const receipts = await callRpc(urls[one], 'eth_getBlockReceipts', ['latest'])
  return (receipts as Record<string, unknown>[]).map(({ status, from, to, gasUsed }) => ({
    status,
    from,
    to,
    gasUsed,
  }))
}
// A block is mined at once, but not within the response.
async function payOther({ urls, accounts }: Chains) {
  const [from, to] = accounts.map(({ address }) => address)
  const payment = [{ from, to, value: '0xde0b6b3a7640000' }]
  const hash = await callRpc(urls[one], 'eth_sendTransaction', payment)
  const mined = () => callRpc(urls[one], 'eth_getTransactionReceipt', [hash])
  await expect.poll(mined).toMatchObject({ status: '0x1' })
}
const alive = ({ children }: Chains) => children.filter(({ pid }) => isAlive(pid)).length

test('default: two chains with different ids, tokens with different decimals, NFTs and pools', async () => {
  const { urls, addresses, accounts } = await start()
  expect(await callRpc(urls[one], 'eth_chainId', [])).toBe('0x7a69')
  expect(await callRpc(urls[two], 'eth_chainId', [])).toBe('0x7a6a')

  for (const id of [one, two] as const) {
    const chain = client(urls[id])
    const place = addresses[id]
    const holder = accounts[4]?.address ?? '0x'
    const tokens = [place.wrappedEther, place.usd, place.btc, place.gold]
    const multicallAddress = place.multicall3
    const symbols = await chain.multicall({
      multicallAddress,
      allowFailure: false,
      contracts: tokens.map((address) => ({ address, abi: erc20Abi, functionName: 'symbol' })),
    })
    expect(symbols).toEqual(['WETH', 'dUSD', 'dBTC', 'dGLD'])
    const amounts = tokens.map(async (address) => {
      const read = { address, abi: erc20Abi } as const
      const decimals = await chain.readContract({ ...read, functionName: 'decimals' })
      const args = [holder] as const
      const amount = await chain.readContract({ ...read, functionName: 'balanceOf', args })
      return formatUnits(amount, decimals)
    })
    const usd = id === one ? '12500' : '4000'
    expect(await Promise.all(amounts)).toEqual(['5', usd, '0.75', '12.345678901234567891'])

    const keysAbi = parseAbi(['function tokenURI(uint256) view returns (string)'])
    const uri = await chain.readContract({
      address: place.keys,
      abi: keysAbi,
      functionName: 'tokenURI',
      args: [10n],
    })
    const metadata = JSON.parse(Buffer.from(uri.split(',')[1] ?? '', 'base64').toString())
    expect(metadata).toMatchObject({ name: 'Dev Key #10' })
    expect(Buffer.from(metadata.image.split(',')[1], 'base64').toString()).toMatch(
      /^<svg .*<\/svg>$/,
    )

    const routerAbi = parseAbi([
      'function getAmountsOut(uint256, address[]) view returns (uint256[])',
    ])
    const prices = ([place.usd, place.btc, place.gold] as const).map((token) =>
      chain.readContract({
        address: place.uniswapV2Router,
        abi: routerAbi,
        functionName: 'getAmountsOut',
        args: [parseEther('0.001'), [place.wrappedEther, token]],
      }),
    )
    const [inUsd, inBtc, inGold] = (await Promise.all(prices)).map(([, out]) => out ?? 0n)
    expect(inUsd).toBe(2_990_997n)
    expect(inBtc).toBe(4_984n)
    expect(formatUnits(inGold ?? 0n, 18)).toBe('0.001246248757489988')
  }
})

test('behavior: a call at the latest block succeeds, also if another block is mined meanwhile', async () => {
  const chains = await start()
  const url = chains.urls[one]
  const supply = [{ to: chains.addresses[one].usd, data: '0x18160ddd' }]
  const before = String(await height(chains))
  await payOther(chains)
  expect(await height(chains)).not.toBe(before)
  // A node reads the number of the latest block first.
  expect(await callRpc(url, 'eth_call', [...supply, before])).toMatch(/^0x[0-9a-f]{64}$/)
})

test('default: pictures on the chain, items elsewhere, a drop, names both ways and V3 pools', async () => {
  const { urls, addresses, accounts } = await start()
  const abi = parseAbi([
    'function tokenURI(uint256) view returns (string)',
    'function uri(uint256) view returns (string)',
    'function balanceOf(address) view returns (uint256)',
    'function balanceOf(address, uint256) view returns (uint256)',
    'function resolver(bytes32) view returns (address)',
    'function addr(bytes32) view returns (address)',
    'function name(bytes32) view returns (string)',
    'function text(bytes32, string) view returns (string)',
    'function getPool(address, address, uint24) view returns (address)',
    'function liquidity() view returns (uint128)',
  ])
  const alice = accounts[0]?.address ?? '0x'
  for (const id of [one, two] as const) {
    const chain = client(urls[id])
    const place = addresses[id]
    const read = (address: Address, functionName: string, ...args: unknown[]): Promise<unknown> =>
      chain.readContract({ address, abi, functionName, args } as never)

    const pictures = await Promise.all(
      [1n, 2n, 3n, 4n, 5n, 6n].map((token) => read(place.pictures, 'tokenURI', token)),
    )
    const metadata = pictures.map((uri) =>
      JSON.parse(Buffer.from(String(uri).split(',')[1] ?? '', 'base64').toString()),
    )
    expect(metadata.map(({ name }) => name)).toEqual([
      'Sunset #1',
      'Tide #2',
      'Night #3',
      'Flower #4',
      'Orbit #5',
      'Tiles #6',
    ])
    for (const { image } of metadata)
      expect(Buffer.from(image.split(',')[1], 'base64').toString()).toMatch(/^<svg .*<\/svg>$/)
    expect(await read(place.pictures, 'balanceOf', alice)).toBe(3n)
    expect(await read(place.items, 'balanceOf', alice, 3n)).toBe(12n)
    expect(await read(place.items, 'uri', 1n)).toBe('http://127.0.0.1:3005/items/{id}.json')
    expect(await read(place.items, 'uri', 4n)).toMatch(/^ipfs:\/\/baf/)
    expect(await read(place.drop, 'balanceOf', alice)).toBe(1n)

    const node = namehash('alice.latchkey.eth')
    const resolver = (await read(place.ensRegistry, 'resolver', node)) as Address
    expect(await read(resolver, 'addr', node)).toBe(alice)
    expect(await read(resolver, 'text', node, 'avatar')).toBe(
      `eip155:31337/erc721:${place.pictures}/1`,
    )
    const back = namehash(`${alice.slice(2).toLowerCase()}.addr.reverse`)
    expect(await read(resolver, 'name', back)).toBe('alice.latchkey.eth')

    const pool = await read(place.uniswapV3Factory, 'getPool', place.usd, place.wrappedEther, 3000)
    expect(pool).toBe(place.uniswapV3Pool)
    const depths = [place.uniswapV3Pool, place.uniswapV3ThinPool].map((at) => read(at, 'liquidity'))
    expect(await Promise.all(depths)).toEqual([54_772_255_750_516_611n, 31_622_776_601n])
  }
})

test('behavior: the second chain charges the fee of its oracle for data, the first chain does not', async () => {
  const { urls, accounts } = await start()
  const [from, to] = accounts.map(({ address }) => address) as [Address, Address]
  const abi = parseAbi([
    'function getL1Fee(bytes) view returns (uint256)',
    'function getOperatorFee(uint256) view returns (uint256)',
  ])
  const address = '0x420000000000000000000000000000000000000F'
  const oracle = { address, abi } as const
  const pay = async (id: typeof one | typeof two) => {
    const chain = client(urls[id])
    const before = await chain.getBalance({ address: from })
    const payment = [{ from, to, value: '0x1' }]
    const hash = (await callRpc(urls[id], 'eth_sendTransaction', payment)) as Hex
    const { gasUsed, effectiveGasPrice } = await waitForReceipt(chain, hash)
    const spent = before - (await chain.getBalance({ address: from })) - 1n
    return { beside: spent - gasUsed * effectiveGasPrice, gasUsed }
  }
  const raw = serializeTransaction({
    ...{ type: 'eip1559', chainId: 31338, nonce: 1, to, value: 1n, gas: 30_000_000n },
    ...{ maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n },
  })
  expect(await client(urls[one]).getCode({ address })).toBe(undefined)
  expect((await pay(one)).beside).toBe(0n)
  for (const price of [30n * 10n ** 9n, 45n * 10n ** 9n]) {
    await setPriceBelow(urls[two], price)
    const { beside, gasUsed } = await pay(two)
    const read = client(urls[two]).readContract
    const data = await read({ ...oracle, functionName: 'getL1Fee', args: [raw] })
    const operator = await read({ ...oracle, functionName: 'getOperatorFee', args: [gasUsed] })
    expect(beside).toBe(data + operator)
    expect(data).toBe((100n * 16n * 684_000n * price) / 10n ** 6n)
  }
})

test('behavior: a second start on the same data keeps it and deploys nothing', async () => {
  const dataDir = folder()
  const first = await startChains({ dataDir })
  await payOther(first)
  const before = await height(first)
  await first.stop()
  expect(alive(first)).toBe(0)

  const second = await start({ dataDir })
  expect(await height(second)).toBe(before)
  const to = second.accounts[1]?.address ?? '0x'
  expect(await client(second.urls[one]).getBalance({ address: to })).toBe(parseEther('10001'))
})

test('behavior: kill -9 keeps the data', async () => {
  const dataDir = folder()
  const first = await startChains({ dataDir })
  const before = await height(first)
  await expect
    .poll(() =>
      first.children.every((_, i) => existsSync(join(dataDir, `chains/3133${7 + i}.json`))),
    )
    .toBe(true)
  for (const child of first.children) child.kill()
  await Promise.all(first.children.map(({ exited }) => exited))
  await first.stop()

  const second = await start({ dataDir })
  expect(await height(second)).toBe(before)
})

test('behavior: half a state file is replaced by the last good copy', async () => {
  const dataDir = folder()
  const first = await startChains({ dataDir })
  await payOther(first)
  const before = await height(first)
  await first.stop()
  await (await startChains({ dataDir })).stop()
  writeFileSync(join(dataDir, 'chains/31337.json'), '{"block":')

  const second = await start({ dataDir })
  expect(await height(second)).toBe(before)
})

test('behavior: half a state file without a copy is seeded again', async () => {
  const dataDir = folder()
  const first = await startChains({ dataDir })
  const before = await height(first)
  await first.stop()
  writeFileSync(join(dataDir, 'chains/31337.json'), '{"block":')

  const second = await start({ dataDir })
  expect(await height(second)).toBe(before)
})

test('behavior: a temporary start has the same blocks and receipts as a start that deploys', async () => {
  const chains = [await start({ dataDir: folder() }), await start()]
  const [deployed, temporary] = await Promise.all(
    chains.map(async (each) => ({
      height: await height(each),
      receipts: await newestReceipts(each),
    })),
  )
  expect(temporary).toEqual(deployed)
  expect(temporary?.receipts).toMatchObject([{ status: '0x1' }])
})

test('behavior: two pairs run at the same time', async () => {
  const [first, second] = await Promise.all([start(), start()])
  expect(new Set([...Object.values(first.urls), ...Object.values(second.urls)]).size).toBe(4)
  expect(alive(first) + alive(second)).toBe(4)
})

test('behavior: stop leaves no process, twice is harmless', async () => {
  const chains = await startChains()
  await chains.stop()
  await chains.stop()
  expect(alive(chains)).toBe(0)
})

test('error: a taken port is named with its variable', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => taken.close())
  const address = taken.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  vi.stubEnv('EVM_PORT', String(port))
  await expect(startChains({ ports: 'default', dataDir: folder() })).rejects.toThrow(
    `Port ${port} (Latchkey One chain) is taken. End what uses it, or choose another: EVM_PORT=${port + 10} npm start`,
  )
})

test('error: an invalid port', async () => {
  vi.stubEnv('EVM_PORT', '8545x')
  await expect(startChains({ ports: 'default', dataDir: folder() })).rejects.toThrow(
    'EVM_PORT=8545x is not a port: use a number from 1 to 65535',
  )
})

test('error: no anvil that can be run', async () => {
  vi.stubEnv('ANVIL_BIN', '/nowhere/anvil')
  await expect(startChains()).rejects.toThrow(
    'ANVIL_BIN=/nowhere/anvil is not a program that can be run',
  )
})

test('error: data of another version', async () => {
  const dataDir = folder()
  await (await startChains({ dataDir })).stop()
  writeFileSync(join(dataDir, 'chains/31337.seed'), 'another')
  await expect(startChains({ dataDir })).rejects.toThrow('npm start -- --fresh')
})
