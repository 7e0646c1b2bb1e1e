import { generateKeyPairSync } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { honest, startUpstream } from '../../test/fakeUpstream.ts'
import { chainWith } from '../../test/makeServices.ts'
import { openOnramp } from '../../test/openOnramp.ts'
import { openTestDatabase } from '../../test/openTestDatabase.ts'
import { startCheckout } from '../../test/startCheckout.ts'
import type { Database } from '../db/database.ts'
import { takeDueOrders } from './dueOrders.ts'
import { sourceCount } from './orderSource.ts'

const chainId = 'eip155:1'
const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const hash = `0x${'1'.repeat(64)}`
const minute = 60_000
const hour = 60 * minute

let opened: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  opened = await openTestDatabase()
})
afterAll(() => opened?.close())

/**
 * An order at Coinbase, which does not report on its own. `world.transactions` is its response; a
 * number is a status.
 */
async function open() {
  await opened.db.deleteFrom('onramp_orders').execute()
  const world = {
    transactions: [] as object[] | number,
    /** Its response for a single order instead. */
    own: new Map<string, object[]>(),
    asked: 0,
    isAway: false,
  }
  const api = await startCheckout(({ path }) => {
    if (path === '/onramp/v1/token') return world.isAway ? 503 : { token: 'session' }
    world.asked += 1
    const own = [...world.own].find(([id]) => path.includes(id))
    if (own) return { transactions: own[1] }
    return typeof world.transactions === 'number'
      ? world.transactions
      : { transactions: world.transactions }
  })
  const chain = await startUpstream((...call) =>
    honest(1, {
      eth_getTransactionReceipt: { status: '0x1', blockNumber: '0x5', logs: [] },
      eth_getTransactionByHash: { to: alice.toLowerCase(), value: '0xde0b6b3a7640000' },
      eth_getBlockByNumber: { timestamp: `0x${Math.floor(area.state.nowMs / 1000).toString(16)}` },
      eth_getBalance: '0x0',
    })(...call),
  )
  onTestFinished(() => chain.stop())
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const area = openOnramp({
    db: opened.db,
    chains: { [chainId]: chainWith([chain.url]) },
    trustedProxies: 1,
    onramp: new Map([
      [
        'coinbase',
        {
          type: 'coinbase',
          name: 'Coinbase',
          feePercent: { min: 1, max: 2 },
          currencies: ['USD'],
          methods: ['card'],
          keyId: 'key',
          keySecret: String(privateKey.export({ type: 'sec1', format: 'pem' })),
          country: 'US',
          apiUrl: api.url,
          payUrl: 'https://pay.coinbase.com/buy/select-asset',
        },
      ],
    ]),
  })
  const place = async (client = '198.51.100.7') => {
    const wallet = { address: alice, blockchains: [chainId], assets: ['native'] }
    const asked = { destinationWallets: [wallet], presetFiatAmount: 100 }
    const from = { 'x-forwarded-for': client }
    const { body } = await area.ask('/v1/generators/onrampurl', asked, from)
    return body.orderId as string
  }
  const history = async () => {
    const { body } = await area.ask(`/v1/account/${alice}/history?projectId=local&onramp=all`)
    return (body.data as { metadata: { status: string } }[]).map(({ metadata }) =>
      metadata.status.replace('ONRAMP_TRANSACTION_STATUS_', ''),
    )
  }
  /** Runs a sweep after this time. */
  const sweepAfter = async (ms: number) => {
    area.state.nowMs += ms
    await area.sweep()
  }
  return { ...area, world, place, history, sweepAfter }
}

const transaction = (status: string, more: object = {}) => ({
  status: `ONRAMP_TRANSACTION_STATUS_${status}`,
  created_at: '2026-01-01T00:00:00Z',
  ...more,
})

test('default: an order whose visitor never comes back is known once it is paid, and arrives', async () => {
  const { world, place, history, sweepAfter } = await open()
  await place()
  world.transactions = [transaction('IN_PROGRESS')]
  expect(await history()).toEqual([])
  await sweepAfter(minute)
  expect(world.asked).toBe(1)
  world.transactions = [transaction('SUCCESS', { tx_hash: hash })]
  await sweepAfter(hour)
  expect(await history()).toEqual(['SUCCESS'])
})

test('behavior: who reads the history sees how a paid order stands now', async () => {
  const { world, state, place, history, sweepAfter } = await open()
  await place()
  world.transactions = [transaction('IN_PROGRESS')]
  await sweepAfter(minute)
  expect(await history()).toEqual(['IN_PROGRESS'])
  world.transactions = [transaction('SUCCESS', { tx_hash: hash })]
  state.nowMs += minute
  expect(await history()).toEqual(['SUCCESS'])
})

test('behavior: an order expires only once its provider reports no payment; a late payment counts', async () => {
  const { world, state, place, ask, follow } = await open()
  const id = await place()
  state.nowMs += 4 * hour
  world.transactions = 503
  expect((await follow(id)).status).toBe('created')
  world.transactions = []
  // Polled at most once in a while, even if several clients follow it.
  expect((await ask(`/v1/onramp/orders/${id}`)).body.status).toBe('created')
  expect((await follow(id)).status).toBe('expired')
  world.transactions = [transaction('IN_PROGRESS')]
  expect((await follow(id)).status).toBe('paid')
})

test('behavior: an order that was declined expires too', async () => {
  const { world, state, place, follow } = await open()
  const id = await place()
  world.transactions = [transaction('FAILED')]
  expect((await follow(id)).status).toBe('declined')
  state.nowMs += 4 * hour
  expect((await follow(id)).status).toBe('expired')
  expect((await follow(id)).status).toBe('expired')
})

test('behavior: an unpaid order is polled less and less often, and no longer after it was sent', async () => {
  const { world, place, sweepAfter } = await open()
  await place()
  for (let count = 0; count < 3 * 60; count += 1) await sweepAfter(minute)
  expect(world.asked).toBeGreaterThan(5)
  expect(world.asked).toBeLessThan(15)
  world.transactions = [transaction('SUCCESS', { tx_hash: hash })]
  for (let count = 0; count < 3; count += 1) await sweepAfter(5 * hour)
  const { asked } = world
  await sweepAfter(100 * hour)
  expect(world.asked).toBe(asked)
})

test('behavior: a provider that does not answer is polled again soon, also for an old order', async () => {
  const { world, place, history, sweepAfter } = await open()
  await place()
  world.transactions = 503
  await sweepAfter(48 * hour)
  expect(world.asked).toBe(1)
  await sweepAfter(9 * minute)
  expect(world.asked).toBe(1)
  world.transactions = [transaction('SUCCESS', { tx_hash: hash })]
  await sweepAfter(minute)
  expect(await history()).toEqual(['SUCCESS'])
})

test('behavior: a sweep during an unanswered poll polls again soon', async () => {
  const { world, state, place, ask, sweepAfter } = await open()
  const id = await place()
  world.transactions = 503
  state.nowMs += 48 * hour
  await ask(`/v1/onramp/orders/${id}`)
  await sweepAfter(0)
  expect(world.asked).toBe(1)
  await sweepAfter(10 * minute)
  expect(world.asked).toBe(2)
})

test('behavior: one sweep asks for some orders, the next for the others', async () => {
  const { world, state, place, sweepAfter } = await open()
  for (let count = 0; count < 25; count += 1) {
    // A client may create ten orders at once.
    state.nowMs += 20_000
    await place()
  }
  await sweepAfter(10 * minute)
  expect(world.asked).toBe(20)
  await sweepAfter(0)
  expect(world.asked).toBe(25)
})

test('behavior: two servers never take the same orders, and do not wait for each other', async () => {
  const { state, place } = await open()
  const ids: string[] = []
  for (let count = 0; count < 25; count += 1) {
    state.nowMs += 20_000
    ids.push(await place())
  }
  state.nowMs += 10 * minute
  const take = async (db: Kysely<Database>) => {
    const asked = { providers: ['coinbase'], max: 20 }
    return (await takeDueOrders({ db, clock: () => state.nowMs }, asked)).map(({ id }) => id)
  }
  const one = await opened.db.startTransaction().execute()
  onTestFinished(async () => {
    if (!one.isCommitted) await one.rollback().execute()
  })
  const first = await take(one)
  expect(first).toHaveLength(20)
  const second = await take(opened.db)
  expect([...first, ...second].sort()).toEqual(ids.sort())
  await one.commit().execute()
  expect(await take(opened.db)).toEqual([])
})

/** Copies of an order, due this much earlier. */
const copyOrder = ({ id, count, ms }: { id: string; count: number; ms: number }) =>
  sql`insert into onramp_orders (id, provider, chain_id, address, account, asset, symbol, decimals, payment_currency,
      payment_method, created_at, ask_at, source)
    select 'copy' || number, provider, chain_id, address, account, asset, symbol, decimals, payment_currency,
      payment_method, created_at, ask_at - ${ms} * interval '1 ms', source
    from onramp_orders, generate_series(1, ${count}) as number where id = ${id}`.execute(opened.db)

test('behavior: 10,000 orders of one network do not delay orders of a second or third network', async () => {
  const { world, place, follow, sweepAfter } = await open()
  await copyOrder({ id: await place('198.51.100.7'), count: 9_999, ms: hour })
  const others = [await place('203.0.113.9'), await place('2001:db8:1:2::3')]
  for (const id of others) world.own.set(id, [transaction('IN_PROGRESS')])
  await sweepAfter(minute)
  expect(world.asked).toBe(20)
  const read = opened.db.selectFrom('onramp_orders').select('id').where('status', '=', 'paid')
  expect((await read.execute()).map(({ id }) => id).sort()).toEqual(others.sort())
  expect((await follow(others[0] ?? '')).status).toBe('paid')
})

test('behavior: 10,000 orders that came since the statistics of the table were made are taken at once', async () => {
  const { state, place } = await open()
  const first = await place()
  await copyOrder({ id: first, count: 60, ms: 0 })
  await sql`update onramp_orders set status = 'sent' where id like 'copy%'`.execute(opened.db)
  await sql`analyze onramp_orders`.execute(opened.db)
  await sql`delete from onramp_orders where id like 'copy%'`.execute(opened.db)
  await copyOrder({ id: first, count: 9_999, ms: hour })
  await opened.db.transaction().execute(async (db) => {
    await sql`set local statement_timeout = '3 s'`.execute(db)
    const asked = { providers: ['coinbase'], max: 20 }
    expect(await takeDueOrders({ db, clock: () => state.nowMs }, asked)).toHaveLength(20)
  })
})

test('behavior: with more networks than one sweep takes, each is polled within the hour', async () => {
  const { world, place, sweepAfter } = await open()
  const first = await place()
  await copyOrder({ id: first, count: 3 * sourceCount, ms: hour })
  await sql`update onramp_orders set source = substr(id, 5)::int % ${sourceCount} where id like 'copy%'`.execute(
    opened.db,
  )
  // The longest overdue orders always belong to the same few networks.
  await sql`update onramp_orders set ask_at = ask_at - interval '1 day' where source < 20`.execute(
    opened.db,
  )
  world.transactions = [transaction('IN_PROGRESS')]
  for (let count = 0; count < 52; count += 1) await sweepAfter(minute)
  const { rows } = await sql<{ source: number }>`
    select distinct source from onramp_orders where status = 'paid'`.execute(opened.db)
  expect(rows).toHaveLength(sourceCount)
})

test('behavior: orders of one /24 or /48 have the same source, whose number reveals nothing else', async () => {
  const { place } = await open()
  const clients = ['198.51.100.7', '198.51.100.8', '2001:db8:1:2::3', '2001:db8:1:9::3']
  const ids: string[] = []
  for (const client of clients) ids.push(await place(client))
  const rows = await opened.db.selectFrom('onramp_orders').select(['id', 'source']).execute()
  const [one, two, three, four] = ids.map((id) => rows.find((row) => row.id === id)?.source)
  expect([one === two, three === four, one === three]).toEqual([true, true, false])
  expect(rows.every(({ source }) => source >= 0 && source < sourceCount)).toBe(true)
})

test('error: an order that cannot be looked up stops neither the others nor the sweep', async () => {
  const { world, services, place, history, sweepAfter } = await open()
  const [bad] = [await place(), await place()]
  const { kv } = services
  const take = kv.take.bind(kv)
  vi.spyOn(kv, 'take').mockImplementation((key, bucket) =>
    key.endsWith(bad) ? Promise.reject(new Error('Away')) : take(key, bucket),
  )
  world.transactions = [transaction('SUCCESS', { tx_hash: hash })]
  await sweepAfter(minute)
  expect(await history()).toEqual(['SUCCESS'])
  expect(world.asked).toBe(1)
})

test.each([
  ['-200000-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
  ['0000-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
  ['no time', '1970-01-01T00:00:00.000Z'],
  ['2025-12-31T23:59:00Z', '2025-12-31T23:59:00.000Z'],
  ['+275000-01-01T00:00:00Z', '2026-01-01T00:01:00.000Z'],
])(
  'param: created_at: what has happened at %s counts as of %s, and a later report counts',
  async (created_at, expected) => {
    const { world, place, history, sweepAfter } = await open()
    const id = await place()
    world.transactions = [transaction('FAILED', { created_at })]
    await sweepAfter(minute)
    const read = opened.db.selectFrom('onramp_orders').select('reported_at').where('id', '=', id)
    expect((await read.executeTakeFirst())?.reported_at?.toISOString()).toBe(expected)
    world.transactions = [transaction('SUCCESS', { tx_hash: hash })]
    await sweepAfter(hour)
    expect(await history()).toEqual(['SUCCESS'])
  },
)

test('error: a hash that the database cannot keep is no answer', async () => {
  const { world, place, history, sweepAfter } = await open()
  await place()
  world.transactions = [transaction('SUCCESS', { tx_hash: '0x1\u0000' })]
  await sweepAfter(minute)
  world.transactions = [transaction('SUCCESS', { tx_hash: hash })]
  await sweepAfter(10 * minute)
  expect(await history()).toEqual(['SUCCESS'])
})

const day = 24 * hour

test('behavior: an order is deleted after 7 days if its provider recently reported that it was not paid', async () => {
  const { world, place, ask, sweepAfter } = await open()
  const id = await place()
  const isKept = async () => (await ask(`/v1/onramp/orders/${id}`)).status === 200
  // The provider reported so after 4 hours, and was not polled afterwards.
  await sweepAfter(4 * hour)
  world.transactions = 503
  await sweepAfter(8 * day)
  await sweepAfter(9 * minute)
  expect(await isKept()).toBe(true)
  world.transactions = []
  await sweepAfter(minute)
  expect(await isKept()).toBe(true)
  await sweepAfter(minute)
  expect(await isKept()).toBe(false)
})

test('behavior: an order that was paid while its provider did not answer for 8 days is known afterwards', async () => {
  const { world, place, history, sweepAfter } = await open()
  await place()
  world.transactions = 503
  await sweepAfter(8 * day)
  world.transactions = [transaction('SUCCESS', { tx_hash: hash })]
  await sweepAfter(10 * minute)
  expect(await history()).toEqual(['SUCCESS'])
})

test('behavior: an order whose provider never answers is deleted after 30 days', async () => {
  const { world, state, place, ask, sweepAfter } = await open()
  const id = await place()
  world.transactions = 503
  await sweepAfter(29 * day)
  expect((await ask(`/v1/onramp/orders/${id}`)).status).toBe(200)
  state.nowMs += day
  await sweepAfter(minute)
  expect((await ask(`/v1/onramp/orders/${id}`)).status).toBe(404)
})

test.each([
  [{ presetCryptoAmount: 1e-7 }, { presetCryptoAmount: '0.0000001' }],
  [
    { presetCryptoAmount: 2, defaultExperience: 'send' },
    { presetCryptoAmount: '2', defaultExperience: 'send' },
  ],
  [{ presetCryptoAmount: 2, presetFiatAmount: 100 }, { presetFiatAmount: '100' }],
  [{ presetCryptoAmount: 0 }, {}],
])('param: %j of a client lead to a checkout with %j', async (asked, expected) => {
  const { ask } = await open()
  const destinationWallets = [{ address: alice, blockchains: [chainId], assets: ['native'] }]
  const { body } = await ask('/v1/generators/onrampurl', { destinationWallets, ...asked })
  const shown = Object.fromEntries(new URL(body.url).searchParams)
  const names = ['presetCryptoAmount', 'presetFiatAmount', 'defaultExperience']
  expect(
    Object.fromEntries(Object.entries(shown).filter(([name]) => names.includes(name))),
  ).toEqual(expected)
})

test('error: an order whose checkout cannot be made is not kept', async () => {
  const { world, place } = await open()
  world.isAway = true
  expect(await place()).toBeUndefined()
  world.isAway = false
  const id = await place()
  expect(await opened.db.selectFrom('onramp_orders').select('id').execute()).toEqual([{ id }])
})

test('behavior: one client begins 50 orders at most, and then 50 more in a day', async () => {
  const { state, place } = await open()
  const placeOne = async () => {
    state.nowMs += 20_000
    return (await place()) !== undefined
  }
  const placed: boolean[] = []
  for (let count = 0; count < 60; count += 1) placed.push(await placeOne())
  expect(placed.filter(Boolean)).toHaveLength(50)
  state.nowMs += day
  expect(await placeOne()).toBe(true)
})
