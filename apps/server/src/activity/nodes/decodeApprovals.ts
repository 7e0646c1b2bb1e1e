import { permit2Address } from '../../evm/approvals.ts'
import type { Hex } from '../../evm/hex.ts'
import type { ActivityApproval } from '../activity.ts'
import type { ChainLog } from './chainData.ts'
import { wordAt } from './decodeTransfers.ts'

/**
 * Topics of `Approval` (ERC-20, ERC-721), `ApprovalForAll`, and of Permit2's `Approval` and
 * `Permit`: the owner is next in each.
 */
export const approvalTopics = [
  '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31',
  '0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b',
  '0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec',
] as const satisfies readonly Hex[]
const [approvalTopic, operatorTopic, ...permit2Topics] = approvalTopics

/** The approval in a log, set or revoked; undefined if the log is not an approval. */
export function decodeApproval(log: ChainLog): ActivityApproval | undefined {
  const [topic, first, second, third] = log.topics
  if (topic === undefined || !isAddress(first) || !isAddress(second)) return undefined
  const owner = toAddress(first)
  const contract = log.address
  const amount = wordAt(log.data, 0) ?? 0n
  if (topic === approvalTopic || topic === operatorTopic) {
    const spender = toAddress(second)
    if (BigInt(spender) === 0n) return undefined
    const common = { contract, owner, spender, tokenId: undefined, amount }
    if (topic === operatorTopic) return { ...common, kind: 'operator' }
    if (third === undefined) return { ...common, kind: 'erc20' }
    return { ...common, kind: 'erc721', tokenId: BigInt(third), amount: 1n }
  }
  const isPermit2 = contract === permit2Address && permit2Topics.some((known) => known === topic)
  if (!isPermit2 || !isAddress(third)) return undefined
  const token = toAddress(second)
  const spender = toAddress(third)
  return { kind: 'permit2', contract: token, owner, spender, tokenId: undefined, amount }
}

const isAddress = (topic: Hex | undefined): topic is Hex =>
  topic?.startsWith(`0x${'0'.repeat(24)}`) ?? false
const toAddress = (topic: Hex): Hex => `0x${topic.slice(26)}`
