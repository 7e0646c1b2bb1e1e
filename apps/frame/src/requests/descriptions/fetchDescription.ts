import type { SignedDescription } from '@latchkey/wire'
import type { ApprovalRow, Warning } from '../../approval/approvalView.ts'
import type { FrameChain } from '../../chains.ts'

/**
 * Names for a call that we cannot decode: rows to show in addition to its data, and the warning.
 */
export type CallWords = { readonly rows: readonly ApprovalRow[]; readonly warning: Warning }

/** A contract's function or typed data; `key` is a selector, or the hash of an EIP-712 type. */
export type SignedKey = { readonly address: string; readonly key: string }

/**
 * Fetches the description in the operator's files. Never throws: without a response there are no
 * names.
 */
export type FetchDescription = (
  chain: FrameChain,
  signed: SignedKey,
) => Promise<SignedDescription | undefined>

/**
 * Fetches each description once, so that a request that is shown again after the approval has the
 * same names.
 */
export function createFetchDescription(): FetchDescription {
  const answers = new Map<string, Promise<SignedDescription | undefined>>()
  return (chain, { address, key }) => {
    const name = `${chain.id} ${address} ${key}`
    const answer = answers.get(name) ?? ask({ chainId: chain.id, address, key })
    answers.set(name, answer)
    return answer
  }
}

async function ask(body: { chainId: string; address: string; key: string }) {
  try {
    return await (await import('./askDescription.ts')).askDescription(body)
  } catch {
    return undefined
  }
}
