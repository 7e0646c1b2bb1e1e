import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../../../test/openTestDatabase.ts'
import type { ChainBlock } from '../nodes/chainData.ts'
import { advance, loadState } from './chainState.ts'
import { type Lease, releaseLease, Superseded, takeLease, writeAsHolder } from './lease.ts'

let opened: Awaited<ReturnType<typeof openTestDatabase>>

beforeAll(async () => {
  opened = await openTestDatabase()
})
afterAll(() => opened?.close())

const leaseOf = (chainId: Lease['chainId']): Lease => ({
  db: opened.db,
  chainId,
  holder: randomUUID(),
})

const block = (number: number): ChainBlock => ({
  number,
  hash: `0x${String(number).padStart(64, '0')}`,
  parentHash: `0x${String(number - 1).padStart(64, '0')}`,
  minedMs: number * 1_000,
})

const leap = { accounts: new Map(), transactions: 'leapt' } as const

test('behavior: a process that lost the lease and got it back writes nothing from before', async () => {
  const [first, second] = [leaseOf('eip155:1'), leaseOf('eip155:1')]
  expect(await takeLease(first, 'unseen')).toBe(true)
  // For an hour, so that a stall of seconds does not end it.
  await sql`update activity_chains set held_until = now() + interval '1 hour'`.execute(opened.db)
  const state = await loadState(first)
  await advance(first, state, { blocks: [block(5)], ...leap })
  expect(await takeLease(second, 'unseen')).toBe(false)
  // The process is suspended. Another process starts, continues the work and ends.
  await sql`update activity_chains set held_until = 'epoch'`.execute(opened.db)
  expect(await takeLease(second, 'unseen')).toBe(true)
  await advance(second, await loadState(second), { blocks: [block(9)], ...leap })
  await releaseLease(second)
  expect(await takeLease(first, 'unseen')).toBe(true)
  await expect(advance(first, state, { blocks: [block(6)], ...leap })).rejects.toThrow(Superseded)
  const known = await loadState(first)
  expect(known.head).toBe(9)
  await advance(first, known, { blocks: [block(10)], ...leap })
  // Its own renewals change nothing.
  expect(await takeLease(first, 'seen')).toBe(true)
  await advance(first, known, { blocks: [block(11)], ...leap })
})

test('error: a holder that freezes in the middle of writing does not keep the chain', async () => {
  const [frozen, other] = [leaseOf('eip155:2'), leaseOf('eip155:2')]
  await takeLease(frozen, 'unseen')
  const { generation } = await loadState(frozen)
  let thaw: (() => void) | undefined
  const writing = writeAsHolder(frozen, generation, async (transaction) => {
    await new Promise<void>((resolve) => {
      thaw = resolve
    })
    await sql`update activity_chains set head = 1 where chain_id = 'eip155:2'`.execute(transaction)
  })
  await expect.poll(() => thaw).toBeDefined()
  await sql`select pg_sleep(2.6)`.execute(opened.db)
  // Waits for the row until the database has dropped the frozen connection.
  expect(await takeLease(other, 'unseen')).toBe(true)
  thaw?.()
  await expect(writing).rejects.toThrow()
  expect((await loadState(other)).head).toBeUndefined()
})
