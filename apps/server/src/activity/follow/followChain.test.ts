import { sendMany } from '@latchkey/dev'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { honest, startUpstream } from '../../../test/fakeUpstream.ts'
import {
  type ActivityWorld,
  accountOf,
  type Indexer,
  passOn,
  readAll,
  rpc,
  startActivityWorld,
} from '../../../test/startActivity.ts'

let world: ActivityWorld

beforeAll(async () => {
  world = await startActivityWorld()
})
afterAll(() => world?.stop())

type Call = { id: number; method: string; params?: unknown }

/**
 * A proxy to the chain. `answer` can replace the reply to a call by a result, an error, or no
 * reply.
 */
async function startProxy(answer: (call: Call) => unknown) {
  const asked: Call[] = []
  const proxy = await startUpstream(async (response, calls) => {
    asked.push(...calls)
    const answers = await Promise.all(
      calls.map(async (call) => {
        const said = answer(call)
        if (said === 'die') return 'die'
        if (said instanceof Error)
          return { jsonrpc: '2.0', id: call.id, error: { code: -32005, message: said.message } }
        if (said !== undefined) return { jsonrpc: '2.0', id: call.id, result: said }
        return { jsonrpc: '2.0', id: call.id, ...(await passOn(world.url, call)) }
      }),
    )
    if (answers.includes('die')) return void response.destroy()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answers.length === 1 ? answers[0] : answers))
  })
  onTestFinished(proxy.stop)
  return { url: proxy.url, asked }
}

/**
 * Makes the leases of a database last an hour, until `end`, so that a process that stalls for
 * seconds keeps its lease.
 */
async function lengthenLeases({ db }: Indexer) {
  await sql`create function lengthen() returns trigger language plpgsql as $$ begin
    if new.holder is not null then new.held_until := now() + interval '1 hour'; end if;
    return new;
  end $$`.execute(db)
  await sql`create trigger lengthen before insert or update on activity_chains
    for each row execute function lengthen()`.execute(db)
  return async () => {
    await sql`drop trigger lengthen on activity_chains`.execute(db)
    await sql`update activity_chains set held_until = now() + interval '2.5 seconds'`.execute(db)
  }
}

/** Counts the observed renewals of the holder's lease. */
function renewalsOf({ db }: Indexer) {
  const seen = new Set<number>()
  return async () => {
    const { held_until } = await db
      .selectFrom('activity_chains')
      .select('held_until')
      .executeTakeFirstOrThrow()
    return seen.add(Number(held_until)).size
  }
}

test('behavior: two processes on one database share the work, and news reach both', async () => {
  const { addressAt, send, untilComplete, untilTrue } = world
  const [alice, bob] = [addressAt(0), addressAt(1)]
  const databaseUrl = await world.database()
  const proxies = [await startProxy(() => undefined), await startProxy(() => undefined)] as const
  const first = await world.open({ databaseUrl, upstreams: [proxies[0].url] })
  const endLeases = await lengthenLeases(first)
  await first.activity.follow(accountOf(alice))
  await untilComplete(first, alice)
  const second = await world.open({ databaseUrl, upstreams: [proxies[1].url] })
  const heard: string[] = []
  onTestFinished(
    second.activity.listen(accountOf(bob), ({ type }) => {
      heard.push(type)
    }),
  )
  await second.activity.follow(accountOf(bob))
  await untilComplete(second, bob, alice)
  heard.length = 0
  await send({ from: alice, to: bob, value: '0x1' })
  await untilTrue(second, bob)
  await untilTrue(first, alice)
  await expect.poll(() => heard).toContain('changed')
  expect(proxies[1].asked).toEqual([])
  const rows = await first.db.selectFrom('activity_rows').select(['account_id', 'hash']).execute()
  const keys = rows.map(({ account_id, hash }) => `${account_id} ${hash.toString('hex')}`)
  expect(new Set(keys).size).toBe(keys.length)

  // The following process ends. The other process takes over at the same block.
  await endLeases()
  await first.stop()
  await send({ from: bob, to: alice, value: '0x2' })
  await untilTrue(second, bob)
  const full = proxies[1].asked.filter(({ method }) => method === 'eth_getBlockByNumber')
  const head = Number(await rpc<string>(world.url, 'eth_blockNumber', []))
  const read = full.map(({ params }) => params as [string, boolean]).filter(([, all]) => all)
  for (const [number] of read) expect(Number(number)).toBeGreaterThan(head - 2)
})

test('behavior: a silent lease holder is replaced by another within seconds', async () => {
  const { addressAt, untilTrue } = world
  const alice = addressAt(0)
  const indexer = await world.open()
  await indexer.db
    .insertInto('activity_chains')
    .values({
      chain_id: 'eip155:31337',
      holder: '00000000-0000-4000-8000-000000000000',
      held_until: new Date(Date.now() + 3_600_000),
    })
    .execute()
  await indexer.activity.follow(accountOf(alice))
  expect(await readAll(indexer.activity, alice)).toEqual([])
  await indexer.db.updateTable('activity_chains').set({ held_until: new Date() }).execute()
  await untilTrue(indexer, alice)
})

test('behavior: the server polls nodes only while accounts are requested, and for a short time afterwards', async () => {
  const { addressAt, send, untilTrue, untilComplete } = world
  const alice = addressAt(2)
  const proxy = await startProxy(() => undefined)
  const databaseUrl = await world.database()
  const upstreams = [proxy.url]
  let laterMs = 0
  const clock = () => Date.now() + laterMs
  const options = { followSeconds: 600 }
  const indexer = await world.open({ databaseUrl, upstreams, options, clock })
  await indexer.activity.page({ address: alice, chainIds: ['eip155:31337'], limit: 1 })
  await indexer.activity.sync(accountOf(alice))
  expect(proxy.asked).toEqual([])
  await indexer.activity.follow(accountOf(alice))
  const live = () =>
    indexer.db.selectFrom('activity_accounts').select('live').where('live', '=', true).execute()
  await expect.poll(live).toHaveLength(1)
  // Eleven minutes without a request: the process has this clock, but the time of the request is
  // the database's.
  laterMs = 660_000
  await indexer.db
    .updateTable('activity_accounts')
    .set({ asked_at: new Date(Date.now() - laterMs) })
    .execute()
  await expect.poll(live).toEqual([])
  const held = () => indexer.db.selectFrom('activity_chains').select('holder').execute()
  await expect.poll(held).toEqual([{ holder: null }])
  const count = proxy.asked.length
  // Transactions in the meantime are found when the account is requested again.
  for (const value of ['0x1', '0x2', '0x3'] as const) await send({ from: alice, to: alice, value })
  expect(proxy.asked).toHaveLength(count)
  const again = await world.open({ databaseUrl, upstreams: [proxy.url] })
  await again.activity.follow(accountOf(alice))
  await untilComplete(again, alice)
  await untilTrue(again, alice)
})

test('behavior: a quiet listener is notified of a followed account without more reads of the chain', async () => {
  const { addressAt, send, untilComplete } = world
  const alice = addressAt(2)
  const looksAtMs: number[] = []
  const proxy = await startProxy(({ params }) => {
    if (String(params) === 'latest,false') looksAtMs.push(performance.now())
  })
  const indexer = await world.open({ upstreams: [proxy.url] })
  await indexer.activity.follow(accountOf(alice))
  await untilComplete(indexer, alice)
  const heard: string[] = []
  const hear = ({ type }: { type: string }) => void heard.push(type)
  onTestFinished(indexer.activity.listen(accountOf(alice), hear, 'quiet'))
  await send({ from: alice, to: alice, value: '0x1' })
  await expect.poll(() => heard).toContain('changed')
  const count = looksAtMs.length
  await expect.poll(() => looksAtMs.length).toBeGreaterThanOrEqual(count + 3)
  // A closely followed chain is polled three times a second.
  const [first = 0, second = 0, third = 0] = looksAtMs.slice(count)
  expect(Math.min(second - first, third - second)).toBeGreaterThan(1_900)
})

test('error: the upstream is away for a while: few tries meanwhile, all is there afterwards', async () => {
  const { addressAt, send, untilComplete, untilTrue } = world
  const alice = addressAt(3)
  let away = false
  const proxy = await startProxy(() => (away ? 'die' : undefined))
  const indexer = await world.open({ upstreams: [proxy.url] })
  await indexer.activity.follow(accountOf(alice))
  await untilComplete(indexer, alice)
  away = true
  const awayAt = performance.now()
  // Balances are compared on their own schedule.
  const countTries = () => proxy.asked.filter(({ method }) => method !== 'eth_getBalance').length
  const count = countTries()
  for (const value of ['0x1', '0x2'] as const) await send({ from: alice, to: alice, value })
  // Half a second, one, two; the fault that makes the node rest is followed by a probe.
  await expect.poll(() => countTries() - count).toBeGreaterThan(3)
  expect(performance.now() - awayAt).toBeGreaterThan(1_500)
  expect(await readAll(indexer.activity, alice, 5)).not.toContainEqual(
    expect.objectContaining({ valueWei: 2n }),
  )
  away = false
  await untilTrue(indexer, alice)
})

test('error: after a long outage, listeners are notified when everything is complete again', async () => {
  const { addressAt, untilComplete } = world
  const alice = addressAt(3)
  let away = false
  const proxy = await startProxy(() => (away ? 'die' : undefined))
  let laterMs = 0
  const clock = () => Date.now() + laterMs
  const indexer = await world.open({ upstreams: [proxy.url], clock })
  const { activity, db } = indexer
  const heard: boolean[] = []
  onTestFinished(
    activity.listen(accountOf(alice), async () => {
      heard.push((await activity.sync(accountOf(alice))).complete)
    }),
  )
  await untilComplete(indexer, alice)
  away = true
  const count = proxy.asked.length
  await expect.poll(() => proxy.asked.length).toBeGreaterThan(count)
  laterMs = 60_000
  await expect.poll(renewalsOf(indexer)).toBeGreaterThan(2)
  await db
    .updateTable('activity_chains')
    .set({ seen_at: new Date(0) })
    .execute()
  expect(await activity.sync(accountOf(alice))).toMatchObject({ complete: false, progress: 1 })
  heard.length = 0
  away = false
  await expect.poll(() => heard).toContain(true)
})

test('behavior: a returning account without news is reported as complete', async () => {
  const { addressAt, untilComplete } = world
  const [alice, bob] = [addressAt(3), addressAt(4)]
  const indexer = await world.open({ options: { maxAccounts: 1 } })
  await indexer.activity.follow(accountOf(alice))
  await untilComplete(indexer, alice)
  await indexer.activity.follow(accountOf(bob))
  await untilComplete(indexer, bob)
  const heard: boolean[] = []
  onTestFinished(
    indexer.activity.listen(accountOf(alice), async () => {
      heard.push((await indexer.activity.sync(accountOf(alice))).complete)
    }),
  )
  await expect.poll(() => heard).toContain(true)
})

test('error: who takes over while the node is away does not call complete what it has not looked at', async () => {
  const { addressAt, untilComplete } = world
  const alice = addressAt(0)
  const databaseUrl = await world.database()
  let away = false
  const proxy = await startProxy(() => (away ? 'die' : undefined))
  const first = await world.open({ databaseUrl, upstreams: [proxy.url] })
  await first.activity.follow(accountOf(alice))
  await untilComplete(first, alice)
  await first.stop()
  away = true
  const second = await world.open({ databaseUrl, upstreams: [proxy.url] })
  const longAgo = new Date(0)
  await second.db.updateTable('activity_chains').set({ seen_at: longAgo }).execute()
  await second.activity.follow(accountOf(alice))
  // The lease is released, taken, and renewed.
  await expect.poll(renewalsOf(second)).toBeGreaterThan(3)
  expect(await second.activity.sync(accountOf(alice))).toMatchObject({ complete: false })
  away = false
  await untilComplete(second, alice)
})

test('error: a node far behind all that is known: nothing is forgotten', async () => {
  const { addressAt, untilComplete, untilTrue, url } = world
  const alice = addressAt(0)
  await rpc(url, 'anvil_mine', ['0x50'])
  const second = await rpc(url, 'eth_getBlockByNumber', ['0x1', false])
  let isBehind = false
  const isNewest = ({ params }: Call) => JSON.stringify(params) === '["latest",false]'
  const proxy = await startProxy((call) => (isBehind && isNewest(call) ? second : undefined))
  let laterMs = 0
  const clock = () => Date.now() + laterMs
  const indexer = await world.open({ upstreams: [proxy.url], clock })
  // A listener makes the server poll more often.
  onTestFinished(indexer.activity.listen(accountOf(alice), () => {}))
  await untilComplete(indexer, alice)
  const rows = await readAll(indexer.activity, alice)
  isBehind = true
  for (const addedMs of [0, 60_000]) {
    laterMs += addedMs
    const before = proxy.asked.filter(isNewest).length
    const looks = () => proxy.asked.filter(isNewest).length - before
    await expect.poll(looks).toBeGreaterThan(2)
  }
  expect(await readAll(indexer.activity, alice)).toEqual(rows)
  isBehind = false
  await untilTrue(indexer, alice)
})

test('error: the database drops its connections again and again: nothing is lost', async () => {
  const { addressAt, send, untilComplete, untilTrue } = world
  const alice = addressAt(1)
  const databaseUrl = await world.database()
  const indexer = await world.open({ databaseUrl })
  onTestFinished(indexer.activity.listen(accountOf(alice), () => {}))
  await untilComplete(indexer, alice)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  onTestFinished(() => client.end())
  for (const value of ['0x1', '0x2', '0x3', '0x4'] as const) {
    await send({ from: alice, to: alice, value })
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
  }
  await untilTrue(indexer, alice)
})

test('error: a node that gives logs of two blocks at most, small batches and no receipts by block', async () => {
  const { addressAt, untilComplete, untilTrue, url } = world
  const alice = addressAt(4)
  await sendMany({ url, from: alice, count: 300, perBlock: 100, payment: () => ({ to: alice }) })
  const proxy = await startProxy(({ method, params }) => {
    if (method === 'eth_getBlockReceipts') return new Error('the method does not exist')
    if (method !== 'eth_getLogs') return undefined
    const [{ fromBlock, toBlock }] = params as [{ fromBlock?: string; toBlock?: string }]
    if (fromBlock === undefined || toBlock === undefined) return undefined
    return Number(toBlock) - Number(fromBlock) < 5 ? undefined : new Error('range too wide')
  })
  const indexer = await world.open({ upstreams: [proxy.url], limits: { maxBytes: 100_000 } })
  await indexer.activity.follow(accountOf(alice))
  await untilComplete(indexer, alice)
  const truth = await untilTrue(indexer, alice)
  expect(truth.length).toBeGreaterThanOrEqual(300)
})

test('error: a node that answers nonsense: nothing is stored, nothing breaks, and following stops at once', async () => {
  const nonsense = { number: '0x10', hash: 5, parentHash: null, timestamp: 'now' }
  const node = await startUpstream(honest(31337, { eth_getBlockByNumber: nonsense }))
  onTestFinished(node.stop)
  const indexer = await world.open({ upstreams: [node.url] })
  const alice = world.addressAt(0)
  await indexer.activity.follow(accountOf(alice))
  await expect.poll(() => node.bodies.length).toBeGreaterThan(2)
  expect(await indexer.activity.sync(accountOf(alice))).toMatchObject({ complete: false })
  const startedAt = performance.now()
  await indexer.activity.stop()
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})
