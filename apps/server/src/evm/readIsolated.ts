import { isError } from '@latchkey/wire'
import { zeroAddress } from './address.ts'
import type { Hex } from './hex.ts'
import { type ContractRead, readContracts } from './readContracts.ts'

/** A call of a contract. */
export type TokenRead = Extract<ContractRead, { to: Hex }>

const atOnce = 8

/**
 * Like {@link readContracts}, but reads each contract separately if too many contracts spoil the
 * calls they share. Anyone can give an account tokens that use all the gas or return megabytes, and
 * the account's other tokens must still be visible.
 */
export async function readIsolated(
  source: Parameters<typeof readContracts>[0],
  reads: readonly TokenRead[],
): Promise<(Hex | undefined)[]> {
  try {
    return await readContracts(source, reads)
  } catch (error) {
    if (!isError(error, 'RPC_UNAVAILABLE')) throw error
  }
  // Throws if the network itself is unavailable.
  await readContracts(source, [{ balanceOf: zeroAddress }])
  const contracts = [...new Set(reads.map(({ to }) => to))]
  const found = new Map<TokenRead, Hex | undefined>()
  for (let start = 0; start < contracts.length; start += atOnce)
    await Promise.all(
      contracts.slice(start, start + atOnce).map(async (contract) => {
        const own = reads.filter(({ to }) => to === contract)
        const results = await readContracts(source, own).catch(() => [])
        own.forEach((read, index) => {
          found.set(read, results[index])
        })
      }),
    )
  return reads.map((read) => found.get(read))
}
