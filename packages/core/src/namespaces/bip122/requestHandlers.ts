import { type ChainId, LatchkeyError } from '@latchkey/wire'
import type { ChainRequest, RequestHandlers, SessionAccess } from '../requestHandlers.ts'
import { formatAddresses, isOnNetwork, parseAddresses } from './connector/parseAddresses.ts'
import { type BitcoinRequest, checkBitcoinResult, parseBitcoinRequest } from './requests.ts'

/** The field of a wallet's answer that is verified. */
const answerFields: Record<BitcoinRequest['method'], string> = {
  signMessage: 'signature',
  signPsbt: 'psbt',
  sendTransfer: 'txid',
}

/** Asks the wallet for what an account of the session is to sign or pay, and checks the answer. */
async function ask(session: SessionAccess, request: ChainRequest): Promise<unknown> {
  const { chainId, method } = request
  const question = parseBitcoinRequest(request)
  // A session names one address for each account; the wallet signs with the account's others too,
  // and the answer shows whose.
  const { account } = request.params as { account: string }
  if (!session.addresses().includes(account)) throw new LatchkeyError('UNAUTHORIZED')
  if (!session.allows(method, chainId))
    throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
  const answer = await session.sendRequest(request)
  const fields = (answer ?? {}) as Record<string, unknown>
  return checkBitcoinResult(question, fields[answerFields[question.method]])
}

/** A wallet's addresses of a network, each with what it is for. Throws WALLET_ANSWER_INVALID. */
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

/** How requests of Bitcoin are answered. */
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
