import { expect, test } from 'vitest'
import type { ActivityPage, ActivityRow } from '../activity/activity.ts'
import { getPosition, mergePages } from './mergePages.ts'

const address = `0x${'a1'.repeat(20)}` as const
const asker = { address: 1, network: 1 }

const rowAt = (chainId: ActivityRow['chainId'], seconds: number): ActivityRow => ({
  ...{ chainId, blockNumber: BigInt(seconds), index: 0, minedAtMs: seconds * 1_000 },
  ...{ hash: `0x${seconds}`, from: address, to: address, created: undefined, nonce: 0 },
  ...{ valueWei: 0n, feeWei: undefined, selector: undefined, status: 'confirmed', transfers: [] },
})
const rest = { isIncomplete: false, hasNewest: true }

test('behavior: if the page of a chain is cut, the merged page ends there and names what is unread', async () => {
  const place = { ...getPosition(rowAt('eip155:1', 50)), index: 9 }
  const unread = { blocks: 1, latestMs: 51_000 }
  const pages: Record<string, ActivityPage> = {
    'eip155:1': { ...rest, rows: [rowAt('eip155:1', 90)], next: place, isCut: true, unread },
    'eip155:2': {
      ...rest,
      rows: [rowAt('eip155:2', 95), rowAt('eip155:2', 60), rowAt('eip155:2', 40)],
      next: undefined,
    },
  }
  const merge = (limit: number) =>
    mergePages({
      ...{ address, asker, limit, after: undefined, chainIds: ['eip155:1', 'eip155:2'] },
      getSource: (chainId) => ({
        page: async () => pages[chainId] ?? { ...rest, rows: [], next: undefined },
        sync: async () => ({ complete: true, progress: 1, since: null }),
      }),
    })
  const whole = await merge(50)
  expect(whole.rows.map(({ minedAtMs }) => minedAtMs)).toEqual([95_000, 90_000, 60_000])
  expect(whole).toMatchObject({ next: place, isCut: true, unread })
  // A full page ends as always.
  const full = await merge(2)
  expect(full.rows.map(({ minedAtMs }) => minedAtMs)).toEqual([95_000, 90_000])
  expect(full.next).toEqual(getPosition(rowAt('eip155:1', 90)))
})
