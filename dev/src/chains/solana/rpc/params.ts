import { getBase58Encoder, isAddress } from '@solana/kit'
import * as z from 'zod'
import type { SolanaChain } from '../state/openChain.ts'
import { invalidParams, RpcError } from './rpcError.ts'

/** JSON-RPC methods by name: each parses its parameters and throws an RpcError for bad ones. */
export type Methods = Readonly<Record<string, (chain: SolanaChain, params: unknown) => unknown>>

/** How new the state must be that an answer tells of. */
export type Commitment = z.infer<typeof commitment>

const commitment = z.enum(['processed', 'confirmed', 'finalized'])
const slot = z.int().min(0)

/** An account's or a mint's address. */
export const address = z.string().refine(isAddress, 'Invalid param: Invalid')
/** A transaction's signature. */
export const signature = z.string().refine(isSignature, 'Invalid param: Invalid')
/** What every method's configuration may have. */
export const config = z
  .object({ commitment: commitment.default('finalized'), minContextSlot: slot.optional() })
  .prefault({})
/** The configuration of a method that answers accounts. */
export const accountConfig = z
  .object({
    commitment: commitment.default('finalized'),
    minContextSlot: slot.optional(),
    encoding: z.enum(['base58', 'base64', 'jsonParsed']).default('base64'),
    dataSlice: z.object({ offset: slot, length: slot }).optional(),
  })
  .prefault({})

/**
 * Parses a method's parameters; those left out are undefined. Throws -32602 with the first thing
 * that is wrong.
 */
export function parseParams<Schema extends z.ZodType>(
  schema: Schema,
  params: unknown,
): z.infer<Schema> {
  if (params !== undefined && !Array.isArray(params))
    throw invalidParams('invalid type: map, expected a sequence.')
  const given = ((params ?? []) as unknown[]).map((each) => each ?? undefined)
  const parsed = schema.safeParse(padded(given))
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0] ?? { path: [], message: 'invalid' }
  throw invalidParams(`${path.join('.')}: ${message}`)
}

/** Throws when a caller asks for a newer state than there is. */
export function checkContext(chain: SolanaChain, minContextSlot: number | undefined): void {
  const contextSlot = chain.slots.current()
  if (minContextSlot === undefined || minContextSlot <= contextSlot) return
  throw new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot })
}

/** An answer with the slot it tells of. */
export const withContext = <Value>(chain: SolanaChain, value: Value) => ({
  context: { apiVersion, slot: chain.slots.current() },
  value,
})

/** The node's version whose answers these are. */
export const apiVersion = '3.0.0'

// A tuple's optional members must be there to get their defaults.
const longest = 4
const padded = (given: readonly unknown[]) =>
  given.length >= longest
    ? given
    : [...given, ...Array.from({ length: longest - given.length }, () => undefined)]

function isSignature(text: string) {
  try {
    return text.length <= 88 && getBase58Encoder().encode(text).length === 64
  } catch {
    return false
  }
}
