import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { startUpstream } from '../../../test/fakeUpstream.ts'
import { chainWith, makeServices } from '../../../test/makeServices.ts'
import { createUpstreams } from '../../nodes/upstreams.ts'
import { createPaces, readRange } from './readRange.ts'

const own = `0x${'a1'.repeat(20)}` as const
const other = `0x${'b2'.repeat(20)}` as const
const word = (value: number | bigint) => value.toString(16).padStart(64, '0')
const hex = (value: number | bigint) => `0x${value.toString(16)}`
const hashOf = (number: number) => `0x${word(number + 1)}`
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

type Chain = {
  /** Transactions of a block. */
  transactions?: (number: number) => object[]
  logs?: object[]
  /** Replies that replace the node's own, by method. */
  instead?: Record<string, (params: never) => unknown>
}

/** A node with blocks of any number. */
async function openNode({ transactions = () => [], logs = [], instead = {} }: Chain) {
  const blockOf = (number: number, full: boolean) => ({
    number: hex(number),
    hash: hashOf(number),
    parentHash: hashOf(number - 1),
    timestamp: hex(number),
    transactions: full ? transactions(number) : [],
  })
  const answer = (method: string, params: never): unknown => {
    const said = instead[method]?.(params)
    if (said !== undefined) return said
    if (method === 'eth_chainId') return '0x1'
    if (method === 'eth_getBlockByNumber') return blockOf(Number(params[0]), params[1])
    return method === 'eth_getLogs' ? logs : null
  }
  const asked: string[] = []
  const upstream = await startUpstream((response, calls) => {
    asked.push(...calls.map(({ method }) => method))
    const replies = calls.map(({ id, method, params }) => ({
      jsonrpc: '2.0',
      id,
      result: answer(method, params as never),
    }))
    response.end(JSON.stringify(replies.length === 1 ? replies[0] : replies))
  })
  onTestFinished(upstream.stop)
  const chainId = 'eip155:1' as const
  const services = makeServices({ [chainId]: chainWith([upstream.url]) })
  const upstreams = createUpstreams({ ...services, log: pino({ level: 'silent' }) })
  const read = (from: number, to: number) =>
    readRange(
      { upstreams, chainId, wrappedNative: undefined },
      {
        ...{ from, to, addresses: new Set([own]), setAside: new Set() },
        paces: createPaces(),
      },
    )
  return { read, asked }
}

const transaction = (block: number, index: number, fields: object = {}) => ({
  hash: `0x${word(BigInt(block) * 100_000n + BigInt(index))}`,
  transactionIndex: hex(index),
  from: other,
  to: other,
  nonce: '0x0',
  value: '0x0',
  input: '0x',
  ...fields,
})

const log = (fields: object = {}) => ({
  address: other,
  topics: [transferTopic, `0x${word(BigInt(other))}`, `0x${word(BigInt(own))}`],
  data: `0x${word(5)}`,
  blockHash: hashOf(7),
  blockNumber: '0x7',
  transactionIndex: '0x0',
  logIndex: '0x0',
  ...fields,
})

const receipt = (fields: object = {}) => ({
  transactionHash: `0x${word(700_000)}`,
  transactionIndex: '0x0',
  blockHash: hashOf(7),
  gasUsed: '0x5208',
  effectiveGasPrice: '0x2',
  status: '0x1',
  contractAddress: null,
  ...fields,
})

const sevenOf = (fields: object) => (number: number) =>
  number === 7 ? [transaction(7, 0, fields)] : []

test('default: what an account sent, with its fee, and what it got', async () => {
  const { read } = await openNode({
    transactions: sevenOf({ from: own, value: '0x9' }),
    logs: [log()],
    instead: { eth_getTransactionReceipt: () => receipt() },
  })
  const { blocks, transactions } = await read(0, 9)
  expect(blocks).toHaveLength(10)
  expect(transactions).toMatchObject([
    { index: 0, from: own, value: 9n, fee: 42_000n, failed: false, transfers: [{ amount: 5n }] },
  ])
})

test('behavior: very full blocks are not all held at once', async () => {
  const full = Array.from({ length: 1_500 }, (_, index) => transaction(0, index))
  const { read } = await openNode({ transactions: () => full })
  const { blocks, transactionCount } = await read(0, 1_999)
  expect(blocks.length).toBeGreaterThan(0)
  expect(transactionCount).toBeLessThan(30_000)
})

test('behavior: a topic that is not an address belongs to no account', async () => {
  const padded = `0x1${word(BigInt(own)).slice(1)}`
  const { read } = await openNode({
    transactions: sevenOf({}),
    logs: [log({ topics: [transferTopic, `0x${word(BigInt(other))}`, padded] })],
  })
  expect((await read(0, 9)).transactions).toMatchObject([{ transfers: [] }])
})

test('default: an ERC-1155 batch gives all its ids, or none if it claims more than its data holds', async () => {
  const batchTopic = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'
  const count = 2_500
  const list = [word(count), ...Array.from({ length: count }, (_, index) => word(index + 1))]
  const data = [word(64), word(64 + 32 * (count + 1)), ...list, ...list].join('')
  const addresses = [other, other, own].map((address) => `0x${word(BigInt(address))}`)
  const batch = (more: string) => log({ topics: [batchTopic, ...addresses], data: `0x${more}` })
  const found = async (text: string) => {
    const { read } = await openNode({ transactions: sevenOf({}), logs: [batch(text)] })
    return (await read(0, 9)).transactions[0]?.transfers
  }
  const transfers = await found(data)
  expect(transfers).toHaveLength(count)
  expect(transfers?.at(-1)).toMatchObject({ tokenId: BigInt(count), amount: BigInt(count) })
  expect(await found(data.slice(0, -64))).toEqual([])
  expect(await found(data.replace(word(count), word(2n ** 200n)))).toEqual([])
})

/** A log in CryptoKitties' form: the same topic, and nothing indexed. */
const kitty = (from: string, to: string, fields: object = {}) =>
  log({
    address: '0x06012c8cf97bead5deae237070f9587f8e7a266d',
    topics: [transferTopic],
    data: `0x${[from, to].map((end) => word(BigInt(end))).join('')}${word(99)}`,
    ...fields,
  })

test('default: a transfer of CryptoKitties, whose fields are not indexed, is found by its contract', async () => {
  const filters: { address?: string[]; topics: unknown[] }[] = []
  const open = (logs: object[]) =>
    openNode({
      transactions: sevenOf({}),
      instead: {
        eth_getLogs: ([filter]: [(typeof filters)[number]]) => {
          filters.push(filter)
          return filter.address ? logs : []
        },
      },
    })
  for (const [from, to] of [
    [other, own],
    [own, other],
  ] as const) {
    const { read } = await open([kitty(from, to)])
    expect((await read(0, 9)).transactions).toMatchObject([
      { transfers: [{ standard: 'erc721', tokenId: 99n, amount: 1n, from, to }] },
    ])
  }
  expect(filters.some(({ address }) => address?.length === 1)).toBe(true)
  const { read } = await open([kitty(other, other), kitty(other, own, { data: `0x${word(5)}` })])
  expect((await read(0, 9)).transactions).toMatchObject([{ transfers: [] }])
})

test('error: another contract cannot pretend a transfer without indexed fields', async () => {
  const { read } = await openNode({
    transactions: sevenOf({}),
    logs: [kitty(other, own, { address: other })],
  })
  expect((await read(0, 9)).transactions).toMatchObject([{ transfers: [] }])
})

const behind = { eth_getBlockByNumber: ([, full]: [string, boolean]) => (full ? undefined : null) }
const elsewhere = {
  eth_getBlockByNumber: ([number, full]: [string, boolean]) =>
    full
      ? undefined
      : { number, hash: hashOf(99), parentHash: hashOf(98), timestamp: number, transactions: [] },
}

test.each([
  ['is behind the one that gave the blocks', { instead: behind }],
  ['is on another branch', { instead: elsewhere }],
  ['has a log of another branch', { logs: [log({ blockHash: hashOf(99) })] }],
  [
    'has a receipt of another branch',
    {
      transactions: sevenOf({ from: own }),
      instead: { eth_getTransactionReceipt: () => receipt({ blockHash: hashOf(99) }) },
    },
  ],
  ['has no receipt', { transactions: sevenOf({ from: own }) }],
  [
    'has blocks that do not follow one another',
    {
      instead: {
        eth_getBlockByNumber: ([number]: [string]) => ({
          number,
          hash: hashOf(5),
          parentHash: hashOf(6),
          timestamp: '0x1',
          transactions: [],
        }),
      },
    },
  ],
  [
    'has amounts beyond 32 bytes',
    {
      transactions: sevenOf({ from: own, value: `0x${'f'.repeat(80)}` }),
      instead: { eth_getTransactionReceipt: () => receipt() },
    },
  ],
  [
    'has moments beyond all time',
    {
      instead: {
        eth_getBlockByNumber: ([number]: [string]) => ({
          number,
          hash: hashOf(Number(number)),
          parentHash: hashOf(Number(number) - 1),
          timestamp: '0x1fffffffffffff',
          transactions: [],
        }),
      },
    },
  ],
  ['has logs that are none', { logs: [{ topics: 5 }] }],
] as const satisfies [string, Chain][])(
  'error: a node that %s: nothing is taken',
  async (_, chain) => {
    const { read } = await openNode(chain as Chain)
    await expect(read(0, 9)).rejects.toThrow()
  },
)
