import { LatchkeyError } from '@latchkey/wire'
import { decodeAddress } from '@latchkey/wire/polkadot'
import type { RequestRules, SessionAccess, WalletRequest } from '../requestRules.ts'
import { checkAnswer, parseQuestion } from './signature/checkAnswer.ts'

/** Has the wallet sign, and verifies its signature. */
async function sign(session: SessionAccess, request: WalletRequest): Promise<unknown> {
  const { chainId, method } = request
  const question = parseQuestion(request)
  const isAllowed = session
    .addresses()
    .some((address) => String(decodeAddress(address)) === String(question.account))
  if (!isAllowed) throw new LatchkeyError('UNAUTHORIZED')
  if (!session.allows(method, chainId))
    throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
  const { address } = request.params as { address: string }
  const { payload } = question
  // Sends the parsed payload, so that the wallet signs only what is verified.
  const params = payload ? { address, transactionPayload: payload } : request.params
  return checkAnswer(question, await session.askWallet({ ...request, params }))
}

/** How requests of Polkadot are answered. */
export const requestRules: RequestRules = {
  walletConnect: { polkadot_signMessage: sign, polkadot_signTransaction: sign },
  embedded: {},
  formatBigint: String,
}
