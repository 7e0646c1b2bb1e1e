import { decodeBase58, encodeBase58, LatchkeyError } from '@latchkey/wire'
import { checkSolanaResult } from '../transaction/checkSolanaResult.ts'
import { formatSignIn } from './formatSignIn.ts'

/** A signed sign-in: the message and its signature in base58. */
type SignedIn = { address: string; signedMessage: string; signature: string }

type SignInRequest = {
  /**
   * The fields of the message with their names in the Wallet Standard, and `pubkey` to select one
   * of several accounts.
   */
  params: unknown
  addresses: readonly string[]
}

/**
 * Signs in with a wallet that signs messages; `sign` verifies its signature. Throws INVALID_PARAMS,
 * UNAUTHORIZED and the errors of `sign`.
 */
export async function signInByMessage(
  request: SignInRequest,
  sign: (params: { message: string; pubkey: string }) => Promise<unknown>,
): Promise<SignedIn> {
  const { address, text } = prepare(request)
  const signedMessage = encodeBase58(new TextEncoder().encode(text))
  const answer = await sign({ message: signedMessage, pubkey: address })
  return { address, signedMessage, signature: (answer as { signature: string }).signature }
}

/**
 * Signs in with a wallet that composes the message itself. The standard defines the whole message,
 * so it must equal the message that we would have requested, signed by the account. Also throws
 * WALLET_ANSWER_INVALID and WALLET_SIGNED_OTHER.
 */
export async function signInByWallet(
  request: SignInRequest,
  ask: (input: object) => Promise<unknown>,
): Promise<SignedIn> {
  const { address, input } = prepare(request)
  const signedIn = await checkSignedIn(input, await ask({ ...input, address }))
  if (signedIn.address !== address) throw new LatchkeyError('WALLET_SIGNED_OTHER')
  return signedIn
}

/**
 * Verifies a wallet's signed message against a page's input. Throws WALLET_ANSWER_INVALID and
 * WALLET_SIGNED_OTHER.
 */
export async function checkSignedIn(input: object, answer: unknown): Promise<SignedIn> {
  const { signedMessage, signature, address } = readFields(answer)
  if (typeof address !== 'string' || decodeBase58(address)?.length !== 32)
    throw new LatchkeyError('WALLET_ANSWER_INVALID')
  const message = encodeBase58(new TextEncoder().encode(formatSignIn(input, address)))
  if (signedMessage !== message) throw new LatchkeyError('WALLET_SIGNED_OTHER')
  const request = { method: 'solana_signMessage', address, message } as const
  const checked = await checkSolanaResult(request, { signature })
  return { address, signedMessage, signature: (checked as { signature: string }).signature }
}

function prepare({ params, addresses }: SignInRequest) {
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
