import * as z from 'zod'

const maxLength = 16_384
const hex = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform((text) => text.toLowerCase())
/** A list matches any of its entries, so their order has no meaning. */
const hexList = z.array(hex).transform((list) => [...new Set(list)].sort())
const filter = z.object({
  address: z.union([hex, hexList]).nullish(),
  topics: z
    .array(z.union([hex, hexList, z.null()]))
    .max(4)
    .nullish(),
})
const subscription = z.union([
  z
    .tuple([z.literal('newHeads')])
    .rest(z.unknown())
    .transform(() => ['newHeads']),
  z
    .tuple([z.literal('logs')], filter)
    .transform(([name, { address, topics } = {}]) => [
      name,
      { ...(address && { address }), ...(topics && { topics }) },
    ]),
])

/**
 * The parameters of `eth_subscribe` as canonical JSON, so that equal parameters become equal
 * strings: heads, or logs by address and topics. Undefined for all other parameters, and for
 * filters of more than 16 kB.
 */
export function readEvmSubscription(params: string): string | undefined {
  if (params.length > 2 * maxLength) return undefined
  const parsed = subscription.safeParse(JSON.parse(params))
  const text = parsed.success ? JSON.stringify(parsed.data) : ''
  return text !== '' && text.length <= maxLength ? text : undefined
}
