import { pino } from 'pino'
import { encodeFunctionData, parseAbi } from 'viem/utils'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startUpstream } from '../../../test/fakeUpstream.ts'
import { chainWith, makeServices } from '../../../test/makeServices.ts'
import {
  type ActivityWorld,
  accountOf,
  passOn,
  readAll,
  startActivityWorld,
  testChainId,
} from '../../../test/startActivity.ts'
import type { Hex } from '../../evm/hex.ts'
import { createUpstreams } from '../../nodes/upstreams.ts'
import { readContractPayments } from './readTraces.ts'

const own = `0x${'a1'.repeat(20)}` as const
const payer = `0x${'b2'.repeat(20)}` as const
const third = `0x${'c3'.repeat(20)}` as const
const hashOf = (number: number) => `0x${String(number).padStart(64, '0')}` as const

const call = (
  traceAddress: number[],
  fields: { action?: object; [field: string]: unknown } = {},
) => ({
  traceAddress,
  transactionPosition: 3,
  type: 'call',
  blockHash: hashOf(1),
  ...fields,
  action: { callType: 'call', from: payer, to: own, value: '0x5', ...fields.action },
})

/** Reads the blocks 1 to `count` of a node whose `trace_block` results come from `answer`. */
async function open(answer: (number: number) => { result?: unknown; error?: object }) {
  const asked: string[] = []
  const upstream = await startUpstream((response, calls) => {
    const replies = calls.map(({ id, method, params }) => {
      if (method === 'trace_block') asked.push(method)
      const isTrace = /^(?:trace|debug)_/.test(method)
      const reply = isTrace ? answer(Number((params as unknown[])[0])) : { result: '0x1' }
      return { jsonrpc: '2.0', id, ...reply }
    })
    response.end(JSON.stringify(replies.length === 1 ? replies[0] : replies))
  })
  onTestFinished(upstream.stop)
  const chainId = 'eip155:1' as const
  const services = makeServices({ [chainId]: chainWith([upstream.url]) })
  const upstreams = createUpstreams({ ...services, log: pino({ level: 'silent' }) })
  const pace = { refusedTraces: 0, refusedCallTraces: 0, untraceable: -1 }
  const read = (count = 1, traces?: boolean) =>
    readContractPayments(
      { upstreams, chainId, wrappedNative: undefined, traces },
      Array.from({ length: count }, (_, index) => ({
        block: {
          number: index + 1,
          hash: hashOf(index + 1),
          parentHash: hashOf(index),
          minedMs: 0,
        },
        transactions: [{}],
      })),
      { addresses: new Set([own]), pace },
    )
  return { read, asked, pace }
}

const native = { standard: 'native', contract: undefined, tokenId: undefined }

test('default: what contracts pay to an account, without failed calls and what they contain', async () => {
  const traces = [
    call([]),
    call([0]),
    call([0, 0], { action: { value: '0x2' } }),
    call([1], { error: 'Reverted' }),
    call([1, 0]),
    call([10]),
    call([11], { action: { callType: 'delegatecall' } }),
    call([12], { action: { to: third } }),
    call([13], { action: { value: '0x0' } }),
    call([14], {
      type: 'suicide',
      action: { address: third, refundAddress: own, balance: '0x9' },
    }),
    call([], { type: 'reward', transactionPosition: undefined }),
  ]
  const { read } = await open(() => ({ result: traces }))
  expect(await read()).toEqual(
    new Map([
      [
        1,
        new Map([
          [
            3,
            [
              { ...native, from: payer, to: own, amount: 12n },
              { ...native, from: third, to: own, amount: 9n },
            ],
          ],
        ]),
      ],
    ]),
  )
})

test('error: a transaction that fails pays nothing', async () => {
  const { read } = await open(() => ({ result: [call([], { error: 'Reverted' }), call([0])] }))
  expect(await read()).toEqual(new Map([[1, new Map()]]))
})

test('security: traces of another block are not believed', async () => {
  const { read } = await open(() => ({ result: [call([0], { blockHash: hashOf(7) })] }))
  await expect(read()).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE' })
})

test('error: traces in another form are left out, and what else is in the block stands', async () => {
  const { read, pace } = await open(() => ({ result: [call([0], { blockHash: undefined })] }))
  expect(await read()).toEqual(new Map())
  expect(pace.refusedTraces).toBe(1)
})

test('behavior: after three refusals no traces are requested, and none if the operator turns them off', async () => {
  const { read, asked, pace } = await open(() => ({
    error: { code: -32601, message: 'Method not found' },
  }))
  await read(1, false)
  expect(asked).toEqual([])
  for (const _ of [1, 2, 3]) expect(await read()).toEqual(new Map())
  expect(pace.refusedTraces).toBe(3)
  const before = asked.length
  await read()
  expect(asked).toHaveLength(before)
})

let world: ActivityWorld
beforeAll(async () => {
  world = await startActivityWorld()
})
afterAll(() => world?.stop())

test.each(['trace_block', 'debug_traceBlockByNumber'])(
  'default: money that a contract pays is a row of the account, once, by %s',
  async (method) => {
    const abi = parseAbi([
      'struct Call { address target; bool allowFailure; uint256 value; bytes callData; }',
      'function aggregate3Value(Call[] calls) payable',
    ])
    const node = await startUpstream(async (response, calls) => {
      const replies = await Promise.all(
        calls.map(async (call) => {
          const isOtherTrace = /^(?:trace|debug)_/.test(call.method) && call.method !== method
          const error = { code: -32601, message: 'Method not found' }
          const reply = isOtherTrace ? { error } : await passOn(world.url, call)
          return { jsonrpc: '2.0', id: call.id, ...reply }
        }),
      )
      response.end(JSON.stringify(replies.length === 1 ? replies[0] : replies))
    })
    onTestFinished(node.stop)
    const indexer = await world.open({ upstreams: [node.url] })
    const receiver: Hex = `0x${method === 'trace_block' ? 'd7' : 'd8'}${'00'.repeat(19)}`
    const sender = world.addressAt(2)
    await indexer.activity.follow(accountOf(receiver))
    await world.untilComplete(indexer, receiver)
    // The first refusals show which method the nodes have.
    for (const _ of [1, 2, 3]) await world.send({ from: sender, to: receiver })
    await expect.poll(() => readAll(indexer.activity, receiver)).toHaveLength(3)
    const value = 10n ** 18n
    const pay = { target: receiver, allowFailure: false, value, callData: '0x' } as const
    const { multicall3 } = world.chains.addresses[testChainId]
    const hash = await world.send({
      from: sender,
      to: multicall3,
      value: '0xde0b6b3a7640000',
      data: encodeFunctionData({ abi, args: [[pay]] }),
    })
    await expect
      .poll(async () => (await readAll(indexer.activity, receiver))[0])
      .toMatchObject({
        hash,
        from: sender,
        transfers: [
          { standard: 'native', from: multicall3.toLowerCase(), to: receiver, amount: value },
        ],
      })
    expect(await readAll(indexer.activity, receiver)).toHaveLength(4)
  },
)
