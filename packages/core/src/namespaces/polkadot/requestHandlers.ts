import { LatchkeyError } from '@latchkey/wire'
import { decodeSs58Address } from '@latchkey/wire/polkadot'
import type { ChainRequest, RequestHandlers, SessionAccess } from '../requestHandlers.ts'
import { checkPolkadotResult, parsePolkadotRequest } from './signature/checkPolkadotResult.ts'

/** Has the wallet sign, and verifies its signature. */
async function sign(session: SessionAccess, request: ChainRequest): Promise<unknown> {
  const { chainId, method } = request
  const parsed = parsePolkadotRequest(request)
  const isAllowed = session
    .addresses()
    .some((address) => String(decodeSs58Address(address)) === String(parsed.account))
  if (!isAllowed) throw new LatchkeyError('UNAUTHORIZED')
  if (!session.allows(method, chainId))
    throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
  const { address } = request.params as { address: string }
  const { payload } = parsed
  // Sends the parsed payload, so that the wallet signs only what is verified.
  const params = payload ? { address, transactionPayload: payload } : request.params
  return checkPolkadotResult(parsed, await session.sendRequest({ ...request, params }))
}

/** The handlers of Polkadot requests. */
export const polkadotRequestHandlers: RequestHandlers = {
  walletConnect: { polkadot_signMessage: sign, polkadot_signTransaction: sign },
  embedded: {},
  formatBigint: String,
}
