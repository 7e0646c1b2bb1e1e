import { encodeFunctionData, parseAbi } from 'viem/utils'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startUpstream } from '../../../../test/fakeUpstream.ts'
import {
  type ActivityWorld,
  accountOf,
  type Indexer,
  passOn,
  readAll,
  rpc,
  startActivityWorld,
  testChainId,
} from '../../../../test/startActivity.ts'

type Hex = `0x${string}`
type Call = { method: string; params: unknown[] }

let world: ActivityWorld

beforeAll(async () => {
  world = await startActivityWorld()
})
afterAll(() => world?.stop())

const ether = 10n ** 18n
const noTraces = { code: -32601, message: 'Method not found' }
const noState = { code: -32000, message: 'missing trie node: state is not available' }

/** The chain's node without traces; `answer` may give another answer, or an error, to a call. */
async function startNode(
  answer: (call: Call) => { result?: unknown; error?: object } | undefined = () => undefined,
  traces: (call: Call) => { result?: unknown; error?: object } | undefined = () => ({
    error: noTraces,
  }),
) {
  const node = await startUpstream(async (response, calls) => {
    const answers = await Promise.all(
      calls.map(async ({ id, method, params }) => {
        const call = { method, params: (params ?? []) as unknown[] }
        const isTrace = /^(?:trace|debug)_/.test(method)
        const given = isTrace ? traces(call) : answer(call)
        return { jsonrpc: '2.0', id, ...(given ?? (await passOn(world.url, call))) }
      }),
    )
    response.end(JSON.stringify(answers.length === 1 ? answers[0] : answers))
  })
  onTestFinished(node.stop)
  return [node.url]
}

const abi = parseAbi([
  'struct Call { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function aggregate3Value(Call[] calls) payable',
])

/** Has a contract pay an account. */
const payBy = (receiver: Hex, value: bigint) =>
  world.send({
    from: world.addressAt(2),
    to: world.chains.addresses[testChainId].multicall3,
    value: `0x${value.toString(16)}`,
    data: encodeFunctionData({
      abi,
      args: [[{ target: receiver, allowFailure: false, value, callData: '0x' }]],
    }),
  })

const headOf = async () => BigInt(await rpc<string>(world.url, 'eth_blockNumber', []))
const balanceOf = async (who: Hex) =>
  BigInt(await rpc<string>(world.url, 'eth_getBalance', [who, 'latest']))

/** Has accounts followed closely until the end of the test. */
const follow = ({ activity }: Indexer, ...accounts: Hex[]) => {
  for (const who of accounts) onTestFinished(activity.listen(accountOf(who), () => {}))
}

const changesOf = async ({ activity }: Indexer, who: Hex) =>
  (await readAll(activity, who)).filter(({ sinceBlock }) => sinceBlock !== undefined)

const changed = (block: bigint, who: Hex, amount: bigint, sinceBlock = block - 1n) => ({
  ...{ hash: '0x', from: '0x', to: undefined, status: 'confirmed', blockNumber: block, sinceBlock },
  transfers: [{ standard: 'native', from: '0x', to: who, amount }],
})

/** Until everything up to the chain's head was compared. */
const untilWeighed = async ({ db }: Indexer, who: Hex) => {
  const head = await headOf()
  await expect
    .poll(async () => {
      const row = await db
        .selectFrom('activity_accounts')
        .select('weighed')
        .where('address', '=', Buffer.from(who.slice(2), 'hex'))
        .executeTakeFirst()
      return BigInt(/,(\d+)\)\}$/.exec(row?.weighed ?? '')?.[1] ?? 0) > head
    })
    .toBe(true)
}

test('default: without traces, a payment of a contract is a balance change in its block', async () => {
  const [who, other]: Hex[] = ['0x00000000000000000000000000000000000a0001', world.addressAt(7)]
  if (!who || !other) throw new Error('No accounts')
  await payBy(who, ether)
  const first = await headOf()
  await world.send({ from: other, to: who, value: '0x5' })
  const indexer = await world.open({ upstreams: await startNode() })
  follow(indexer, who, other)
  await expect.poll(() => changesOf(indexer, who)).toMatchObject([changed(first, who, ether)])
  await payBy(who, 2n * ether)
  const second = await headOf()
  await world.send({ from: other, to: other, value: '0x1' })
  await expect
    .poll(() => changesOf(indexer, who))
    .toMatchObject([changed(second, who, 2n * ether), changed(first, who, ether)])
  await untilWeighed(indexer, other)
  // Fees, payments and failed transactions explain every change of an account that sends.
  expect(await changesOf(indexer, other)).toEqual([])
  const sum = await indexer.activity.readChanges(accountOf(who), { sinceMs: 0, stepMs: 1e13 })
  expect(sum.reduce((all, { change }) => all + change, 0n)).toBe(await balanceOf(who))
})

test('behavior: dust that contracts pay does not make an entry', async () => {
  const who: Hex = '0x00000000000000000000000000000000000a0002'
  const indexer = await world.open({ upstreams: await startNode() })
  follow(indexer, who)
  await world.untilComplete(indexer, who)
  await payBy(who, 10n ** 12n - 1n)
  await untilWeighed(indexer, who)
  expect(await readAll(indexer.activity, who)).toEqual([])
})

test('behavior: nodes without old state: the change is of all blocks between two heights', async () => {
  const who: Hex = '0x00000000000000000000000000000000000a0003'
  let oldest = 0n
  const upstreams = await startNode(({ method, params }) =>
    method === 'eth_getBalance' && params[1] !== 'latest' && BigInt(String(params[1])) < oldest
      ? { error: noState }
      : undefined,
  )
  const databaseUrl = await world.database()
  const before = await world.open({ upstreams, databaseUrl })
  follow(before, who)
  await untilWeighed(before, who)
  await before.stop()
  const start = await headOf()
  await payBy(who, ether)
  await rpc(world.url, 'anvil_mine', ['0x64'])
  oldest = await headOf()
  const after = await world.open({ upstreams, databaseUrl })
  follow(after, who)
  await expect.poll(() => changesOf(after, who)).toHaveLength(1)
  const [change] = await changesOf(after, who)
  expect(change).toMatchObject({ transfers: [{ to: who, amount: ether }] })
  expect(change?.sinceBlock).toBeLessThanOrEqual(start)
  expect(change?.blockNumber).toBeGreaterThanOrEqual(oldest)
})

test('error: a block whose traces are too large for an answer: what it pays is a change of the balance', async () => {
  const who: Hex = '0x00000000000000000000000000000000000a0006'
  const upstreams = await startNode(undefined, () => ({ result: 'x'.repeat(160_000) }))
  const indexer = await world.open({ upstreams, limits: { maxBytes: 150_000 } })
  follow(indexer, who)
  await world.untilComplete(indexer, who)
  await payBy(who, ether)
  const block = await headOf()
  await expect.poll(() => changesOf(indexer, who)).toMatchObject([changed(block, who, ether)])
})

test('behavior: if a node provides traces of a block later, the payment itself is in the activity', async () => {
  const who: Hex = '0x00000000000000000000000000000000000a0007'
  let isRefusing = false
  const upstreams = await startNode(
    ({ method }) => {
      if (method === 'eth_getBalance') isRefusing = false
      return undefined
    },
    () => (isRefusing ? { error: noTraces } : undefined),
  )
  const indexer = await world.open({ upstreams })
  follow(indexer, who)
  await world.untilComplete(indexer, who)
  await untilWeighed(indexer, who)
  isRefusing = true
  const hash = await payBy(who, ether)
  await expect
    .poll(() => readAll(indexer.activity, who))
    .toMatchObject([{ hash, sinceBlock: undefined, transfers: [{ to: who, amount: ether }] }])
  expect(isRefusing).toBe(false)
})

test('behavior: a block that the chain dropped takes its change with it', async () => {
  const who: Hex = '0x00000000000000000000000000000000000a0004'
  const indexer = await world.open({ upstreams: await startNode() })
  follow(indexer, who)
  await world.untilComplete(indexer, who)
  const snapshot = await rpc(world.url, 'evm_snapshot', [])
  await payBy(who, ether)
  await expect.poll(() => changesOf(indexer, who)).toHaveLength(1)
  await rpc(world.url, 'evm_revert', [snapshot])
  await payBy(who, 3n * ether)
  await world.send({ from: world.addressAt(2), to: world.addressAt(2) })
  const block = (await headOf()) - 1n
  await expect.poll(() => changesOf(indexer, who)).toMatchObject([changed(block, who, 3n * ether)])
})

test.each<[string, unknown]>([
  ['no number', 'much'],
  ['null', null],
])(
  'security: a balance that is %s makes no entry, and the rest of the activity stands',
  async (_, result) => {
    const who = world.addressAt(8)
    let asked = 0
    const upstreams = await startNode(({ method }) => {
      if (method !== 'eth_getBalance') return undefined
      asked++
      return { result }
    })
    const indexer = await world.open({ upstreams })
    follow(indexer, who)
    await payBy(who, ether)
    await world.send({ from: who, to: who, value: '0x1' })
    await expect.poll(() => readAll(indexer.activity, who)).not.toEqual([])
    await world.untilComplete(indexer, who)
    const before = asked
    // The second question follows the answer to the first.
    await expect.poll(() => asked).toBeGreaterThan(before + 1)
    expect(await changesOf(indexer, who)).toEqual([])
  },
)

test('security: a node that gives the newest balance for every block invents no money', async () => {
  const who: Hex = '0x00000000000000000000000000000000000a0005'
  const upstreams = await startNode(({ method, params }) =>
    method === 'eth_getBalance' && params[1] !== 'latest'
      ? { result: '0xde0b6b3a7640000' }
      : undefined,
  )
  const indexer = await world.open({ upstreams })
  follow(indexer, who)
  await world.untilComplete(indexer, who)
  await world.send({ from: world.addressAt(2), to: who, value: '0xde0b6b3a7640000' })
  await untilWeighed(indexer, who)
  expect(await readAll(indexer.activity, who)).toMatchObject([{ sinceBlock: undefined }])
})
