import { LatchkeyError } from '@latchkey/wire'
import type { Ask, Prepared } from './approvalRequest.ts'
import { prepareMessage } from './prepareMessage.ts'
import { prepareSolana } from './prepareSolana.ts'
import { prepareTransaction } from './prepareTransaction.ts'
import { prepareTypedData } from './prepareTypedData.ts'

/** Checks a request and makes it readable. Throws INVALID_PARAMS, UNAUTHORIZED, UNSUPPORTED_METHOD and what our RPC throws. */
export function prepare(ask: Ask): Promise<Prepared> | Prepared {
  const { method, chain } = ask
  const evm = chain.namespace === 'eip155'
  if (method === 'personal_sign' && evm) return prepareMessage(ask)
  if (method === 'eth_signTypedData_v4' && evm) return prepareTypedData(ask)
  if (method === 'eth_sendTransaction' && evm) return prepareTransaction(ask)
  if (method.startsWith('solana_') && !evm) return prepareSolana(ask)
  throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
}
