import type { Address } from 'viem'
import { host } from '../ports.ts'
import type { Builder } from './builder.ts'

/** The metadata URI of the items on the development media server, in ERC-1155's form. */
export const itemsUri = (origin: string) => `${origin}/items/{id}.json`

// The default port of the media server; the stack sets the real URL in the contract.
const defaultUri = itemsUri(`http://${host}:3005`)

/** Metadata of item 4, named by its hash: a file of dev/media/ipfs. */
export const shellUri = 'ipfs://bafkreif5vlyuxsrqcety7diiwfwnh4r7eeg257xx6j65idsbg7b5g4fzra'

const picturesPerAccount = 3

/** How many of items 1 to 4 each holder gets. */
const itemAmounts = [3n, 1n, 12n, 2n]

/**
 * Pictures whose metadata is on the chain, items whose metadata is elsewhere, and an unsolicited
 * drop.
 */
export function planCollections(builder: Builder, { holders }: { holders: Address[] }) {
  const pictures = builder.deploy('DevPictures')
  const items = builder.deploy('DevItems', defaultUri, shellUri)
  const drop = builder.deploy('DevDrop')
  for (let round = 0; round < picturesPerAccount; round += 1)
    builder.call(pictures, 'mint', [holders])
  for (const holder of holders) {
    builder.call(items, 'mint', [
      holder,
      itemAmounts.map((_, index) => BigInt(index + 1)),
      itemAmounts,
    ])
  }
  builder.call(drop, 'mint', [holders])
  return { pictures: pictures.address, items: items.address, drop: drop.address }
}
