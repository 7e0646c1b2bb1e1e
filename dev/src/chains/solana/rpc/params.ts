import { getBase58Encoder, isAddress } from '@solana/kit'
import * as z from 'zod'
import type { SolanaChain } from '../state/openChain.ts'
import { invalidParams, RpcError } from './rpcError.ts'

/**
 * JSON-RPC methods by name: each parses its parameters and throws an RpcError if they are invalid.
 */
export type Methods = Readonly<Record<string, (chain: SolanaChain, params: unknown) => unknown>>

/** The commitment level of the state in a response. */
export type Commitment = z.infer<typeof commitment>

const commitment = z.enum(['processed', 'confirmed', 'finalized'])
const slot = z.int().min(0)

/** An account's or a mint's address. */
export const address = z.string().refine(isAddress, 'Invalid param: Invalid')
/** A transaction's signature. */
export const signature = z.string().refine(isSignature, 'Invalid param: Invalid')
/** The fields that every method's configuration may have. */
export const config = z
  .object({ commitment: commitment.default('finalized'), minContextSlot: slot.optional() })
  .prefault({})
/** The configuration of a method that returns accounts. */
export const accountConfig = z
  .object({
    commitment: commitment.default('finalized'),
    minContextSlot: slot.optional(),
    encoding: z.enum(['base58', 'base64', 'jsonParsed']).default('base64'),
    dataSlice: z.object({ offset: slot, length: slot }).optional(),
  })
  .prefault({})

/**
 * Parses a method's parameters; omitted parameters are undefined. Throws -32602 with the first
 * problem.
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

/** Throws if a caller requests a newer state than the current slot. */
export function checkContext(chain: SolanaChain, minContextSlot: number | undefined): void {
  const contextSlot = chain.slots.current()
  if (minContextSlot === undefined || minContextSlot <= contextSlot) return
  throw new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot })
}

/** A response with the slot of its state. */
export const withContext = <Value>(chain: SolanaChain, value: Value) => ({
  context: { apiVersion, slot: chain.slots.current() },
  value,
})

/** The node version that these responses imitate. */
export const apiVersion = '3.0.0'

// A tuple's optional members must be present to get their defaults.
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
