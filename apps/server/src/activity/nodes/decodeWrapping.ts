import type { Hex } from '../../evm/hex.ts'
import type { ActivityTransfer } from '../activity.ts'
import type { ChainLog } from './chainData.ts'
import { areAddresses, topicAddress, wordAt } from './decodeTransfers.ts'

const depositTopic = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c'
const withdrawalTopic = '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65'

/**
 * Topics of `Deposit(address,uint256)` and `Withdrawal(address,uint256)`, which WETH9 writes
 * instead of `Transfer`.
 */
export const wrapTopics: readonly Hex[] = [depositTopic, withdrawalTopic]

/**
 * Wrapping and unwrapping in the logs of a transaction: both sides, in the form of transfers
 * between the owner and the contract `wrappedNative`. Transfers that are already `known` are left
 * out: the native currency that the transaction itself sends, and `Transfer` events of contracts
 * that write both.
 */
export function decodeWrapping(
  logs: readonly ChainLog[],
  {
    wrappedNative,
    known,
  }: { readonly wrappedNative: Hex | undefined; readonly known: readonly ActivityTransfer[] },
): ActivityTransfer[] {
  const unused = [...known]
  return logs
    .filter(({ address }) => address === wrappedNative)
    .flatMap((log) => decodeSides(log))
    .flatMap((side) => takeKnown(side, unused))
}

function decodeSides({ address, topics, data }: ChainLog): ActivityTransfer[] {
  const [topic, owner, another] = topics
  const amount = wordAt(data, 0)
  if (owner === undefined || another !== undefined || !areAddresses(owner) || !amount) return []
  const account = topicAddress(owner)
  const goesIn = { from: account, to: address, tokenId: undefined, amount }
  const comesOut = { from: address, to: account, tokenId: undefined, amount }
  const native = { standard: 'native', contract: undefined } as const
  const token = { standard: 'erc20', contract: address } as const
  if (topic === depositTopic)
    return [
      { ...native, ...goesIn },
      { ...token, ...comesOut },
    ]
  if (topic !== withdrawalTopic) return []
  return [
    { ...token, ...goesIn },
    { ...native, ...comesOut },
  ]
}

/**
 * A list with the transfer, or an empty list if `unused` has the same transfer, which is then
 * removed from `unused`.
 */
function takeKnown(side: ActivityTransfer, unused: ActivityTransfer[]): ActivityTransfer[] {
  // A `Transfer` event has the zero address instead of the contract.
  const isEnd = (end: Hex, known: Hex) => known === end || end === side.contract
  const at = unused.findIndex(
    ({ contract, amount, from, to }) =>
      contract === side.contract &&
      amount === side.amount &&
      isEnd(side.from, from) &&
      isEnd(side.to, to),
  )
  if (at < 0) return [side]
  unused.splice(at, 1)
  return []
}
