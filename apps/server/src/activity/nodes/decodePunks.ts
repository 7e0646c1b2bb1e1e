import { toEventSelector } from 'viem'
import { zeroAddress } from '../../evm/address.ts'
import type { Hex } from '../../evm/hex.ts'
import type { ActivityTransfer } from '../activity.ts'
import type { ChainLog } from './chainData.ts'

/** CryptoPunks, a collection older than ERC-721, on Ethereum. */
export const punks: Hex = '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb'

const transfer = toEventSelector('Transfer(address,address,uint256)')
const assign = toEventSelector('Assign(address,uint256)')
const punkTransfer = toEventSelector('PunkTransfer(address,address,uint256)')
const punkBought = toEventSelector('PunkBought(uint256,uint256,address,address)')

/**
 * Topics of the events by which a punk changes its owner. `Transfer` names both owners, and not the
 * punk.
 */
export const punkTopics: readonly Hex[] = [transfer, assign, punkTransfer, punkBought]

/**
 * The transfers of punks in the logs of one transaction. The event of an accepted bid does not name
 * the buyer, because the contract deletes the bid before it writes the event; the buyer is in the
 * `Transfer` event before it.
 */
export function decodePunks(logs: readonly ChainLog[]): ActivityTransfer[] {
  const found: ActivityTransfer[] = []
  let receiver: Hex = zeroAddress
  for (const { address, topics, data } of logs) {
    if (address !== punks) continue
    const [topic, first, second, third] = topics
    if (first === undefined) continue
    if (topic === transfer && second !== undefined) receiver = toAddress(second)
    else if (topic === assign) found.push(toMove(zeroAddress, toAddress(first), data))
    else if (topic === punkTransfer && second !== undefined)
      found.push(toMove(toAddress(first), toAddress(second), data))
    else if (topic === punkBought && second !== undefined && third !== undefined) {
      const buyer = toAddress(third)
      found.push(toMove(toAddress(second), buyer === zeroAddress ? receiver : buyer, first))
    }
  }
  return found
}

const toAddress = (topic: Hex): Hex => `0x${topic.slice(-40)}`

const toMove = (from: Hex, to: Hex, punk: Hex): ActivityTransfer => ({
  standard: 'erc721',
  contract: punks,
  from,
  to,
  tokenId: BigInt(punk),
  amount: 1n,
})
