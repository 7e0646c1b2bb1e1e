import { isError, LatchkeyError, toError } from '@latchkey/wire'
import type { App } from '../app.ts'
import type { Plan } from '../namespaces/actions.ts'
import { activeConnection, isConnected } from '../state.ts'
import { prepareSend, type SendParameters } from './prepareSend.ts'

/** Errors that say themselves what the user can do; anything else is a failure of the sending. */
const ownCodes = [
  'USER_REJECTED',
  'REQUEST_PENDING',
  'INVALID_ADDRESS',
  'INVALID_SEND_INPUT',
  'INSUFFICIENT_FUNDS',
  'INSUFFICIENT_GAS',
  'AMOUNT_IS_DUST',
  'FEE_ABOVE_AMOUNT',
  'CONNECTION_CHANGED',
  'NOT_CONNECTED',
  'UNSUPPORTED_CHAIN',
  'UNSUPPORTED_METHOD',
  'WALLET_SIGNED_OTHER',
  'TRANSACTION_EXPIRED',
  'TRANSACTION_REPLACED',
  'TRANSACTION_NOT_SENT',
  'ABORTED',
] as const

/**
 * Sends a payment: a plan that the user has seen, or parameters that are checked first. Resolves to the transaction's hash once the wallet has
 * taken it. Throws the errors that the user can act on as they are, and any other as SEND_FAILED with its cause.
 */
export async function send(
  app: App,
  parameters: ({ plan: Plan } | SendParameters) & { signal?: AbortSignal },
): Promise<string> {
  const signal = parameters.signal ? AbortSignal.any([app.signal, parameters.signal]) : app.signal
  try {
    const plan = 'plan' in parameters ? parameters.plan : await prepareSend(app, parameters)
    assertCurrent(app, plan)
    return await plan.execute(signal)
  } catch (cause) {
    const error = toError(cause)
    if (ownCodes.some((code) => isError(error, code))) throw error
    throw new LatchkeyError('SEND_FAILED', { cause: error })
  }
}

function assertCurrent(app: App, { chainId, account }: Plan) {
  const connection = activeConnection(app.store.getState())
  if (!isConnected(connection)) throw new LatchkeyError('NOT_CONNECTED')
  if (connection.chainId !== chainId || connection.account.address !== account.address)
    throw new LatchkeyError('CONNECTION_CHANGED')
}
