import { type Allowance, LatchkeyError } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { canAskWallet } from '../capabilities.ts'
import { getActiveWallet } from '../connection/getActiveWallet.ts'
import { type Reviewed, reviewedByView } from '../connection/requests/reviewed.ts'
import { getAction } from '../namespaces/actions.ts'
import type { RevokePlan } from '../namespaces/revokePlan.ts'
import { getRpcClient } from '../network/getRpcClient.ts'
import { getBatch } from '../send/getBatch.ts'
import { isFeePaid } from '../send/isFeePaid.ts'
import { assertCurrent, toSendError } from '../send/send.ts'
import { waitForTransaction } from '../send/waitForTransaction.ts'

/**
 * Plans the revocation of allowances and estimates its cost, without a request to the wallet.
 * Throws INSUFFICIENT_GAS, REVOKE_REFUSED, INVALID_PARAMS, NOT_CONNECTED, UNSUPPORTED_METHOD, and
 * the node's errors.
 */
export const prepareRevocation = (app: App, parameters: Revocation): Promise<RevokePlan> =>
  prepare(app, parameters, undefined)

/**
 * Like {@link prepareRevocation}, for the view that shows the revoked allowances: a device then
 * signs without another review. Not for pages.
 */
export const prepareReviewedRevocation = (app: App, parameters: Revocation): Promise<RevokePlan> =>
  prepare(app, parameters, reviewedByView)

type Revocation = { readonly allowances: readonly Allowance[] }

const prepare = (
  app: App,
  { allowances }: Revocation,
  review: Reviewed | undefined,
): Promise<RevokePlan> =>
  attempt(async () => {
    const wallet = await getActiveWallet(app, { review })
    const { actions, connection, network, request, assertSame } = wallet
    const { account, chainId } = connection
    if (!canAskWallet(app, { chainId, capability: 'send' }))
      throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method: 'sending' } })
    const [revoke, batch] = await Promise.all([
      getAction(actions, 'loadRevoke')(),
      allowances.length > 1 ? getBatch(wallet) : undefined,
    ])
    assertSame()
    const plan = await revoke.plan({
      wallet: request,
      node: getRpcClient(app, chainId),
      network,
      account,
      isFeePaid: (paid) => isFeePaid(app, wallet, paid),
      allowances,
      sendBatch:
        batch &&
        (async (calls, signal) =>
          batch.wait(await batch.send(calls), { signal, sleep: app.environment.sleep })),
      waitForTransaction: (question) =>
        waitForTransaction(app, { ...question, address: account.address }),
    })
    assertSame()
    const execute: RevokePlan['execute'] = async (signal, onStep) => {
      assertSame()
      return plan.execute(signal, onStep)
    }
    return { ...plan, execute }
  })

/**
 * Revokes allowances as planned; `onStep` reports the transaction that the wallet prompts for.
 * Resolves when all transactions are in a block. Throws errors that the user can act on unchanged,
 * and any other as SEND_FAILED with its cause.
 */
export async function revokeAllowances(
  app: App,
  parameters: { plan: RevokePlan; onStep?: (index: number) => void },
): Promise<void> {
  const { plan, onStep } = parameters
  try {
    assertCurrent(app, plan)
    await plan.execute(app.signal, onStep)
  } catch (cause) {
    throw toSendError(cause)
  }
}
