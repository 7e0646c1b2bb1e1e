import * as z from 'zod/mini'

const fields = z.array(z.strictObject({ name: z.string(), type: z.string() }))

/**
 * EIP-712 typed data for `eth_signTypedData_v4`, already parsed from JSON. Numbers are JSON numbers
 * or strings.
 */
export const typedData = z.object({
  types: z.record(z.string(), fields),
  primaryType: z.string(),
  domain: z.record(z.string(), z.unknown()),
  message: z.record(z.string(), z.unknown()),
})
export type TypedData = z.infer<typeof typedData>
