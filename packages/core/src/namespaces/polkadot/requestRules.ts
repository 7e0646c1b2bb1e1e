import { LatchkeyError } from '@latchkey/wire'
import type { RequestRules } from '../requestRules.ts'
import { checkAnswer, parseQuestion } from './signature/checkAnswer.ts'
import { decodeAddress } from './ss58.ts'

/** How requests of Polkadot are answered. */
export const requestRules: RequestRules = {
  walletConnect: {
    async polkadot_signMessage(session, request) {
      const { chainId, method } = request
      const question = parseQuestion(request)
      const isAllowed = session
        .addresses()
        .some((address) => String(decodeAddress(address)) === String(question.account))
      if (!isAllowed) throw new LatchkeyError('UNAUTHORIZED')
      if (!session.allows(method, chainId))
        throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
      return checkAnswer(question, await session.askWallet(request))
    },
  },
  embedded: {},
  isValidAnswer: () => true,
  formatBigint: String,
}
