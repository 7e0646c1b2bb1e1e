import type { Activity, FollowedAccount, HeldNft } from '../activity/activity.ts'

/** A position in an account's NFTs: after a given NFT, which was at `offset` the last time. */
export type NftPosition = Pick<HeldNft, 'movedAtMs' | 'contract' | 'tokenId'> & {
  readonly offset: number
}

/** How many NFTs before a position may be sent away before the next request. */
const maxGone = 50
const maxWindows = 20

/**
 * The next `limit` NFTs after a position, with their current offsets. NFTs before the position that
 * arrived or left in the meantime cause neither repeated nor missing entries.
 */
export async function readNftsAfter(
  activity: Pick<Activity, 'readNfts'>,
  account: FollowedAccount,
  { after, limit }: { readonly after: NftPosition | undefined; readonly limit: number },
): Promise<readonly (HeldNft & { readonly offset: number })[]> {
  let offset = Math.max(0, (after?.offset ?? 0) - maxGone)
  for (let window = 0; window < maxWindows; window++) {
    const read = { offset, limit: limit + maxGone + 1 }
    const found = await activity.readNfts(account, read)
    const placed = found.map((nft, index) => ({ ...nft, offset: read.offset + index }))
    const start = after ? placed.findIndex((nft) => isAfter(nft, after)) : 0
    const rest = start < 0 ? [] : placed.slice(start)
    if (rest.length >= limit || found.length < read.limit) return rest.slice(0, limit)
    offset += start < 0 ? found.length : start
  }
  return []
}

/** In the order of {@link Activity.readNfts}: the last moved first, then by contract and id. */
const isAfter = (nft: HeldNft, position: NftPosition): boolean =>
  nft.movedAtMs !== position.movedAtMs
    ? nft.movedAtMs < position.movedAtMs
    : nft.contract !== position.contract
      ? nft.contract > position.contract
      : nft.tokenId > position.tokenId
