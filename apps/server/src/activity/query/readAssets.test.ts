import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../../../test/openTestDatabase.ts'
import { seenTransaction } from '../../../test/startActivity.ts'
import type { Hex } from '../../evm/hex.ts'
import { readNftsAfter } from '../../nfts/readNftsAfter.ts'
import type { Activity, ActivityTransfer, HeldNft } from '../activity.ts'
import { noteRequests } from '../follow/noteRequests.ts'
import { storeTransactions } from '../follow/storeTransactions.ts'
import { readNfts as queryNfts } from './readAssets.ts'

const address = (index: number): Hex => `0x${index.toString(16).padStart(40, '0')}`
const [owner, other] = [address(0xa1), address(0xb0)]

let opened: Awaited<ReturnType<typeof openTestDatabase>>

beforeAll(async () => {
  opened = await openTestDatabase()
})
afterAll(() => opened?.close())

type Standard = 'erc721' | 'erc1155'

let chains = 0

/** An NFT that the owner receives. */
const came = (contract: number): ActivityTransfer => moved(contract, 1n)

/** A transfer of `amount` NFTs of a contract to the owner; from the owner if negative. */
const moved = (contract: number, amount: bigint, standard: Standard = 'erc721') => ({
  standard,
  contract: address(contract),
  from: amount > 0n ? other : owner,
  to: amount > 0n ? owner : other,
  tokenId: 1n,
  amount: amount > 0n ? amount : -amount,
})

/** An account with these transfers, each in a separate block, with `blocksPerSecond`. */
async function hold(transfers: readonly ActivityTransfer[], blocksPerSecond = 1) {
  const chainId = `eip155:${++chains}` as const
  await noteRequests(opened.db, [{ chainId, address: owner }], { watched: 'once' })
  const { id } = await opened.db
    .selectFrom('activity_accounts')
    .select('id')
    .where('chain_id', '=', chainId)
    .executeTakeFirstOrThrow()
  const seen = transfers.map((transfer, block) => {
    const minedMs = Math.floor(block / blocksPerSecond) * 1_000
    return seenTransaction({
      block: { number: block, hash: '0x', parentHash: '0x', minedMs },
      from: other,
      to: transfer.contract,
      transfers: [transfer],
    })
  })
  await opened.db
    .transaction()
    .execute((transaction) => storeTransactions(transaction, new Map([[owner, id]]), seen))
  const account = { chainId, address: owner }
  const readNfts: Activity['readNfts'] = (_, range) => queryNfts(opened.db, account, range)
  return { account, readNfts }
}

test.each([1, 3, 60, 200])(
  'behavior: pages neither repeat nor lose what came in %i blocks of one second',
  async (blocksPerSecond) => {
    // The order of contracts differs from the order of blocks.
    const contracts = Array.from({ length: 130 }, (_, index) => 1 + ((index * 37) % 131))
    const { account, readNfts } = await hold(contracts.map(came), blocksPerSecond)
    const seen: Hex[] = []
    let after: (HeldNft & { readonly offset: number }) | undefined
    for (let page = 0; page < 10; page++) {
      const found = await readNftsAfter({ readNfts }, account, { after, limit: 20 })
      seen.push(...found.map(({ contract }) => contract))
      after = found.at(-1)
      if (!after) break
    }
    expect(seen.toSorted()).toEqual(contracts.map(address).toSorted())
  },
)

// If the owner may have held something before the first block, the chain decides.
test.each([
  ['erc721', [1], 'listed'],
  ['erc721', [1, -1], 'left out'],
  ['erc721', [-1], 'left out'],
  ['erc721', [-1, 1], 'listed'],
  ['erc721', [-1, 1, -1], 'left out'],
  ['erc721', [1, -1, 1], 'listed'],
  ['erc1155', [7, -5], 'listed'],
  ['erc1155', [7, -5, -2], 'left out'],
  ['erc1155', [-5], 'listed'],
  ['erc1155', [-5, 3], 'listed'],
  ['erc1155', [-5, 3, -1], 'listed'],
  ['erc1155', [-5, 5], 'listed'],
] as const)('behavior: %s that came and went by %j is %s', async (standard, amounts, listed) => {
  const transfers = amounts.map((amount) => moved(1, BigInt(amount), standard))
  const { account, readNfts } = await hold(transfers)
  const found = await readNfts(account, { offset: 0, limit: 10 })
  expect(found).toHaveLength(listed === 'listed' ? 1 : 0)
})
