import { randomUUID } from 'node:crypto'
import type { ChainId } from '@latchkey/wire'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '../../../test/openTestDatabase.ts'
import { seenTransaction } from '../../../test/startActivity.ts'
import type { Hex } from '../../evm/hex.ts'
import type { ChainBlock } from '../nodes/chainData.ts'
import { createNotices } from '../notices.ts'
import { advance, loadState, rollBack } from './chainState.ts'
import { finishTask, noteRequests, refreshAccounts } from './followedAccounts.ts'
import { type Lease, Superseded, takeLease } from './lease.ts'

const alice: Hex = `0x${'a1'.repeat(20)}`
const bob: Hex = `0x${'b0'.repeat(20)}`
const limits = { followSeconds: 60, maxAccounts: 10, firstBlock: () => 3 }
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

/** A chain that this test holds, known up to block 20. */
async function hold(chainId: ChainId) {
  const lease: Lease = { db: opened.db, chainId, holder: randomUUID() }
  await takeLease(lease, 'unseen')
  const state = await loadState(lease)
  await advance(lease, state, { blocks: [19, 20].map(block), ...leap })
  const ask = (...addresses: Hex[]) =>
    noteRequests(
      opened.db,
      addresses.map((address) => ({ chainId, address })),
      'once',
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

test('behavior: the chain turns back while an account is not followed: its gap begins where the branches part', async () => {
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

test('behavior: rows that a search finds between two notices are announced with the next one, for any account', async () => {
  const { lease, state, ask, refresh } = await hold('eip155:3')
  await ask(alice, bob)
  const { accounts } = await refresh()
  const heard: string[] = []
  const notices = createNotices({
    databaseUrl: opened.databaseUrl,
    log: pino({ level: 'silent' }),
    onNotice: ({ type, address }) => heard.push(`${type} ${address === alice ? 'alice' : 'bob'}`),
    missed: () => {},
  })
  onTestFinished(notices.close)
  await notices.open()
  const unnotified = new Set<Hex>()
  /** Looks up a few blocks for somebody, who may have sent something in the first; resolves to what is told of it. */
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
  // All is known: told whenever that is, and once.
  expect(await step(alice, [11, 15], 'sent')).toEqual([])
  expect(await step(alice, [3, 10], 'idle')).toEqual(['sync alice', 'changed alice'])
  expect(await step(bob, [8, 9], 'notifyAll')).toEqual(['sync bob'])
})

test('error: rows that could not be stored are not announced, and earlier ones are announced later', async () => {
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
