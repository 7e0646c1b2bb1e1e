import { decodeBase58, encodeBase58, LatchkeyError } from '@latchkey/wire'
import { checkAnswer } from '../transaction/checkAnswer.ts'
import { formatSignIn } from './formatSignIn.ts'

/** A signed sign-in: the message and its signature in base58. */
type SignedIn = { address: string; signedMessage: string; signature: string }

type Question = {
  /**
   * The fields of the message as the Wallet Standard names them, and `pubkey` for one of several
   * accounts.
   */
  params: unknown
  addresses: readonly string[]
}

/**
 * Asks a wallet that signs messages; `sign` checks its answer. Throws INVALID_PARAMS, UNAUTHORIZED
 * and what `sign` throws.
 */
export async function signInByMessage(
  question: Question,
  sign: (params: { message: string; pubkey: string }) => Promise<unknown>,
): Promise<SignedIn> {
  const { address, text } = prepare(question)
  const signedMessage = encodeBase58(new TextEncoder().encode(text))
  const answer = await sign({ message: signedMessage, pubkey: address })
  return { address, signedMessage, signature: (answer as { signature: string }).signature }
}

/**
 * Asks a wallet that words the message itself. The standard leaves it nothing to choose, so the
 * message has to be the one that we would have asked for, signed by the account. Throws also
 * WALLET_ANSWER_INVALID and WALLET_SIGNED_OTHER.
 */
export async function signInByWallet(
  question: Question,
  ask: (input: object) => Promise<unknown>,
): Promise<SignedIn> {
  const { address, input } = prepare(question)
  const signedIn = await checkSignedIn(input, await ask({ ...input, address }))
  if (signedIn.address !== address) throw new LatchkeyError('WALLET_SIGNED_OTHER')
  return signedIn
}

/**
 * Checks what a wallet has signed for a page's input. Throws WALLET_ANSWER_INVALID and
 * WALLET_SIGNED_OTHER.
 */
export async function checkSignedIn(input: object, answer: unknown): Promise<SignedIn> {
  const { signedMessage, signature, address } = readFields(answer)
  if (typeof address !== 'string' || decodeBase58(address)?.length !== 32)
    throw new LatchkeyError('WALLET_ANSWER_INVALID')
  const message = encodeBase58(new TextEncoder().encode(formatSignIn(input, address)))
  if (signedMessage !== message) throw new LatchkeyError('WALLET_SIGNED_OTHER')
  const request = { method: 'solana_signMessage', address, message } as const
  const checked = await checkAnswer(request, { signature })
  return { address, signedMessage, signature: (checked as { signature: string }).signature }
}

function prepare({ params, addresses }: Question) {
  const { pubkey, ...input } = (params ?? {}) as { pubkey?: unknown }
  const address = pubkey ?? addresses[0]
  if (typeof address !== 'string' || !addresses.includes(address))
    throw new LatchkeyError('UNAUTHORIZED')
  return { address, input, text: formatSignIn(input, address) }
}

function readFields(answer: unknown): Record<keyof SignedIn, unknown> {
  const { address, signedMessage, signature } = (answer ?? {}) as Record<string, unknown>
  return { address, signedMessage, signature }
}
