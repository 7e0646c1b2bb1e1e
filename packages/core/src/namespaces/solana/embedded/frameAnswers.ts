import { LatchkeyError } from '@latchkey/wire'
import type { RequestRules } from '../../requestRules.ts'
import { signInByMessage } from '../signIn/signIn.ts'
import { checkAnswer, parseQuestion } from '../transaction/checkAnswer.ts'
import { assertExact } from './assertExact.ts'

type Answer = NonNullable<RequestRules['embedded'][string]>

/**
 * Has the frame sign, and accepts only the account's own signature of exactly the bytes that were
 * asked for.
 */
const sign: Answer = async (frame, request) => {
  const addresses = await frame.addresses()
  const question = parseQuestion(request, addresses)
  const { address: pubkey, method } = question
  if (!addresses.includes(pubkey)) throw new LatchkeyError('UNAUTHORIZED')
  const answer = await frame.ask({ ...request, params: { ...request.params, pubkey } })
  if (method !== 'solana_signMessage') await assertExact(question, answer)
  return checkAnswer(question, answer)
}

const accounts: Answer = async (frame) =>
  (await frame.addresses()).map((address) => ({ pubkey: address }))

/** What is not simply handed to the secure frame. */
export const frameAnswers: RequestRules['embedded'] = {
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
