import type { ChainId } from '@latchkey/wire'
import type { Hex } from '../../evm/hex.ts'
import type { ActivityTransfer } from '../activity.ts'
import type { ChainLog } from './chainData.ts'
import { decodePunks, punks, punkTopics } from './decodePunks.ts'

/** Topics of `Transfer` (ERC-20, ERC-721), `TransferSingle` and `TransferBatch` (ERC-1155). */
export const transferTopic: Hex =
  '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
export const singleTopic = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
export const batchTopic = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'

/**
 * CryptoKitties, a collection older than ERC-721: its `Transfer` has the same topic and no indexed
 * fields.
 */
const kitties: Hex = '0x06012c8cf97bead5deae237070f9587f8e7a266d'

/**
 * The events of a contract's transfers that nodes find only by the contract: these events follow no
 * standard, or have no indexed fields.
 */
type OwnEvents = { readonly address: readonly [Hex]; readonly topics: [readonly Hex[]] }

/** The contracts of a network that have their own events for transfers. */
export const getOwnEvents = (chainId: ChainId): readonly OwnEvents[] =>
  chainId === 'eip155:1'
    ? [
        { address: [kitties], topics: [[transferTopic]] },
        { address: [punks], topics: [punkTopics] },
      ]
    : []

/**
 * Whether a log is a transfer without indexed fields, of a contract that is known to write such
 * logs.
 */
const isUnindexed = ({ address, topics, data }: ChainLog): boolean =>
  address === kitties &&
  topics.length === 1 &&
  topics[0] === transferTopic &&
  data.length === 2 + 3 * 64

/** Whether a log is such an event of such a contract. */
export const isOwnEvent = (log: ChainLog): boolean =>
  isUnindexed(log) || (log.address === punks && punkTopics.some((topic) => topic === log.topics[0]))

/** The transfers of the logs of one transaction. */
export const decodeLogs = (logs: readonly ChainLog[]): ActivityTransfer[] => [
  ...logs.flatMap((log) => (log.address === punks ? [] : decodeTransfers(log))),
  ...decodePunks(logs),
]

/** The transfers of a log; none if it does not follow its standard. */
function decodeTransfers(log: ChainLog): ActivityTransfer[] {
  const [topic, first, second, third] = isUnindexed(log) ? getWords(log) : log.topics
  if (first === undefined || second === undefined) return []
  if (topic === transferTopic) {
    if (!areAddresses(first, second)) return []
    const moved = { contract: log.address, from: topicAddress(first), to: topicAddress(second) }
    if (third !== undefined)
      return [{ ...moved, standard: 'erc721', tokenId: BigInt(third), amount: 1n }]
    const amount = wordAt(log.data, 0)
    return amount === undefined ? [] : [{ ...moved, standard: 'erc20', tokenId: undefined, amount }]
  }
  if (third === undefined || !areAddresses(second, third)) return []
  const moved = { contract: log.address, from: topicAddress(second), to: topicAddress(third) }
  const pairs =
    topic === singleTopic
      ? decodeSingle(log.data)
      : topic === batchTopic
        ? decodeBatch(log.data)
        : []
  return pairs.map(([tokenId, amount]) => ({ ...moved, standard: 'erc1155', tokenId, amount }))
}

/** The topics that a log without indexed fields would have in ERC-721. */
function getWords({ topics, data }: ChainLog): readonly Hex[] {
  const words = [0, 1, 2].map((index): Hex => `0x${data.slice(2 + 64 * index, 66 + 64 * index)}`)
  return [...topics, ...words]
}

type Pair = readonly [tokenId: bigint, amount: bigint]

function decodeSingle(data: Hex): Pair[] {
  const tokenId = wordAt(data, 0)
  const amount = wordAt(data, 1)
  return tokenId === undefined || amount === undefined ? [] : [[tokenId, amount]]
}

function decodeBatch(data: Hex): Pair[] {
  const ids = listAt(data, wordAt(data, 0))
  const amounts = listAt(data, wordAt(data, 1))
  if (ids === undefined || ids.length !== amounts?.length) return []
  return ids.map((id, index) => [id, amounts[index] ?? 0n])
}

function listAt(data: Hex, offset: bigint | undefined): bigint[] | undefined {
  if (offset === undefined || offset % 32n !== 0n || offset > BigInt(data.length)) return undefined
  const start = Number(offset / 32n)
  const length = wordAt(data, start)
  // A list whose length exceeds the data does not follow the standard.
  if (length === undefined || length > BigInt(Math.floor(data.length / 64))) return undefined
  const words = Array.from({ length: Number(length) }, (_, index) =>
    wordAt(data, start + 1 + index),
  )
  return words.every((word) => word !== undefined) ? words : undefined
}

/** The word of 32 bytes at an index of some data. */
export function wordAt(data: Hex, index: number): bigint | undefined {
  const word = data.slice(2 + 64 * index, 2 + 64 * (index + 1))
  return word.length === 64 ? BigInt(`0x${word}`) : undefined
}

const zeros = `0x${'0'.repeat(24)}`
/** Whether topics are addresses: 12 zero bytes before each. */
export const areAddresses = (...topics: readonly Hex[]) =>
  topics.every((topic) => topic.startsWith(zeros))
/** The address in a topic. */
export const topicAddress = (topic: Hex): Hex => `0x${topic.slice(26)}`
