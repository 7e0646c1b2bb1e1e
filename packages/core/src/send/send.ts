import { isError, LatchkeyError, toError } from '@latchkey/wire'
import type { App } from '../app.ts'
import { present } from '../modal/present.ts'
import { showToast } from '../modal/toast.ts'
import type { SendPlan } from '../namespaces/namespace.ts'
import { activeConnection, isConnected } from '../state.ts'
import { prepareSend, type SendParameters } from './prepareSend.ts'
import { resetSendDraft } from './setSendDraft.ts'

/** Shown once a wallet has taken a transaction (spec §4). */
const transactionStarted = 'Transaction started'

/** What the form shows itself; anything else is a failure of the sending. */
const inlineCodes = [
  'USER_REJECTED',
  'REQUEST_PENDING',
  'INVALID_ADDRESS',
  'INSUFFICIENT_FUNDS',
  'INSUFFICIENT_GAS',
  'CONNECTION_CHANGED',
  'NOT_CONNECTED',
  'UNSUPPORTED_CHAIN',
  'ABORTED',
] as const

/**
 * Sends: a plan that a person has seen, or a draft that is checked first. Resolves to the transaction's hash once the
 * wallet has taken it; the draft is empty then and a toast says 'Transaction started'. What a person can mend is thrown
 * as it is; any other failure shows the toast 'Something went wrong' and is thrown as SEND_FAILED with its cause.
 */
export async function send(
  app: App,
  parameters: { plan: SendPlan } | SendParameters,
): Promise<string> {
  try {
    const plan = 'plan' in parameters ? parameters.plan : await prepareSend(app, parameters)
    assertCurrent(app, plan)
    const hash = await plan.submit()
    resetSendDraft(app)
    showToast(app, { message: transactionStarted, variant: 'success' })
    return hash
  } catch (cause) {
    const error = toError(cause)
    if (inlineCodes.some((code) => isError(error, code))) throw error
    const failure = isError(error, 'INVALID_SEND_INPUT')
      ? error
      : new LatchkeyError('SEND_FAILED', { cause: error })
    present(app, failure)
    throw failure
  }
}

function assertCurrent(app: App, plan: SendPlan) {
  const connection = activeConnection(app.store.getState())
  if (!isConnected(connection)) throw new LatchkeyError('NOT_CONNECTED')
  if (connection.chainId !== plan.chainId || connection.account.address !== plan.from)
    throw new LatchkeyError('CONNECTION_CHANGED')
}
