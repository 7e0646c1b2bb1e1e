import { anySignal, isError, LatchkeyError, toError } from '@latchkey/wire'
import type { App } from '../app.ts'
import type { Plan } from '../namespaces/transferPlan.ts'
import { activeConnection, isConnected } from '../state.ts'
import { rememberRecipients } from './knownAddresses.ts'
import { prepareSend, type SendParameters } from './prepareSend.ts'

/** Errors whose messages are actionable for the user; any other becomes SEND_FAILED. */
const ownCodes = [
  'USER_REJECTED',
  'REQUEST_PENDING',
  'INVALID_ADDRESS',
  'INVALID_SEND_INPUT',
  'INSUFFICIENT_FUNDS',
  'INSUFFICIENT_GAS',
  'AMOUNT_IS_DUST',
  'COINS_KEPT',
  'TRANSFER_REFUSED',
  'RPC_CHAIN_WRONG',
  'WALLET_NOT_READY',
  'WALLET_ANSWER_INVALID',
  'REVOKE_REFUSED',
  'CONNECTION_CHANGED',
  'NOT_CONNECTED',
  'UNSUPPORTED_CHAIN',
  'UNSUPPORTED_METHOD',
  'WALLET_SIGNED_OTHER',
  'TRANSACTION_EXPIRED',
  'TRANSACTION_REPLACED',
  'TRANSACTION_CANCELLED',
  'TRANSACTION_UNCONFIRMED',
  'TRANSACTION_NOT_SENT',
  'SWAP_UNSUPPORTED',
  'SWAP_REFUSED',
  'SWAP_PRICE_MOVED',
  'SWAP_ALTERED',
  'ABORTED',
] as const

/**
 * Sends a payment: a plan that the user has seen, or parameters that are checked first. Resolves to
 * the transaction's hash when the wallet has accepted it. Throws errors that the user can act on
 * unchanged, and any other as SEND_FAILED with its cause.
 */
export async function send(
  app: App,
  parameters: ({ plan: Plan } | SendParameters) & { signal?: AbortSignal },
): Promise<string> {
  const signal = parameters.signal ? anySignal([app.signal, parameters.signal]) : app.signal
  try {
    const plan = 'plan' in parameters ? parameters.plan : await prepareSend(app, parameters)
    assertCurrent(app, plan)
    const hash = await plan.execute(signal)
    rememberRecipients(app, plan)
    return hash
  } catch (cause) {
    throw toSendError(cause)
  }
}

/**
 * Returns an error that the user can act on unchanged, and any other as SEND_FAILED with its cause.
 */
export function toSendError(cause: unknown): LatchkeyError {
  const error = toError(cause)
  if (ownCodes.some((code) => isError(error, code))) return error
  return new LatchkeyError('SEND_FAILED', { cause: error })
}

/**
 * Throws NOT_CONNECTED, and CONNECTION_CHANGED if a plan was made for another account or network.
 */
export function assertCurrent(app: App, { chainId, account }: Pick<Plan, 'chainId' | 'account'>) {
  const connection = activeConnection(app.store.getState())
  if (!isConnected(connection)) throw new LatchkeyError('NOT_CONNECTED')
  if (connection.chainId !== chainId || connection.account.address !== account.address)
    throw new LatchkeyError('CONNECTION_CHANGED')
}
