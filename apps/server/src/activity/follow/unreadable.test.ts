import { padHex, toHex } from 'viem/utils'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startUpstream } from '../../../test/fakeUpstream.ts'
import {
  type ActivityWorld,
  accountOf,
  type Indexer,
  passOn,
  readAll,
  rpc,
  startActivityWorld,
} from '../../../test/startActivity.ts'

type Hex = `0x${string}`

let world: ActivityWorld

beforeAll(async () => {
  world = await startActivityWorld()
  await rpc(world.url, 'anvil_setCode', [logger, loggerCode])
})
afterAll(() => world?.stop())

const logger: Hex = '0x00000000000000000000000000000000000109e7'
/** Logs three topics with an empty word, `count` times: `(count, topic, topic, topic)`. */
const loggerCode = '0x5f355b60603560403560203560205fa36001900380600257 00'.replace(' ', '')
const transferTopic: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const singleTopic: Hex = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
const approvalTopic: Hex = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'

const word = (value: Hex | number) => padHex(typeof value === 'number' ? toHex(value) : value)
const stranger: Hex = '0x00000000000000000000000000000000000000aa'

/** 700 kB of logs, and the same in a receipt. Answers may have 150 kB. */
const many = 1_000
const limits = { maxBytes: 150_000 }

/** Makes a stranger's contract log transfers or approvals in the name of an account. */
const log = (from: Hex, topics: readonly [Hex, Hex, Hex], count = many) =>
  world.send({
    from,
    to: logger,
    gas: '0x1000000',
    data: `0x${[word(count), ...topics.map(word)].map((one) => one.slice(2)).join('')}`,
  })

/** Has an account followed closely until the end of the test. */
const follow = ({ activity }: Indexer, who: Hex) =>
  onTestFinished(activity.listen(accountOf(who), () => {}))

const unreadOf = async ({ activity }: Indexer, who: Hex) =>
  (await activity.sync(accountOf(who))).unread

/** A proxy to the chain that refuses some calls. */
async function startNode(isRefused: (call: { method: string; params: unknown[] }) => boolean) {
  const asked: string[] = []
  const node = await startUpstream(async (response, calls) => {
    asked.push(...calls.map(({ method }) => method))
    const answers = await Promise.all(
      calls.map(async ({ id, method, params }) => {
        const call = { method, params: (params ?? []) as unknown[] }
        if (isRefused(call))
          return { jsonrpc: '2.0', id, error: { code: -32005, message: 'more than 10000 results' } }
        return { jsonrpc: '2.0', id, ...(await passOn(world.url, call)) }
      }),
    )
    response.end(JSON.stringify(answers.length === 1 ? answers[0] : answers))
  })
  onTestFinished(node.stop)
  return { url: node.url, asked }
}

test.each([
  ['sender', 0, (own: Hex) => [transferTopic, own, stranger] as const],
  ['receiver', 1, (own: Hex) => [transferTopic, stranger, own] as const],
  ['owner of an approval', 2, (own: Hex) => [approvalTopic, own, stranger] as const],
  ['operator and sender of an item', 3, (own: Hex) => [singleTopic, own, own] as const],
])(
  'error: a block full of logs that name an account as %s: others are read on, new blocks and old ones',
  async (_, index, toTopics) => {
    const { addressAt, send, untilComplete, untilTrue } = world
    const [alice, bob, carol, mallory] = [
      addressAt(index),
      addressAt(5),
      addressAt(6),
      addressAt(9),
    ]
    const indexer = await world.open({ limits })
    for (const who of [alice, bob]) follow(indexer, who)
    await untilComplete(indexer, alice, bob)
    await log(mallory, [...toTopics(alice)])
    await send({ from: bob, to: carol, value: '0x1' })
    await send({ from: alice, to: bob, value: '0x2' })
    await untilTrue(indexer, bob)
    await untilComplete(indexer, bob)
    const sync = await indexer.activity.sync(accountOf(alice))
    expect(sync).toMatchObject({ complete: false, progress: 1, unread: { blocks: 1 } })
    const [newest] = await readAll(indexer.activity, alice)
    expect(newest).toMatchObject({ from: alice, to: bob, valueWei: 2n })
    // Older blocks: of a new account, while the account in the logs is new as well.
    const later = await world.open({ limits })
    for (const who of [alice, carol]) follow(later, who)
    await untilTrue(later, carol)
    await untilComplete(later, carol)
    await expect.poll(() => unreadOf(later, alice)).toMatchObject({ blocks: expect.any(Number) })
    expect(await later.activity.sync(accountOf(alice))).toMatchObject({ progress: 1 })
  },
)

test('error: blocks full of logs one after the other: each costs a few reads, and others stay complete', async () => {
  const { addressAt, send, untilComplete, untilTrue } = world
  const [alice, bob, mallory] = [addressAt(4), addressAt(5), addressAt(9)]
  const node = await startNode(() => false)
  const indexer = await world.open({ limits, upstreams: [node.url] })
  for (const who of [alice, bob]) follow(indexer, who)
  await untilComplete(indexer, alice, bob)
  const attack = async (times: number) => {
    for (let time = 0; time < times; time++) {
      await log(mallory, [transferTopic, alice, stranger])
      await send({ from: bob, to: bob, value: '0x1' })
      await untilTrue(indexer, bob)
    }
  }
  await attack(3)
  const before = node.asked.filter((method) => method === 'eth_getLogs').length
  await attack(3)
  // One for each kind of log and block.
  const count = node.asked.filter((method) => method === 'eth_getLogs').length - before
  expect(count).toBeLessThan(25)
  await untilComplete(indexer, bob)
})

test('error: a receipt that is too large: the transaction is known with its fee and state', async () => {
  const { addressAt, untilComplete, untilTrue } = world
  const alice = addressAt(7)
  const indexer = await world.open({ limits })
  follow(indexer, alice)
  await untilComplete(indexer, alice)
  await log(alice, [transferTopic, stranger, stranger])
  await untilTrue(indexer, alice)
  await untilComplete(indexer, alice)
  const later = await world.open({ limits })
  follow(later, alice)
  await untilTrue(later, alice)
  await untilComplete(later, alice)
})

test('error: if a node refuses one receipt, its transaction is known and only its block is unread', async () => {
  const { addressAt, send, untilComplete, untilTrue } = world
  const [alice, bob] = [addressAt(6), addressAt(5)]
  const hash = await send({ from: alice, to: alice, value: '0x5' })
  let isRefusing = true
  const node = await startNode(
    ({ method, params }) =>
      isRefusing && method === 'eth_getTransactionReceipt' && params[0] === hash,
  )
  const indexer = await world.open({ upstreams: [node.url] })
  for (const who of [alice, bob]) follow(indexer, who)
  await untilComplete(indexer, bob)
  await untilTrue(indexer, bob)
  await expect.poll(() => unreadOf(indexer, alice)).toMatchObject({ blocks: 1 })
  const row = (await readAll(indexer.activity, alice)).find((one) => one.hash === hash)
  expect(row).toMatchObject({ valueWei: 5n, feeWei: undefined })
  // Tried again when it is due.
  isRefusing = false
  const due = { unread_at: new Date(0) }
  await indexer.db
    .updateTable('activity_accounts')
    .set(due)
    .where('unread_at', 'is not', null)
    .execute()
  await untilComplete(indexer, alice)
  await untilTrue(indexer, alice)
})

test('error: a block whose transactions no node gives: it is unread for all, everything else is known', async () => {
  const { addressAt, send, untilComplete } = world
  const [alice, bob] = [addressAt(8), addressAt(7)]
  const hash = await send({ from: alice, to: bob, value: '0x7' })
  const { blockNumber } = await rpc<{ blockNumber: Hex }>(world.url, 'eth_getTransactionByHash', [
    hash,
  ])
  await send({ from: alice, to: bob, value: '0x8' })
  let isRefusing = true
  const node = await startNode(
    ({ method, params }) =>
      isRefusing &&
      ((method === 'eth_getBlockByNumber' && params[0] === blockNumber && params[1] === true) ||
        method === 'eth_getTransactionByBlockHashAndIndex'),
  )
  const indexer = await world.open({ upstreams: [node.url] })
  for (const who of [alice, bob]) follow(indexer, who)
  for (const who of [alice, bob])
    await expect.poll(() => unreadOf(indexer, who)).toMatchObject({ blocks: 1 })
  await expect
    .poll(() => indexer.activity.sync(accountOf(alice)))
    .toMatchObject({ complete: false, progress: 1 })
  isRefusing = false
  await indexer.db
    .updateTable('activity_accounts')
    .set({ unread_at: new Date(0) })
    .execute()
  await untilComplete(indexer, alice, bob)
  for (const who of [alice, bob]) await world.untilTrue(indexer, who)
})

test('error: a node that refuses all logs: no block counts as read, or as unread', async () => {
  const { addressAt, untilComplete } = world
  const alice = addressAt(5)
  let isRefusing = true
  const node = await startNode(({ method }) => isRefusing && method === 'eth_getLogs')
  const indexer = await world.open({ upstreams: [node.url] })
  follow(indexer, alice)
  await expect
    .poll(() => node.asked.filter((method) => method === 'eth_getLogs').length)
    .toBeGreaterThan(3)
  expect(await indexer.activity.sync(accountOf(alice))).toMatchObject({ complete: false })
  expect(await unreadOf(indexer, alice)).toBeUndefined()
  isRefusing = false
  await untilComplete(indexer, alice)
})

test.each([
  ['gives an error for', false],
  ['never answers for', true],
])('error: a new block that the node %s: the head goes on without it', async (_, isSilent) => {
  const { addressAt, send, untilComplete } = world
  const [alice, bob] = [addressAt(2), addressAt(3)]
  let bad: Hex | undefined
  const node = await startUpstream(async (response, calls) => {
    const isBad = calls.some(
      ({ method, params }) =>
        bad !== undefined &&
        (method === 'eth_getTransactionByBlockHashAndIndex' ||
          (method === 'eth_getBlockByNumber' && `${params}` === `${bad},true`)),
    )
    if (isBad && isSilent) return
    const answers = await Promise.all(
      calls.map(async ({ id, method, params }) =>
        isBad
          ? { jsonrpc: '2.0', id, error: { code: -32000, message: 'internal failure' } }
          : { jsonrpc: '2.0', id, ...(await passOn(world.url, { method, params })) },
      ),
    )
    response.end(JSON.stringify(answers.length === 1 ? answers[0] : answers))
  })
  onTestFinished(node.stop)
  const indexer = await world.open({ upstreams: [node.url], limits: { timeoutMs: 500 } })
  for (const who of [alice, bob]) follow(indexer, who)
  await untilComplete(indexer, alice, bob)
  const head = await rpc<Hex>(world.url, 'eth_blockNumber', [])
  bad = toHex(BigInt(head) + 1n)
  await send({ from: alice, to: alice, value: '0x5' })
  await send({ from: alice, to: bob, value: '0x9' })
  await expect
    .poll(async () => (await readAll(indexer.activity, bob))[0], { timeout: 20_000 })
    .toMatchObject({ from: alice, valueWei: 9n })
  for (const who of [alice, bob])
    await expect
      .poll(() => unreadOf(indexer, who), { timeout: 20_000 })
      .toMatchObject({ blocks: 1 })
})
