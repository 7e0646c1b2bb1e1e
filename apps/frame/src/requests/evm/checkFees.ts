import * as z from 'zod/mini'
import { invalidParameters } from '../params.ts'

const quantity = z.optional(z.string().check(z.regex(/^0x[0-9a-f]{1,64}$/i)))
const word = z.string().check(z.regex(/^0x[0-9a-f]{64}$/i))
/** The key worker signs at most this many. */
const maxEntries = 256

/** The fields of a transaction's type and fees that a page may set. */
export const feeFields = {
  type: z.optional(z.string().check(z.regex(/^0x[0-9a-f]{1,2}$/i))),
  gasPrice: quantity,
  maxFeePerGas: quantity,
  maxPriorityFeePerGas: quantity,
  accessList: z.optional(
    z
      .array(
        z.object({
          address: z.string().check(z.regex(/^0x[0-9a-f]{40}$/i)),
          storageKeys: z.array(word).check(z.maxLength(maxEntries)),
        }),
      )
      .check(z.maxLength(maxEntries)),
  ),
  blobs: z.optional(z.unknown()),
  blobVersionedHashes: z.optional(z.unknown()),
  maxFeePerBlobGas: z.optional(z.unknown()),
}
const fields = z.object(feeFields)

/**
 * Refuses blob transactions and fields that contradict each other. We set the fees ourselves, so a
 * page with a contradiction would otherwise not learn that its numbers were dropped. Throws
 * INVALID_PARAMS with the reason.
 */
export function checkFees(asked: z.infer<typeof fields>): void {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList } = asked
  const type = asked.type ? Number(asked.type) : undefined
  const hasBlobs = [asked.blobs, asked.blobVersionedHashes, asked.maxFeePerBlobGas].some(isSet)
  if (type === 3 || hasBlobs) throw invalidParameters('this wallet sends no blob transactions')
  if (type !== undefined && type > 2)
    throw invalidParameters(`this wallet sends no transactions of type ${type}`)
  const hasMarketFees = isSet(maxFeePerGas) || isSet(maxPriorityFeePerGas)
  if (isSet(gasPrice) && hasMarketFees)
    throw invalidParameters('gasPrice excludes maxFeePerGas and maxPriorityFeePerGas')
  if (isSet(gasPrice) && type === 2)
    throw invalidParameters('a transaction of type 2 has no gasPrice')
  if (hasMarketFees && (type === 0 || type === 1))
    throw invalidParameters(`a transaction of type ${type} has a gasPrice only`)
  if (isSet(accessList) && type === 0)
    throw invalidParameters('a transaction of type 0 has no accessList')
  if (maxFeePerGas && maxPriorityFeePerGas && BigInt(maxPriorityFeePerGas) > BigInt(maxFeePerGas))
    throw invalidParameters('maxPriorityFeePerGas is above maxFeePerGas')
}

const isSet = (value: unknown) => value !== undefined
