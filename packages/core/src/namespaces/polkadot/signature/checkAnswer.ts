import { bytesToHex, LatchkeyError } from '@latchkey/wire'
import { decodeAddress } from '../ss58.ts'
import { isSignedBy } from './isSignedBy.ts'

/** A request to sign a message, parsed. */
export type Question = { address: string; account: Uint8Array; message: string }

/** A request in WalletConnect's words as a question. Throws UNSUPPORTED_METHOD and INVALID_PARAMS. */
export function parseQuestion({ method, params }: { method: string; params: unknown }): Question {
  if (method !== 'polkadot_signMessage')
    throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
  const { address, message } = (params ?? {}) as Record<string, unknown>
  const account = typeof address === 'string' ? decodeAddress(address) : undefined
  if (!account) throw new LatchkeyError('INVALID_PARAMS', { data: { reason: 'address' } })
  if (typeof message !== 'string')
    throw new LatchkeyError('INVALID_PARAMS', { data: { reason: 'message' } })
  return { address: address as string, account, message }
}

/**
 * What a wallet signs for a message: the text between `<Bytes>` and `</Bytes>`, so that it can be no transaction. A text
 * that has them already gets no second ones, as wallets do it.
 */
export function wrapMessage(message: string): Uint8Array<ArrayBuffer> {
  const isWrapped = message.startsWith('<Bytes>') && message.endsWith('</Bytes>')
  return new TextEncoder().encode(isWrapped ? message : `<Bytes>${message}</Bytes>`)
}

/**
 * A wallet's answer, once it is known to be the account's own signature of the very message. Throws WALLET_ANSWER_INVALID
 * and WALLET_SIGNED_OTHER.
 */
export async function checkAnswer(
  { account, message }: Question,
  answer: unknown,
): Promise<{ signature: `0x${string}` }> {
  for (const signature of parseSignature(answer))
    if (await isSignedBy({ account, message: wrapMessage(message), signature }))
      return { signature: `0x${bytesToHex(signature)}` }
  throw new LatchkeyError('WALLET_SIGNED_OTHER')
}

/** The bytes of a signature, and what they are if the first one only names its kind, as some wallets do it. */
function parseSignature(answer: unknown): readonly Uint8Array<ArrayBuffer>[] {
  try {
    const { signature } = answer as Record<string, unknown>
    if (typeof signature !== 'string' || !/^(0x)?([0-9a-f]{2}){64,66}$/i.test(signature))
      throw new TypeError('Not a signature')
    const pairs = signature.replace(/^0x/i, '').match(/../g) ?? []
    const bytes = Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16))
    return [bytes, bytes.slice(1)].filter(({ length }) => length === 64 || length === 65)
  } catch (cause) {
    throw new LatchkeyError('WALLET_ANSWER_INVALID', { cause })
  }
}
