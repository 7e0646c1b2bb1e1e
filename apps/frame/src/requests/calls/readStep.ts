import { LatchkeyError } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { FrameChain } from '../../chains.ts'
import type { ReadChain } from '../../readChain.ts'
import { toBig } from '../params.ts'
import type { CallsAccess } from './callsAccess.ts'

const hex = z.string().check(z.regex(/^0x[0-9a-f]*$/i))

/** A log of a receipt, in the form that a node returns. */
export const log = z.object({ address: hex, data: hex, topics: z.array(hex) })

/** A receipt, in the form that a node returns. */
export const receipt = z.object({
  logs: z.array(log),
  status: hex,
  blockHash: hex,
  blockNumber: hex,
  gasUsed: hex,
  transactionHash: hex,
})
export type StepReceipt = z.infer<typeof receipt>

type StepContext = {
  readonly read: ReadChain
  readonly chain: FrameChain
  readonly account: string
  readonly access: Pick<CallsAccess, 'readReplacements'>
}

/** `canceled`: another transaction, which is not the same call, has taken the nonce. */
type Step =
  | { readonly kind: 'pending' | 'canceled' }
  | { readonly kind: 'included'; readonly receipt: StepReceipt }

/**
 * Reads the state of one transaction of a batch. If the user has sped it up, returns the receipt of
 * the newer transaction. Throws ANSWER_INVALID and the node's errors.
 */
export async function readStep(
  { read, chain, account, access }: StepContext,
  { hash, nonce }: { readonly hash: string; readonly nonce: bigint | undefined },
): Promise<Step> {
  const versions = [{ hash, isCancelled: false }, ...(await access.readReplacements(hash))]
  const askAll = (method: string) =>
    Promise.all(versions.map((one) => read(chain, method, [one.hash])))
  const answers = await askAll('eth_getTransactionReceipt')
  const at = answers.findIndex((answer) => answer !== null)
  if (at >= 0) {
    if (versions[at]?.isCancelled) return { kind: 'canceled' }
    const parsed = z.safeParse(receipt, answers[at])
    if (!parsed.success) throw new LatchkeyError('ANSWER_INVALID')
    return { kind: 'included', receipt: parsed.data }
  }
  if (nonce === undefined) return { kind: 'pending' }
  const count = toBig(await read(chain, 'eth_getTransactionCount', [account, 'latest']))
  if (count <= nonce) return { kind: 'pending' }
  // A block may have included it since the first query, and some nodes lag behind others.
  const isKnown = (await askAll('eth_getTransactionByHash')).some((one) => one !== null)
  return { kind: isKnown ? 'pending' : 'canceled' }
}
