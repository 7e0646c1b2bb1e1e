import { explainRefusal } from '../signatures/explainRefusal.ts'
import { type SignedText, verifyKeySignature } from '../signatures/verifyKeySignature.ts'
import { checkSiwxMessage, type ExpectedSiwx } from './checkSiwxMessage.ts'
import { parseSiwxMessage } from './parseSiwxMessage.ts'
import type { SiwxField, SiwxMessage } from './siwxMessage.ts'

/**
 * The result of verifying a sign-in: the parsed message, or the field for which it is refused.
 * `reason`: the kind of signature, if it is not supported.
 */
export type SiwxVerdict =
  | { readonly ok: true; readonly message: SiwxMessage }
  | { readonly ok: false; readonly field: SiwxField | 'signature'; readonly reason?: string }

/**
 * Checks a sign-in on any backend, without a request to ours: the form of the message, each
 * expected field, and the signature of the account's key. Calls `verifyElsewhere` for signatures
 * that no key made, for example signatures of contracts (EIP-1271, EIP-6492; a viem client's
 * `verifyMessage`), and throws its errors. The caller still has to accept each nonce only once.
 */
export async function verifySiwx(
  signed: { readonly message: string; readonly signature: string },
  {
    verifyElsewhere,
    ...expected
  }: ExpectedSiwx & { readonly verifyElsewhere?: (signed: SignedText) => Promise<boolean> },
): Promise<SiwxVerdict> {
  const parsed = parseSiwxMessage(signed.message)
  if ('fault' in parsed) return { ok: false, field: parsed.fault }
  const { message } = parsed
  const field = checkSiwxMessage(message, expected)
  if (field !== undefined) return { ok: false, field }
  const { chainId, accountAddress: address } = message
  const text = { chainId, address, ...signed }
  const isGood = verifyKeySignature(text) || (await verifyElsewhere?.(text)) === true
  if (isGood) return { ok: true, message }
  const reason = explainRefusal(text)
  return { ok: false, field: 'signature', ...(reason !== undefined && { reason }) }
}
