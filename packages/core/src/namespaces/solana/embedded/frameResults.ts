import { LatchkeyError } from '@latchkey/wire'
import type { RequestHandlers } from '../../requestHandlers.ts'
import { signInByMessage } from '../signIn/signIn.ts'
import { checkSolanaResult, parseSolanaRequest } from '../transaction/checkSolanaResult.ts'
import { assertExact } from './assertExact.ts'

type FrameResult = NonNullable<RequestHandlers['embedded'][string]>

/**
 * Has the frame sign, and accepts only the account's own signature of exactly the requested bytes.
 */
const sign: FrameResult = async (frame, request) => {
  const addresses = await frame.addresses()
  const question = parseSolanaRequest(request, addresses)
  const { address: pubkey, method } = question
  if (!addresses.includes(pubkey)) throw new LatchkeyError('UNAUTHORIZED')
  const answer = await frame.ask({ ...request, params: { ...request.params, pubkey } })
  if (method !== 'solana_signMessage') await assertExact(question, answer)
  return checkSolanaResult(question, answer)
}

const accounts: FrameResult = async (frame) =>
  (await frame.addresses()).map((address) => ({ pubkey: address }))

/** The handlers of requests that are not simply forwarded to the secure frame. */
export const solanaFrameResults: RequestHandlers['embedded'] = {
  solana_getAccounts: accounts,
  solana_requestAccounts: accounts,
  solana_signIn: async (frame, request) =>
    signInByMessage({ params: request.params, addresses: await frame.addresses() }, (params) =>
      sign(frame, { ...request, method: 'solana_signMessage', params }),
    ),
  solana_signMessage: sign,
  solana_signTransaction: sign,
  solana_signAllTransactions: sign,
  solana_signAndSendTransaction: sign,
}
