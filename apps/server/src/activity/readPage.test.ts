import type { ChainId } from '@latchkey/wire'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../../test/openTestDatabase.ts'
import { seenTransaction } from '../../test/startActivity.ts'
import { askFor } from './accounts.ts'
import type { ActivityPlace } from './activity.ts'
import { readPage } from './readPage.ts'
import type { Hex } from './seen.ts'
import { storeTransactions } from './storeRange.ts'

const chainIds: readonly ChainId[] = ['eip155:1', 'eip155:10', 'eip155:31337']
const address: Hex = `0x${'a1'.repeat(20)}`

let opened: Awaited<ReturnType<typeof openTestDatabase>>

beforeAll(async () => {
  opened = await openTestDatabase()
  await askFor(
    opened.db,
    chainIds.map((chainId) => ({ chainId, address })),
    'once',
  )
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

test('behavior: rows that arrive while somebody pages: none comes twice, none that was there is left out', async () => {
  await fc.assert(
    fc.asyncProperty(
      spots,
      fc.array(spots, { maxLength: 4 }),
      fc.integer({ min: 1, max: 7 }),
      async (before, arriving, limit) => {
        await sql`truncate activity_rows`.execute(opened.db)
        await insert(before)
        const read: Spot[] = []
        let after: ActivityPlace | undefined
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
