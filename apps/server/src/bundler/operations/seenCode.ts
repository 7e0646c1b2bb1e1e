import { type Address, concat, type Hex, keccak256, pad } from 'viem'
import * as z from 'zod'
import type { ChainReply } from '../askChain.ts'
import { getOverrides, type Simulation } from './simulate.ts'
import type { UserOperation } from './userOperation.ts'

const address = z.custom<Address>((value) => /^0x[0-9a-f]{40}$/.test(String(value)))
const word = z.custom<Hex>((value) => /^0x[0-9a-f]{64}$/.test(String(value)))
/** Slots of storage by contract. */
export type CodeSlots = Readonly<Record<Address, readonly Hex[]>>

/**
 * The code that a validation used: the addresses, the sender's first, and a hash of all that code.
 * `storage`: what a traced validation read, and a hash of these values. They can decide which code
 * runs.
 */
export const seenCode = z.object({
  addresses: z.array(z.string().regex(/^0x[0-9a-f]{40}$/)).transform((all) => all as Address[]),
  digest: z.string().transform((text) => text as Hex),
  storage: z
    .object({ slots: z.record(address, z.array(word).readonly()), digest: word })
    .optional(),
})
export type SeenCode = z.infer<typeof seenCode>

/** Answers EXTCODEHASH of each word of the data. */
const hashAll: Hex = '0x5f5b3681101560145780353f81526020016001565b365ff3'
/** Answers SLOAD of each word of the data. */
const loadAll: Hex = '0x5f5b3681101560145780355481526020016001565b365ff3'
const place: Address = '0x000000000000000000000000000000000000dead'

/**
 * The call that reads the hashes of the code at `addresses`, after the operation's authorization
 * has been applied.
 */
export const askCode = (
  operation: UserOperation,
  { addresses, block }: { readonly addresses: readonly Address[]; readonly block: Hex | 'latest' },
): Simulation => ({
  method: 'eth_call',
  params: [
    { to: place, data: concat(addresses.map((one) => pad(one))) },
    block,
    { ...getOverrides([operation]), [place]: { code: hashAll } },
  ],
})

const words = z
  .string()
  .regex(/^0x([0-9a-f]{64})+$/)
  .transform((text) => text as Hex)

/** The calls that read the values of slots, one call for each contract. */
export const askValues = (slots: CodeSlots, block: Hex | 'latest'): Simulation[] =>
  Object.entries(slots).map(([to, keys]) => ({
    method: 'eth_call',
    params: [{ to, data: concat(keys) }, block, { [to]: { code: loadAll } }],
  }))

/**
 * The hash of all values that {@link askValues} requested. Throws if the node did not return them.
 */
export const readValues = (replies: readonly ChainReply[]): Hex =>
  keccak256(concat(replies.map(({ result }) => words.parse(result))))

/** The hash of all code that {@link askCode} requested. Throws if the node did not return it. */
export const readDigest = (reply: ChainReply | undefined): Hex =>
  keccak256(words.parse(reply?.result))
