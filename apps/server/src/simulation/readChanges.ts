import {
  maxSimulatedChanges,
  type SimulatedAllowance,
  type SimulatedChange,
  type SimulatedOutcome,
} from '@latchkey/wire'
import * as z from 'zod'
import { nativeAddress, zeroAddress } from '../evm/address.ts'
import { type Hex, hexToBytes } from '../evm/hex.ts'
import { hexAddress } from '../evm/schemas.ts'

const hexData = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2})*$/)
  .max(200_000)
  .transform((text) => text.toLowerCase() as Hex)

/**
 * A log as nodes return it; `eth_simulateV1` returns a payment as a transfer of
 * {@link nativeAddress}.
 */
export const simulatedLog = z.object({
  address: hexAddress,
  topics: z.array(hexData).max(4),
  data: hexData,
})
export type SimulatedLog = z.infer<typeof simulatedLog>

/** `Transfer(address,address,uint256)`. */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const topics = {
  transfer: transferTopic,
  transferSingle: '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  transferBatch: '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
  // Wrapped currency: wrapping or unwrapping is not a separate transfer.
  deposit: '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c',
  withdrawal: '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65',
  approval: '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  approvalForAll: '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31',
  // Permit2
  permit2Approval: '0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b',
  permit2Permit: '0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec',
} as const

/**
 * The changes of an account in the logs of a simulation: the sum that it receives and sends of each
 * asset, and the allowances that it grants. A log counts only for the contract that wrote it;
 * changes without logs are unknown.
 */
export function readSimulatedChanges(
  logs: readonly SimulatedLog[],
  account: Hex,
): Omit<Extract<SimulatedOutcome, { status: 'done' }>, 'status'> {
  const amounts = new Map<string, SimulatedChange & { sum: bigint }>()
  const allowances = new Map<string, SimulatedAllowance>()
  const add: Sink['add'] = ({ token, id }, by) => {
    const key = `${token} ${id}`
    const known = amounts.get(key) ?? { token, id, amount: '0', sum: 0n }
    amounts.set(key, { ...known, sum: known.sum + by })
  }
  const allow: Sink['allow'] = (given) =>
    allowances.set(
      `${given.via} ${given.token} ${given.id === null ? given.spender : `item ${given.id}`}`,
      given,
    )
  const isWrapping = findWrapping(logs)
  for (const log of logs) readLog(log, { account, add, allow, isWrapping })
  const changes = [...amounts.values()]
    .filter(({ sum }) => sum !== 0n)
    // Outgoing assets come first, so that many small gifts cannot push them out.
    .sort((a, b) => Number(a.sum > 0n) - Number(b.sum > 0n))
    .map(({ token, id, sum }) => ({ token, id, amount: String(sum) }))
  const given = [...allowances.values()].filter(
    ({ spender, amount }) => amount !== '0' && spender !== zeroAddress,
  )
  return {
    isComplete: changes.length <= maxSimulatedChanges && given.length <= maxSimulatedChanges,
    changes: changes.slice(0, maxSimulatedChanges),
    allowances: given.slice(0, maxSimulatedChanges),
  }
}

type Sink = {
  readonly account: Hex
  isWrapping(log: SimulatedLog): boolean
  add(asset: { token: Hex | null; id: string | null }, by: bigint): void
  allow(given: SimulatedAllowance): void
}

function readLog({ address, topics: [topic, ...indexed], data }: SimulatedLog, sink: Sink): void {
  const words = toWords(data)
  const [one, two, three] = indexed.map(toAddress)
  const [first = 0n, second = 0n] = words
  const move = (from: Hex | undefined, to: Hex | undefined, id: string | null, amount: bigint) => {
    const token = address === nativeAddress ? null : address
    if (from === sink.account) sink.add({ token, id }, -amount)
    if (to === sink.account) sink.add({ token, id }, amount)
  }
  const isOwn = one === sink.account
  const count = indexed.length
  const allow = (given: Partial<SimulatedAllowance> & { spender: Hex }) =>
    sink.allow({ token: address, amount: null, id: null, via: null, ...given })
  if (topic === topics.transfer && count === 2) move(one, two, null, first)
  else if (topic === topics.transfer && count === 3) move(one, two, toNumber(indexed[2]), 1n)
  else if (topic === topics.transferSingle && count === 3) move(two, three, String(first), second)
  else if (topic === topics.transferBatch && count === 3)
    for (const [id, amount] of readBatch(words)) move(two, three, String(id), amount)
  else if (topic === topics.deposit || topic === topics.withdrawal) {
    if (!sink.isWrapping({ address, topics: [topic, ...indexed], data })) return
    if (topic === topics.deposit) move(undefined, one, null, first)
    else move(one, undefined, null, first)
  } else if (!isOwn || two === undefined) return
  else if (topic === topics.approval && count === 2) allow({ spender: two, amount: String(first) })
  else if (topic === topics.approval && count === 3)
    allow({ spender: two, id: toNumber(indexed[2]) })
  else if (topic === topics.approvalForAll && count === 2)
    allow({ spender: two, amount: first === 0n ? '0' : null })
  else if ((topic === topics.permit2Approval || topic === topics.permit2Permit) && three)
    allow({ token: two, spender: three, amount: String(first), via: address })
}

/**
 * Whether a deposit or withdrawal wraps native currency: the same amount went in or out, and the
 * contract wrote no transfer for it. Other contracts use the same events for other purposes.
 */
function findWrapping(logs: readonly SimulatedLog[]): Sink['isWrapping'] {
  const key = (contract: Hex, who: string, amount: Hex) => `${contract} ${who} ${amount}`
  const paid = new Set<string>()
  const made = new Set<string>()
  for (const { address, topics: all, data } of logs) {
    const [topic, from, to] = all
    if (topic !== topics.transfer || all.length !== 3 || !from || !to) continue
    if (address === nativeAddress) {
      paid.add(key(toAddress(to), 'in', data))
      paid.add(key(toAddress(from), 'out', data))
    }
    if (BigInt(from) === 0n) made.add(key(address, to, data))
    if (BigInt(to) === 0n) made.add(key(address, from, data))
  }
  return ({ address, topics: [topic, who = '0x', ...rest], data }) =>
    rest.length === 0 &&
    paid.has(key(address, topic === topics.deposit ? 'in' : 'out', data)) &&
    !made.has(key(address, who, data))
}

/**
 * The ids and amounts of an ERC-1155 batch: two arrays, empty if an array claims to be longer than
 * the data.
 */
function readBatch(words: readonly bigint[]): (readonly [bigint, bigint])[] {
  const array = (offset: bigint | undefined) => {
    const at = Number((offset ?? 0n) / 32n)
    const size = words[at] ?? 0n
    return size > words.length ? [] : words.slice(at + 1, at + 1 + Number(size))
  }
  const [ids, amounts] = [array(words[0]), array(words[1])]
  return ids.length === amounts.length ? ids.map((id, at) => [id, amounts[at] ?? 0n]) : []
}

const toAddress = (topic: Hex): Hex => `0x${topic.slice(-40)}`
const toNumber = (topic: Hex | undefined) => String(BigInt(topic ?? 0))

function toWords(data: Hex): bigint[] {
  const bytes = hexToBytes(data)
  return Array.from({ length: Math.floor(bytes.length / 32) }, (_, at) =>
    BigInt(`0x${bytes.toString('hex', at * 32, at * 32 + 32)}`),
  )
}
