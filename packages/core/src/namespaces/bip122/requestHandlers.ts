import { type ChainId, LatchkeyError } from '@latchkey/wire'
import type { ChainRequest, RequestHandlers, SessionAccess } from '../requestHandlers.ts'
import { formatAddresses, isOnNetwork, parseAddresses } from './connector/parseAddresses.ts'
import { type BitcoinRequest, checkBitcoinResult, parseBitcoinRequest } from './requests.ts'

/** The field of a wallet's response that is verified. */
const answerFields: Record<BitcoinRequest['method'], string> = {
  signMessage: 'signature',
  signPsbt: 'psbt',
  sendTransfer: 'txid',
}

/** Has the wallet sign or pay for an account of the session, and verifies the result. */
async function ask(session: SessionAccess, request: ChainRequest): Promise<unknown> {
  const { chainId, method } = request
  const question = parseBitcoinRequest(request)
  // A session lists one address per account. The wallet also signs with the account's other
  // addresses, and its response shows which.
  const { account } = request.params as { account: string }
  if (!session.addresses().includes(account)) throw new LatchkeyError('UNAUTHORIZED')
  if (!session.allows(method, chainId))
    throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
  const answer = await session.sendRequest(request)
  const fields = (answer ?? {}) as Record<string, unknown>
  return checkBitcoinResult(question, fields[answerFields[question.method]])
}

/** The wallet's addresses on a network, each with its purpose. Throws WALLET_ANSWER_INVALID. */
function readAddresses(answer: unknown, chainId: ChainId) {
  const addresses = parseAddresses({ readAddresses: readFields }, answer)
  const own = addresses.filter((address) => isOnNetwork(address, chainId))
  if (own.length === 0) throw new LatchkeyError('WALLET_ANSWER_INVALID')
  return formatAddresses(own)
}

const purposes: Readonly<Record<string, string>> = { payment: 'payment', ordinal: 'ordinals' }

const readFields = (answer: unknown) =>
  (answer as Record<string, unknown>[]).map(({ address, publicKey, intention }) => ({
    address,
    publicKey: typeof publicKey === 'string' ? publicKey : undefined,
    purpose: purposes[String(intention)],
  }))

/** The handlers of Bitcoin requests. */
export const bitcoinRequestHandlers: RequestHandlers = {
  walletConnect: {
    getAccountAddresses: async (session, request) =>
      session.allows('getAccountAddresses', request.chainId)
        ? readAddresses(await session.sendRequest(request), request.chainId)
        : session.addresses().map((address) => ({ address })),
    signMessage: ask,
    signPsbt: ask,
    sendTransfer: ask,
  },
  embedded: {},
  formatBigint: String,
}
