import { type Address, decodeFunctionData, type Hex, isAddressEqual, parseTransaction } from 'viem'
import { entryPoint08Abi } from 'viem/account-abstraction'
import * as z from 'zod'
import { readFailure } from '../bundlerError.ts'
import type { ChainBundler } from '../chainBundler.ts'
import { entryPoint } from '../operations/userOperation.ts'
import type { Bundle } from './bundleStore.ts'

const call = z.object({ output: z.string() })

/**
 * An operation that made a bundle revert, and the account or the paymaster that did it; in lower
 * case.
 */
export type Guilty = { readonly sender: Address; readonly nonce: bigint; readonly entity: Address }

/**
 * Finds out which operation made a mined bundle revert: the EntryPoint names it in the
 * transaction's return data, which a trace of the first call contains. Undefined if the node cannot
 * trace; an operation that was alone is guilty anyway.
 */
export async function findGuilty(
  { ask, trustedPaymaster }: ChainBundler,
  { hash, raw }: Bundle,
): Promise<Guilty | undefined> {
  const operations = readPacked(raw)
  const tracer = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }
  const [reply] = await ask([{ method: 'debug_traceTransaction', params: [hash, tracer] }])
  const data = call.safeParse(reply?.result).data?.output
  const failure = data ? readFailure({ error: { code: 3, message: '', data } }) : undefined
  const index = failure?.index ?? (operations.length === 1 ? 0 : undefined)
  const packed = index === undefined ? undefined : operations[index]
  if (!packed) return undefined
  const sender = packed.sender.toLowerCase() as Address
  const paymaster = packed.paymasterAndData.slice(0, 42).toLowerCase() as Address
  // Without a stake, a paymaster may only use storage that is associated with the sender, so the
  // sender can cause its other failures.
  const isPaymaster = /^AA31/.test(failure?.reason ?? '') && paymaster !== trustedPaymaster
  return { sender, nonce: packed.nonce, entity: isPaymaster ? paymaster : sender }
}

/**
 * The accounts whose operations a signed bundle carries, in lower case; none if it only ends
 * delegations.
 */
export const readSenders = (raw: Hex): Address[] =>
  readPacked(raw).map(({ sender }) => sender.toLowerCase() as Address)

function readPacked(raw: Hex) {
  const { to, data } = parseTransaction(raw)
  if (!to || !data || !isAddressEqual(to, entryPoint)) return []
  const { functionName, args } = decodeFunctionData({ abi: entryPoint08Abi, data })
  return functionName === 'handleOps' ? args[0] : []
}
