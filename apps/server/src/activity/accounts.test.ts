import { randomUUID } from 'node:crypto'
import type { ChainId } from '@latchkey/wire'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDatabases } from '../../test/startActivity.ts'
import { readConfig } from '../config.ts'
import { type OpenDatabase, openDatabase } from '../db/openDatabase.ts'
import { askFor, refreshAccounts } from './accounts.ts'
import { type Lease, takeLease } from './lease.ts'
import { advance, loadState, rollBack } from './progress.ts'
import type { Hex, SeenBlock } from './seen.ts'

const alice: Hex = `0x${'a1'.repeat(20)}`
const limits = { followSeconds: 60, mostAccounts: 10, firstBlock: () => 3 }
const leap = { accounts: new Map(), transactions: 'leapt' } as const

let databases: Awaited<ReturnType<typeof startDatabases>>
let databaseUrl: string
let opened: OpenDatabase

beforeAll(async () => {
  databases = await startDatabases()
  databaseUrl = await databases.database()
  opened = await openDatabase(readConfig({ DATABASE_URL: databaseUrl }), pino({ level: 'silent' }))
})
afterAll(async () => {
  await opened?.close()
  await databases?.stop()
})

const block = (number: number): SeenBlock => ({
  number,
  hash: `0x${String(number).padStart(64, '0')}`,
  parentHash: `0x${String(number - 1).padStart(64, '0')}`,
  minedMs: number * 1_000,
})

/** A chain that this test holds, known up to block 20. */
async function hold(chainId: ChainId) {
  const lease: Lease = { db: opened.db, chainId, holder: randomUUID() }
  await takeLease(lease, 'unseen')
  const state = await loadState(lease)
  await advance(lease, state, { blocks: [19, 20].map(block), ...leap })
  const ask = (...addresses: Hex[]) =>
    askFor(
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

test('behavior: the chain turns back just after somebody was asked for: all of his past is still to do', async () => {
  const { lease, state, ask, todo, refresh } = await hold('eip155:1')
  await ask(alice)
  await rollBack(lease, state, 19)
  await refresh()
  expect(await todo()).toEqual(['{[3,20)}'])
})

test('behavior: the chain turns back while somebody is not followed: his gap begins where the branches part', async () => {
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
