import type { Nft } from '@latchkey/wire'
import type { FollowedAccount, HeldNft } from '../activity/activity.ts'
import { type NftId, nftKey } from '../evm/nft.ts'
import { isSpamNft } from '../tokens/spam.ts'
import { loadMetadata } from './loadMetadata.ts'
import type { MetadataRow } from './metadataRows.ts'
import { writeNftCursor } from './nftCursor.ts'
import type { Nfts } from './nfts.ts'
import { type Collection, readNftBalances } from './readNftContracts.ts'
import { type NftPosition, readNftsAfter } from './readNftsAfter.ts'

const pageSize = 50
const maxRounds = 4
const waitMs = 1_000

/**
 * The NFTs of an account after a position: found in its activity, then confirmed by the chain as
 * still owned. A page is full if there are more NFTs, unless most of them are gone. Throws
 * RPC_UNAVAILABLE.
 */
export async function listNfts(
  nfts: Nfts,
  account: FollowedAccount,
  place: NftPosition | undefined,
): Promise<{ readonly data: Nft[]; readonly next: string | null }> {
  const owned: HeldToken[] = []
  let after = place
  let next: string | null = null
  for (let round = 0; round < maxRounds && owned.length < pageSize; round++) {
    const rows = await readNftsAfter(nfts.activity, account, { after, limit: pageSize + 1 })
    const page = rows.slice(0, pageSize)
    const still = await filterHeld(nfts, account, page)
    const fitting = still.slice(0, pageSize - owned.length)
    owned.push(...fitting)
    after = (fitting.length < still.length ? fitting.at(-1)?.nft : page.at(-1)) ?? after
    const more = fitting.length < still.length || rows.length > pageSize
    next = more && after ? writeNftCursor(after, account) : null
    if (!more) break
  }
  const [known, { knownNames }] = await Promise.all([
    loadMetadata(nfts, account.chainId, { ids: owned.map(({ id }) => id), waitMs }),
    nfts.getListed(account.chainId),
  ])
  const data = owned.map((one) => toNft(nfts, one, { row: known.get(nftKey(one.id)), knownNames }))
  return { data, next }
}

type HeldToken = {
  readonly id: NftId
  readonly nft: HeldNft & { readonly offset: number }
  readonly quantity: bigint
  readonly collection: Collection
}

async function filterHeld(
  nfts: Nfts,
  { chainId, address }: FollowedAccount,
  page: readonly (HeldNft & { readonly offset: number })[],
): Promise<HeldToken[]> {
  if (page.length === 0) return []
  const ids = page.map(({ contract, tokenId, standard }) => ({
    ...{ chainId, contract, tokenId, standard },
  }))
  const { quantities, collections } = await readNftBalances(nfts, { chainId, owner: address, ids })
  return page.flatMap((nft, index) => {
    const id = ids[index]
    const quantity = quantities[index] ?? 0n
    if (id === undefined || quantity === 0n) return []
    const collection = collections.get(nft.contract) ?? { name: null, symbol: null }
    return [{ id, nft, quantity, collection }]
  })
}

/** An NFT in the format of the API. */
export function toNft(
  { config }: Pick<Nfts, 'config'>,
  {
    id,
    nft,
    quantity,
    collection,
  }: Omit<HeldToken, 'nft'> & { readonly nft: Pick<HeldNft, 'ownAct'> | undefined },
  { row, knownNames }: { row: MetadataRow | undefined; knownNames: ReadonlySet<string> },
): Nft {
  const name = row?.name ?? null
  const texts = [row?.description, collection.name, collection.symbol]
  return {
    address: `${id.chainId}:${id.contract}`,
    tokenId: String(id.tokenId),
    standard: id.standard,
    quantity: String(quantity),
    name,
    collection,
    imageUrl: getImageUrl(config, id, row),
    metadata: row?.state ?? 'pending',
    isSpam: isSpamNft({ name, texts, ownAct: nft?.ownAct ?? false, knownNames }),
  }
}

/** The URL of the picture on this server; it changes if the metadata names another picture. */
export function getImageUrl(
  { publicUrl }: Nfts['config'],
  { chainId, contract, tokenId }: Omit<NftId, 'standard'>,
  row: Pick<MetadataRow, 'image' | 'hash'> | undefined,
): string | null {
  if (!row?.image) return null
  return `${publicUrl}/v1/nft/${chainId}/${contract}/${tokenId}/image?v=${(row.hash ?? '').slice(0, 12)}`
}
