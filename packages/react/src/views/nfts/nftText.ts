import type { NftRef } from '@latchkey/core'
import type { ChainId, Nft } from '@latchkey/wire'

/** How many characters of a token id are shown; ids may have 78. */
const idCharacters = 10

/** The title of an NFT: its name, otherwise its collection's name and its shortened id. */
export function nftName({ name, collection, tokenId }: Nft): string {
  if (name) return name
  const id = tokenId.length > idCharacters ? `${tokenId.slice(0, 4)}…${tokenId.slice(-4)}` : tokenId
  return collection.name ? `${collection.name} #${id}` : `#${id}`
}

/** The title of an NFT in a list. */
export function nftRef({ address, tokenId }: Nft): NftRef {
  const parts = address.split(':')
  const chainId = parts.slice(0, 2).join(':') as ChainId
  return { chainId, contract: parts[2] ?? '', tokenId }
}
