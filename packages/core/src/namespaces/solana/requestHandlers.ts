import { LatchkeyError } from '@latchkey/wire'
import type { ChainRequest, RequestHandlers, SessionAccess } from '../requestHandlers.ts'
import { solanaFrameResults } from './embedded/frameResults.ts'
import { signInByMessage } from './signIn/signIn.ts'
import { checkSolanaResult, parseSolanaRequest } from './transaction/checkSolanaResult.ts'

const accounts = async (session: SessionAccess) =>
  session.addresses().map((address) => ({ pubkey: address }))

/**
 * Has the wallet sign, and verifies the signature. Never falls back to a node, because nodes have
 * no keys.
 */
async function sign(session: SessionAccess, request: ChainRequest): Promise<unknown> {
  const { chainId, method, params } = request
  const addresses = session.addresses()
  const parsed = parseSolanaRequest({ method, params }, addresses)
  if (!addresses.includes(parsed.address)) throw new LatchkeyError('UNAUTHORIZED')
  if (!session.allows(method, chainId))
    throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
  return checkSolanaResult(parsed, await session.sendRequest(request))
}

/** The handlers of Solana requests. */
export const solanaRequestHandlers: RequestHandlers = {
  walletConnect: {
    solana_getAccounts: accounts,
    solana_requestAccounts: accounts,
    solana_signIn: async (session, request) =>
      signInByMessage({ params: request.params, addresses: session.addresses() }, (params) =>
        sign(session, { ...request, method: 'solana_signMessage', params }),
      ),
    solana_signMessage: sign,
    solana_signTransaction: sign,
    solana_signAllTransactions: sign,
    solana_signAndSendTransaction: sign,
  },
  embedded: solanaFrameResults,
  formatBigint: String,
}
