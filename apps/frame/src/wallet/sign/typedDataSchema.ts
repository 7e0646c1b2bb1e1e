import * as z from 'zod/mini'

const fields = z.array(z.strictObject({ name: z.string(), type: z.string() }))

/**
 * EIP-712 as `eth_signTypedData_v4` takes it, already parsed from JSON. Numbers as JSON numbers or
 * strings.
 */
export const typedData = z.object({
  types: z.record(z.string(), fields),
  primaryType: z.string(),
  domain: z.record(z.string(), z.unknown()),
  message: z.record(z.string(), z.unknown()),
})
export type TypedData = z.infer<typeof typedData>
