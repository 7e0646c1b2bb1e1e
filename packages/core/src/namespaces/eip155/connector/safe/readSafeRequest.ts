import { LatchkeyError } from '@latchkey/wire'
import * as z from 'zod/mini'

/** The Safe that receives the requests. */
export type SafeInfo = { readonly safeAddress: string; readonly chainId: number }

/** A call in the format of the Safe protocol; `value` in wei, decimal. */
export type SafeCall = { readonly to: string; readonly value: string; readonly data: string }

const address = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/))
const bytes = z.string().check(z.regex(/^(0x([0-9a-fA-F]{2})*)?$/))
const chain = z.union([z.string().check(z.regex(/^0x[0-9a-fA-F]{1,14}$/)), z.int()])
const wei = z.union([
  z.string().check(z.regex(/^(0x[0-9a-fA-F]{1,64}|\d{1,78})$/)),
  z.int().check(z.nonnegative()),
])
const callValue = z.union([wei, z.enum(['', '0x'])])
const capabilities = z.optional(
  z.record(z.string(), z.looseObject({ optional: z.optional(z.boolean()) })),
)
const call = {
  to: z.nullish(address),
  value: z.nullish(callValue),
  data: z.nullish(bytes),
  input: z.nullish(bytes),
  chainId: z.nullish(chain),
}
const none = z.nullish(z.never())
// The owner who executes the transaction chooses gas, fees and nonce. Contradictory fees are
// refused anyway.
const transaction = z.object({
  ...call,
  from: z.nullish(address),
  type: z.nullish(z.union([z.string().check(z.regex(/^0x0?[0-2]$/)), z.literal([0, 1, 2])])),
  ...{ blobs: none, blobVersionedHashes: none, maxFeePerBlobGas: none, authorizationList: none },
  ...{
    gasPrice: z.nullish(wei),
    maxFeePerGas: z.nullish(wei),
    maxPriorityFeePerGas: z.nullish(wei),
  },
})
const batch = z.object({
  from: z.nullish(address),
  chainId: z.nullish(chain),
  calls: z.array(z.object({ ...call, capabilities })).check(z.minLength(1), z.maxLength(100)),
  capabilities,
})

/**
 * Parses the call of an `eth_sendTransaction` request. Fields that a Safe does not support are
 * refused, never dropped. Throws INVALID_PARAMS with the field, UNAUTHORIZED for another account.
 */
export function readSafeTransaction(asked: unknown, safe: SafeInfo): SafeCall {
  const { from, ...found } = read(transaction, asked)
  assertFees(found)
  assertSafe(safe, from)
  return toSafeCall(found, safe)
}

/**
 * Parses the calls of a `wallet_sendCalls` request. Throws the same errors, and
 * BATCH_CHAIN_UNSUPPORTED, CAPABILITY_UNSUPPORTED.
 */
export function readSafeBatch(asked: unknown, safe: SafeInfo): readonly SafeCall[] {
  const found = read(batch, asked)
  assertSafe(safe, found.from)
  if (found.chainId != null && Number(found.chainId) !== safe.chainId)
    throw new LatchkeyError('BATCH_CHAIN_UNSUPPORTED')
  // The capabilities that `wallet_getCapabilities` lists.
  for (const wanted of [found, ...found.calls])
    for (const [name, { optional }] of Object.entries(wanted.capabilities ?? {}))
      if (optional !== true && name !== 'atomic')
        throw new LatchkeyError('CAPABILITY_UNSUPPORTED', { data: { reason: name.slice(0, 60) } })
  return found.calls.map((each) => toSafeCall(each, safe))
}

/** Throws UNAUTHORIZED if the request names an address other than the Safe's. */
export function assertSafe({ safeAddress }: SafeInfo, asked: unknown): void {
  if (asked != null && String(asked).toLowerCase() !== safeAddress.toLowerCase())
    throw new LatchkeyError('UNAUTHORIZED')
}

function assertFees({
  gasPrice,
  maxFeePerGas: max,
  maxPriorityFeePerGas: tip,
}: z.infer<typeof transaction>): void {
  if (gasPrice != null && (max != null || tip != null)) throw invalid('gasPrice')
  if (max != null && BigInt(tip ?? 0) > BigInt(max)) throw invalid('maxPriorityFeePerGas')
}

type Call = { [Name in keyof typeof call]?: z.infer<(typeof call)[Name]> }

function toSafeCall({ to, value, data, input, chainId }: Call, safe: SafeInfo): SafeCall {
  if (chainId != null && Number(chainId) !== safe.chainId)
    throw invalid('the transaction is for another network')
  if (data && input && data.toLowerCase() !== input.toLowerCase())
    throw invalid('data and input differ')
  if (!to) throw invalid('a Safe creates no contract')
  return { to, value: BigInt(isNone(value) ? 0 : value).toString(), data: data || input || '0x' }
}

const isNone = (value: Call['value']): value is null | undefined | '' | '0x' =>
  value == null || value === '' || value === '0x'

function read<Schema extends z.core.$ZodType>(schema: Schema, asked: unknown): z.infer<Schema> {
  const parsed = z.safeParse(schema, asked)
  if (parsed.success) return parsed.data
  throw invalid(parsed.error.issues[0]?.path.join('.') || 'the request')
}

const invalid = (reason: string) => new LatchkeyError('INVALID_PARAMS', { data: { reason } })
