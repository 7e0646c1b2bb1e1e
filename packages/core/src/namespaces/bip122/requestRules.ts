import { LatchkeyError } from '@latchkey/wire'
import type { RequestRules, SessionAccess, WalletRequest } from '../requestRules.ts'
import { checkAnswer, parseQuestion, type Question } from './requests.ts'

/** The field of a wallet's answer that is verified. */
const answerFields: Record<Question['method'], string> = {
  signMessage: 'signature',
  signPsbt: 'psbt',
  sendTransfer: 'txid',
}

/** Asks the wallet for what an account of the session is to sign or pay, and checks the answer. */
async function ask(session: SessionAccess, request: WalletRequest): Promise<unknown> {
  const { chainId, method } = request
  const question = parseQuestion(request)
  // A session names one address for each account; the wallet signs with the account's others too, and the answer shows whose.
  const { account } = request.params as { account: string }
  if (!session.addresses().includes(account)) throw new LatchkeyError('UNAUTHORIZED')
  if (!session.allows(method, chainId))
    throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
  const answer = await session.askWallet(request)
  const fields = (answer ?? {}) as Record<string, unknown>
  return checkAnswer(question, fields[answerFields[question.method]])
}

/** How requests of Bitcoin are answered. */
export const requestRules: RequestRules = {
  walletConnect: {
    getAccountAddresses: async (session, request) =>
      session.allows('getAccountAddresses', request.chainId)
        ? session.askWallet(request)
        : session.addresses().map((address) => ({ address })),
    signMessage: ask,
    signPsbt: ask,
    sendTransfer: ask,
  },
  embedded: {},
  formatBigint: String,
}
