import type { ChainId } from '@latchkey/wire'
import type { Hex } from './hex.ts'

/** The standard that a contract of NFTs follows. */
export type Standard = 'erc721' | 'erc1155'

/** An NFT. The contract is in lower case. */
export type NftId = {
  readonly chainId: ChainId
  readonly contract: Hex
  readonly tokenId: bigint
  readonly standard: Standard
}

/** A unique string for each NFT, used as a key of maps. */
export const nftKey = ({ chainId, contract, tokenId }: Omit<NftId, 'standard'>) =>
  `${chainId}:${contract}:${tokenId}`
