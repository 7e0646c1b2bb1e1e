import { randomUUID } from 'node:crypto'
import type { ChainId } from '@latchkey/wire'
import { sql } from 'kysely'
import { pino } from 'pino'
import { getAddress } from 'viem/utils'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '../../../test/openTestDatabase.ts'
import { seenTransaction } from '../../../test/startActivity.ts'
import type { Hex } from '../../evm/hex.ts'
import { getAsker } from '../asker.ts'
import type { ChainBlock } from '../nodes/chainData.ts'
import { createPgNotify } from '../pgNotify.ts'
import { advance, loadState, rollBack } from './chainState.ts'
import { finishTask, nextTask, refreshAccounts } from './followedAccounts.ts'
import { type Lease, Superseded, takeLease } from './lease.ts'
import { noteRequests } from './noteRequests.ts'

const alice: Hex = `0x${'a1'.repeat(20)}`
const bob: Hex = `0x${'b0'.repeat(20)}`
const limits = { followSeconds: 60, maxAccounts: 10, firstBlock: () => 3, dustWei: 1n }
const leap = { accounts: new Map(), transactions: 'leapt' } as const

let opened: Awaited<ReturnType<typeof openTestDatabase>>

beforeAll(async () => {
  opened = await openTestDatabase()
})
afterAll(() => opened?.close())

const block = (number: number): ChainBlock => ({
  number,
  hash: `0x${String(number).padStart(64, '0')}`,
  parentHash: `0x${String(number - 1).padStart(64, '0')}`,
  minedMs: number * 1_000,
})

const sentBy = (from: Hex, number: number) => seenTransaction({ block: block(number), from })

/** A chain whose lease this test holds, indexed up to block 20. */
async function hold(chainId: ChainId) {
  const lease: Lease = { db: opened.db, chainId, holder: randomUUID() }
  await takeLease(lease, 'unseen')
  const state = await loadState(lease)
  await advance(lease, state, { blocks: [19, 20].map(block), ...leap })
  const ask = (...addresses: Hex[]) =>
    noteRequests(
      opened.db,
      addresses.map((address) => ({ chainId, address })),
      { watched: 'once' },
    )
  const todo = async () => {
    const { rows } = await sql<{ todo: string }>`select todo from activity_accounts
      where chain_id = ${chainId} order by address`.execute(opened.db)
    return rows.map((row) => row.todo)
  }
  return { lease, state, ask, todo, refresh: () => refreshAccounts(lease, state, limits) }
}

test('behavior: a re-org just after an account was requested: its whole past is still to do', async () => {
  const { lease, state, ask, todo, refresh } = await hold('eip155:1')
  await ask(alice)
  await rollBack(lease, state, 19)
  await refresh()
  expect(await todo()).toEqual(['{[3,20)}'])
})

test('behavior: after a reorganization while an account is not followed, its gap begins at the fork', async () => {
  const { lease, state, ask, todo, refresh } = await hold('eip155:2')
  await ask(alice)
  await refresh()
  await sql`update activity_accounts set live = false, seen_to = 20, todo = '{}'
    where chain_id = ${lease.chainId}`.execute(opened.db)
  await rollBack(lease, state, 19)
  await advance(lease, state, { blocks: [20, 21].map(block), ...leap })
  await refresh()
  expect(await todo()).toEqual(['{[20,22)}'])
})

test('behavior: rows found between two notices are announced with the next notice, for any account', async () => {
  const { lease, state, ask, refresh } = await hold('eip155:3')
  await ask(alice, bob)
  const { accounts } = await refresh()
  const heard: string[] = []
  const notices = createPgNotify({
    databaseUrl: opened.databaseUrl,
    log: pino({ level: 'silent' }),
    onNotice: ({ type, address }) => heard.push(`${type} ${address === alice ? 'alice' : 'bob'}`),
    missed: () => {},
  })
  onTestFinished(notices.close)
  await notices.open()
  const unnotified = new Set<Hex>()
  /**
   * Searches a few blocks for an account, which may have sent something in the first. Resolves to
   * the notifications.
   */
  const step = async (
    who: Hex,
    [from, to]: [number, number],
    how: 'sent' | 'idle' | 'notifyAll',
  ) => {
    heard.length = 0
    const task = { from, to, accounts: new Map([[who, accounts.get(who) ?? 0]]) }
    const transactions = how === 'sent' ? [sentBy(who, from)] : []
    const notifyAll = how === 'notifyAll'
    const blocks = [block(from)]
    const done = { task, blocks, transactions, unread: new Map(), notifyAll, unnotified }
    await finishTask(lease, state.generation, done)
    await sql`select pg_notify('latchkey_activity', ${`asked ${lease.chainId} ${alice}`})`.execute(
      opened.db,
    )
    await expect.poll(() => heard).toContain('asked alice')
    return heard.slice(0, -1)
  }
  expect(await step(alice, [16, 20], 'sent')).toEqual([])
  expect(await step(bob, [16, 20], 'idle')).toEqual([])
  expect(await step(bob, [13, 15], 'notifyAll')).toEqual(['sync bob', 'changed alice'])
  expect(await step(bob, [10, 12], 'notifyAll')).toEqual(['sync bob'])
  // Complete accounts are always announced, and once.
  expect(await step(alice, [11, 15], 'sent')).toEqual([])
  expect(await step(alice, [3, 10], 'idle')).toEqual(['sync alice', 'changed alice'])
  expect(await step(bob, [8, 9], 'notifyAll')).toEqual(['sync bob'])
})

test('error: rows that could not be stored are not announced, and earlier rows are announced later', async () => {
  const { lease, state, ask, refresh } = await hold('eip155:4')
  await ask(alice, bob)
  const { accounts } = await refresh()
  const unnotified = new Set<Hex>([bob])
  const task = { from: 16, to: 20, accounts }
  const transactions = [sentBy(alice, 16)]
  const found = { blocks: [block(16)], transactions, unread: new Map() }
  const done = { task, ...found, notifyAll: true, unnotified }
  await expect(finishTask(lease, state.generation + 1n, done)).rejects.toThrow(Superseded)
  expect([...unnotified]).toEqual([bob])
})

const share = { perAddress: 5, perNetwork: 20 }
const clientAt = (address: string) =>
  getAsker({ trustedProxies: 0 }, { socketAddress: address, forwardedFor: undefined })

/** Moves the facts that establish a chain's accounts a day into the past. */
const passDay = ({ chainId }: Lease) =>
  sql`update activity_accounts set stood_at = stood_at - interval '1 day'
    where chain_id = ${chainId}`.execute(opened.db)

const inventedAt = (number: number): Hex =>
  `0x${'ee'.repeat(16)}${number.toString(16).padStart(8, '0')}`

test('error: a flood of invented addresses displaces no requested account, and is read last', async () => {
  const { lease, state } = await hold('eip155:5')
  const { chainId } = lease
  const ask = async (addresses: readonly Hex[], client: string) => {
    for (const address of addresses)
      await noteRequests(opened.db, [{ chainId, address }], {
        ...{ watched: 'once', share },
        asker: clientAt(client),
      })
  }
  const carol: Hex = `0x${'ca'.repeat(20)}`
  const dave: Hex = `0x${'da'.repeat(20)}`
  // Alice comes on two days, bob today, carol has a wallet here, and the flood requests dave's
  // address first.
  await ask([alice], '192.0.2.1')
  await passDay(lease)
  await ask([alice], '192.0.2.1')
  await addWallet(carol)
  const flood = async (from: number) => {
    for (let client = 0; client < 60; client++) {
      const addresses = Array.from({ length: 7 }, (_, one) => inventedAt(from + client * 7 + one))
      await ask([...addresses, dave], `2001:db8:${client % 3}:${client.toString(16)}::1`)
    }
  }
  await flood(0)
  await ask([bob], '198.51.100.7')
  await ask([dave], '198.51.100.8')
  // The share of this client is full.
  await ask(
    Array.from({ length: 9 }, (_, one) => inventedAt(9_000 + one)),
    '203.0.113.1',
  )
  await ask([carol], '203.0.113.1')
  await flood(2_000)
  const { accounts } = await refreshAccounts(lease, state, { ...limits, maxAccounts: 100 })
  expect(accounts.size).toBe(100)
  for (const one of [alice, bob, carol, dave]) expect(accounts.has(one)).toBe(true)
  // The flood has at most the shares of its three networks and of one established address.
  const { rows } = await sql`select from activity_accounts
    where chain_id = ${chainId} and standing > 0`.execute(opened.db)
  expect(rows.length).toBeLessThanOrEqual(4 + 3 * share.perNetwork + share.perAddress)
  const task = await nextTask(lease, { order: 'newest', size: 64, busy: [] })
  expect([...(task?.accounts.keys() ?? [])].slice(0, 2).sort()).toEqual([alice, carol])
})

test('behavior: while there is room, a client may have any number of accounts followed', async () => {
  const { lease, state } = await hold('eip155:6')
  const addresses = Array.from({ length: 50 }, (_, one) => inventedAt(one))
  await noteRequests(
    opened.db,
    addresses.map((address) => ({ chainId: lease.chainId, address })),
    { watched: 'once', asker: clientAt('192.0.2.9'), share },
  )
  const { accounts } = await refreshAccounts(lease, state, { ...limits, maxAccounts: 100 })
  expect(accounts.size).toBe(50)
})

async function addWallet(address: Hex) {
  const userId = randomUUID()
  await sql`alter table wallets drop constraint if exists wallets_user_id_fkey`.execute(opened.db)
  await sql`insert into wallets (id, user_id, realm, epoch, eip155, solana, recovery_key, manifest,
      manifest_signature, manifest_version, sealed_seed, created_at)
    values (${randomUUID()}, ${userId}, '', 0, ${getAddress(address)}, '', '', '', '', 0, '{}', now())`.execute(
    opened.db,
  )
}
