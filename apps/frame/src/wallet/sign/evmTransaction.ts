import * as z from 'zod/mini'

const quantity = z.string().check(z.regex(/^(0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/))
const hexData = z.string().check(z.regex(/^0x([0-9a-fA-F]{2})*$/), z.maxLength(262_146))
const address = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/))
const accessList = z
  .array(
    z.strictObject({
      address,
      storageKeys: z
        .array(z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/)))
        .check(z.maxLength(256)),
    }),
  )
  .check(z.maxLength(256))

const shared = {
  chainId: z.int().check(z.gte(1), z.lte(Number.MAX_SAFE_INTEGER)),
  nonce: quantity,
  gas: quantity,
  /** Absent if the transaction creates a contract. */
  to: z.optional(address),
  value: quantity,
  data: hexData,
}

/**
 * A complete transaction: legacy with chain id (EIP-155), access list (EIP-2930) or fee market
 * (EIP-1559). Numbers are hex or decimal strings. Blob (3) and EIP-7702 (4) transactions are not
 * supported.
 */
export const evmTransaction = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal(0), ...shared, gasPrice: quantity }),
  z.strictObject({ type: z.literal(1), ...shared, gasPrice: quantity, accessList }),
  z.strictObject({
    type: z.literal(2),
    ...shared,
    maxFeePerGas: quantity,
    maxPriorityFeePerGas: quantity,
    accessList,
  }),
])
export type EvmTransaction = z.infer<typeof evmTransaction>
