import { pino } from 'pino'
import { encodeFunctionData, padHex, parseAbi, toEventSelector, toHex } from 'viem'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startUpstream } from '../../../test/fakeUpstream.ts'
import { chainWith, makeServices } from '../../../test/makeServices.ts'
import {
  type ActivityWorld,
  passOn,
  rpc,
  startActivityWorld,
  testChainId,
} from '../../../test/startActivity.ts'
import { createUpstreams } from '../../nodes/upstreams.ts'
import { createPaces, readRange } from './readRange.ts'

type Hex = `0x${string}`

/** The contract on Ethereum. */
const punks: Hex = '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb'
/** Writes a log with a word of data and two, three or four topics: `(data, topic, topic, …)`. */
const writer = `0x${[
  '5f355f52',
  ...['608035', '606035', '604035', '602035', '60205f'],
  ...['3660a014602657', '36608014602357', 'a200', '5ba300', '5ba400'],
].join('')}`
const topics = {
  transfer: toEventSelector('Transfer(address,address,uint256)'),
  assign: toEventSelector('Assign(address indexed to, uint256 punkIndex)'),
  punkTransfer: toEventSelector('PunkTransfer(address,address,uint256)'),
  punkBought: toEventSelector('PunkBought(uint256,uint256,address,address)'),
}
const [owner, other, third] = ['a1', 'b2', 'c3'].map((byte): Hex => `0x${byte.repeat(20)}`) as [
  Hex,
  Hex,
  Hex,
]
const nobody: Hex = `0x${'00'.repeat(20)}`

let world: ActivityWorld

beforeAll(async () => {
  world = await startActivityWorld()
  await rpc(world.url, 'anvil_setCode', [punks, writer])
})
afterAll(() => world?.stop())

const abi = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'function aggregate3(Call[] calls) payable',
])

type Log = readonly [data: number, topic: Hex, ...fields: (Hex | number)[]]

/** Has a contract write these logs in one transaction. */
async function write(address: Hex, ...logs: Log[]) {
  const word = (value: Hex | number) => padHex(typeof value === 'number' ? toHex(value) : value)
  const calls = logs.map((log) => ({
    target: address,
    allowFailure: false,
    callData: `0x${log.map((value) => word(value).slice(2)).join('')}` as Hex,
  }))
  const data = encodeFunctionData({ abi, args: [calls] })
  const { multicall3 } = world.chains.addresses[testChainId]
  await world.send({ from: world.addressAt(1), to: multicall3, data })
}

/** The transfers of some accounts in the newest block, of a node that serves Ethereum. */
async function read(addresses: ReadonlySet<Hex>) {
  const node = await startUpstream(async (response, calls) => {
    const replies = await Promise.all(
      calls.map(async (call) => ({
        ...{ jsonrpc: '2.0', id: call.id },
        ...(call.method === 'eth_chainId' ? { result: '0x1' } : await passOn(world.url, call)),
      })),
    )
    response.end(JSON.stringify(replies.length === 1 ? replies[0] : replies))
  })
  onTestFinished(node.stop)
  const chainId = 'eip155:1' as const
  const services = makeServices({ [chainId]: chainWith([node.url]) })
  const upstreams = createUpstreams({ ...services, log: pino({ level: 'silent' }) })
  const head = Number(await rpc<string>(world.url, 'eth_blockNumber', []))
  const { transactions } = await readRange(
    { upstreams, chainId, wrappedNative: undefined },
    { from: head, to: head, addresses, paces: createPaces(), setAside: new Set() },
  )
  return transactions.flatMap(({ transfers }) => transfers)
}

const punk = (tokenId: bigint, from: Hex, to: Hex) => ({
  ...{ standard: 'erc721', contract: punks, tokenId, amount: 1n },
  ...{ from, to },
})

const many = new Set(Array.from({ length: 201 }, (_, at) => padHex(toHex(at + 1), { size: 20 })))

test.each<[string, readonly Log[], ReturnType<typeof punk>]>([
  ['a first owner', [[7, topics.assign, owner]], punk(7n, nobody, owner)],
  [
    'a transfer',
    [
      [1, topics.transfer, other, owner],
      [8, topics.punkTransfer, other, owner],
    ],
    punk(8n, other, owner),
  ],
  [
    'a sale',
    [
      [1, topics.transfer, owner, other],
      [5_000, topics.punkBought, 9, owner, other],
    ],
    punk(9n, owner, other),
  ],
  [
    'an accepted bid, whose event does not name the buyer',
    [
      [1, topics.transfer, other, owner],
      [0, topics.punkBought, 10, other, nobody],
    ],
    punk(10n, other, owner),
  ],
])(
  'default: CryptoPunks: %s is one transfer of the punk, of one account and among many',
  async (_, logs, expected) => {
    await write(punks, ...logs)
    expect(await read(new Set([owner]))).toEqual([expected])
    expect(await read(new Set([...many, owner]))).toEqual([expected])
    expect(await read(new Set([third]))).toEqual([])
  },
)

test('security: another contract with the events of CryptoPunks moves none', async () => {
  const forger: Hex = `0x${'f0'.repeat(20)}`
  await rpc(world.url, 'anvil_setCode', [forger, writer])
  await write(forger, [8, topics.punkTransfer, other, owner], [7, topics.assign, owner])
  expect(await read(new Set([owner]))).toEqual([])
})
