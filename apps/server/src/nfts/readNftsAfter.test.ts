import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HeldNft } from '../activity/activity.ts'
import { readNftCursor, writeNftCursor } from './nftCursor.ts'
import { readNftsAfter } from './readNftsAfter.ts'

type Hex = `0x${string}`
const address = (index: number): Hex => `0x${index.toString(16).padStart(40, '0')}`
const nft = (movedAtMs: number, index: number, tokenId = 1n): HeldNft => ({
  contract: address(index),
  standard: 'erc721',
  tokenId,
  amount: 1n,
  movedAtMs,
})
const order = (a: HeldNft, b: HeldNft) =>
  b.movedAtMs - a.movedAtMs ||
  (a.contract < b.contract ? -1 : a.contract > b.contract ? 1 : a.tokenId < b.tokenId ? -1 : 1)
const over = (held: { list: HeldNft[] }) => ({
  readNfts: async (_: unknown, { offset, limit }: { offset: number; limit: number }) =>
    [...held.list].sort(order).slice(offset, offset + limit),
})
const account = { chainId: 'eip155:1', address: address(0) } as const

test('default: pages to the end, over the cursor', async () => {
  const held = { list: Array.from({ length: 125 }, (_, index) => nft(index % 7, index)) }
  const seen: HeldNft[] = []
  for (
    let page = await readNftsAfter(over(held), account, { after: undefined, limit: 50 });
    page.length > 0;
  ) {
    seen.push(...page)
    const last = page.at(-1)
    if (!last) break
    page = await readNftsAfter(over(held), account, {
      after: readNftCursor(writeNftCursor(last, account), account),
      limit: 50,
    })
  }
  expect(seen.map(({ contract }) => contract)).toEqual(
    [...held.list].sort(order).map(({ contract }) => contract),
  )
})

test('behavior: what comes and goes between two pages neither repeats nor hides another', async () => {
  const change = fc.record({
    arrive: fc.nat(120),
    leave: fc.array(fc.nat(), { maxLength: 40 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.nat(160), fc.array(change, { maxLength: 4 }), async (count, changes) => {
      const held = {
        list: Array.from({ length: count }, (_, index) => nft(1 + (index % 5), index)),
      }
      const steady = new Map(held.list.map((one) => [one.contract, one]))
      const seen: Hex[] = []
      let fresh = 1_000
      let after: HeldNft | undefined
      for (;;) {
        const last = after as (HeldNft & { offset: number }) | undefined
        const place = last && readNftCursor(writeNftCursor(last, account), account)
        const page = await readNftsAfter(over(held), account, { after: place, limit: 20 })
        seen.push(...page.map(({ contract }) => contract))
        after = page.at(-1)
        if (!after) break
        const { arrive, leave } = changes.shift() ?? { arrive: 0, leave: [] }
        for (const index of leave) {
          const [gone] = held.list.splice(index % Math.max(1, held.list.length), 1)
          if (gone) steady.delete(gone.contract)
        }
        for (let index = 0; index < arrive; index++) held.list.push(nft(100 + fresh, fresh++))
      }
      expect(new Set(seen).size).toBe(seen.length)
      for (const contract of steady.keys()) expect(seen).toContain(contract)
    }),
    { numRuns: 60 },
  )
})

test.each(['', 'x', 'MA', Buffer.from('0 0 0x1 1').toString('base64url'), 'é'.repeat(500)])(
  'error: %s is no cursor',
  (cursor) => {
    expect(readNftCursor(cursor, account)).toBeUndefined()
  },
)

test('error: a cursor of another account or network is no cursor', () => {
  const position = { offset: 9, movedAtMs: 1_800_000_000_000, contract: address(1), tokenId: 2n }
  const cursor = writeNftCursor(position, account)
  expect(readNftCursor(cursor, account)).toEqual(position)
  expect(readNftCursor(cursor, { ...account, address: address(2) })).toBeUndefined()
  expect(readNftCursor(cursor, { ...account, chainId: 'eip155:2' })).toBeUndefined()
})
