import type { ChainId } from '@latchkey/wire'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../../../test/openTestDatabase.ts'
import { seenTransaction } from '../../../test/startActivity.ts'
import type { Hex } from '../../evm/hex.ts'
import type { ActivityPosition } from '../activity.ts'
import { advance, loadState } from '../follow/chainState.ts'
import { finishTask, refreshAccounts } from '../follow/followedAccounts.ts'
import { takeLease } from '../follow/lease.ts'
import { noteRequests } from '../follow/noteRequests.ts'
import { storeTransactions } from '../follow/storeTransactions.ts'
import type { ChainBlock } from '../nodes/chainData.ts'
import { readPage } from './readPage.ts'

const chainIds: readonly ChainId[] = ['eip155:1', 'eip155:10', 'eip155:31337']
const address: Hex = `0x${'a1'.repeat(20)}`

let opened: Awaited<ReturnType<typeof openTestDatabase>>

beforeAll(async () => {
  opened = await openTestDatabase()
  await noteRequests(
    opened.db,
    chainIds.map((chainId) => ({ chainId, address })),
    { watched: 'once' },
  )
  await sql`update activity_accounts set live = true, first_block = 0`.execute(opened.db)
  await sql`insert into activity_chains (chain_id, head, held_until)
    select chain_id, 12, now() from activity_accounts`.execute(opened.db)
})
afterAll(() => opened?.close())

type Spot = { readonly chainId: ChainId; readonly block: number; readonly index: number }

// Blocks of all chains share their moments, so that the order among chains decides often.
const minedMs = (block: number) => Math.floor(block / 3) * 1_000

const seen = ({ block, index }: Spot) =>
  seenTransaction({
    block: { number: block, hash: '0x', parentHash: '0x', minedMs: minedMs(block) },
    index,
    from: address,
    to: address,
    nonce: index,
    value: 1n,
  })

async function insert(spots: readonly Spot[]) {
  const { rows } = await sql<{ id: number; chain_id: string }>`
    select id, chain_id from activity_accounts`.execute(opened.db)
  await opened.db.transaction().execute(async (transaction) => {
    for (const { id, chain_id } of rows) {
      const own = spots.filter(({ chainId }) => chainId === chain_id)
      await storeTransactions(transaction, new Map([[address, id]]), own.map(seen))
    }
  })
}

const keyOf = ({ chainId, block, index }: Spot) => `${chainId} ${block} ${index}`

const spots = fc.uniqueArray(
  fc.record({
    chainId: fc.constantFrom(...chainIds),
    block: fc.integer({ min: 0, max: 12 }),
    index: fc.integer({ min: 0, max: 3 }),
  }),
  { selector: keyOf, maxLength: 40 },
)

test('behavior: rows that arrive while a client pages are neither repeated nor missing', async () => {
  await fc.assert(
    fc.asyncProperty(
      spots,
      fc.array(spots, { maxLength: 4 }),
      fc.integer({ min: 1, max: 7 }),
      async (before, arriving, limit) => {
        await sql`truncate activity_rows`.execute(opened.db)
        await insert(before)
        const read: Spot[] = []
        let after: ActivityPosition | undefined
        const waves = [...arriving]
        do {
          const page = await readPage(opened.db, { address, chainIds, limit, after })
          expect(page.rows.length).toBeLessThanOrEqual(limit)
          read.push(
            ...page.rows.map(({ chainId, blockNumber, index }) => ({
              chainId,
              block: Number(blockNumber),
              index,
            })),
          )
          after = page.next
          await insert(waves.shift() ?? [])
        } while (after !== undefined)
        const keys = read.map(keyOf)
        expect(new Set(keys).size).toBe(keys.length)
        expect(keys).toEqual(expect.arrayContaining(before.map(keyOf)))
        const times = read.map(({ block }) => minedMs(block))
        expect(times).toEqual(times.toSorted((a, b) => b - a))
      },
    ),
    { numRuns: 60 },
  )
})

test('behavior: a client that pages during the backfill gets every row once, for any order of the parts', async () => {
  const { db } = opened
  const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 6 })
  let run = 0
  await fc.assert(
    fc.asyncProperty(spots, cuts, fc.array(fc.nat(9)), async (made, at, picks) => {
      const chainId = `eip155:${1_000 + run++}` as const
      const lease = { db, chainId, holder: '00000000-0000-4000-8000-000000000001' }
      await takeLease(lease, 'unseen')
      const state = await loadState(lease)
      const blocks = Array.from({ length: 13 }, (_, number) => blockAt(number))
      await advance(lease, state, { blocks, accounts: new Map(), transactions: 'leapt' })
      const before = await readPage(db, { address, chainIds: [chainId], limit: 50 })
      expect(before).toMatchObject({ rows: [], isIncomplete: true, hasNewest: false })
      await noteRequests(db, [{ chainId, address }], { watched: 'once' })
      const limits = { followSeconds: 60, maxAccounts: 5, firstBlock: () => 0, dustWei: 1n }
      const { accounts } = await refreshAccounts(lease, state, limits)
      const own = made
        .filter((spot) => spot.chainId === chainIds[0])
        .map((spot) => ({ ...spot, chainId }))
      const edges = [0, ...at.toSorted((a, b) => a - b), 13]
      const parts = edges.slice(1).map((end, index) => ({ from: edges[index] ?? 0, to: end - 1 }))
      const read: Spot[] = []
      let after: ActivityPosition | undefined = before.next
      while (after !== undefined) {
        const page = await readPage(db, { address, chainIds: [chainId], limit: 3, after })
        read.push(...page.rows.map(({ blockNumber, index }) => spotOf(chainId, blockNumber, index)))
        after = page.next
        // From the top, but either of two parallel parts may finish first.
        const [part] = parts.splice(Math.max(0, parts.length - 1 - ((picks.shift() ?? 0) % 2)), 1)
        if (part === undefined) continue
        const within = own.filter(({ block }) => part.from <= block && block <= part.to)
        await finishTask(lease, state.generation, {
          task: { ...part, accounts },
          blocks: [blockAt(part.from)],
          unread: new Map(),
          transactions: within.map(seen),
          notifyAll: false,
          unnotified: new Set(),
        })
      }
      expect(parts).toEqual([])
      expect(read.map(keyOf)).toEqual(own.toSorted(newestFirst).map(keyOf))
    }),
    { numRuns: 25 },
  )
})

const blockAt = (number: number): ChainBlock => ({
  number,
  hash: `0x${number.toString(16).padStart(64, '0')}`,
  parentHash: '0x',
  minedMs: minedMs(number),
})

const spotOf = (chainId: ChainId, block: bigint, index: number): Spot => ({
  chainId,
  block: Number(block),
  index,
})

const newestFirst = (a: Spot, b: Spot) => b.block - a.block || b.index - a.index
