import { LatchkeyError } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { canAskWallet } from '../capabilities.ts'
import { getActiveWallet } from '../connection/getActiveWallet.ts'
import { type Reviewed, reviewedByView } from '../connection/requests/reviewed.ts'
import { getAction } from '../namespaces/actions.ts'
import type { FeeSpeed, Plan, SendToken } from '../namespaces/transferPlan.ts'
import { getRpcClient } from '../network/getRpcClient.ts'
import { fromSmallestUnit } from '../units.ts'
import { isFeePaid } from './isFeePaid.ts'

export type SendParameters = {
  to: string
  /** Decimal string in whole tokens. */
  amount: string
  token: SendToken
  /** The confirmation speed, if the network lets the sender choose. */
  speed?: FeeSpeed
  /**
   * Whether to spend small Taproot coins too, which may hold inscriptions. Only on Bitcoin; false
   * by default.
   */
  smallCoins?: boolean
}

/**
 * Checks a payment and calculates its cost, without a request to the wallet. Throws
 * INVALID_SEND_INPUT, INVALID_ADDRESS, INSUFFICIENT_FUNDS, INSUFFICIENT_GAS, NOT_CONNECTED,
 * UNSUPPORTED_METHOD if neither namespace nor wallet can send, and the node's errors.
 */
export const prepareSend = (app: App, parameters: SendParameters): Promise<Plan> =>
  prepare(app, parameters, undefined)

/**
 * Like {@link prepareSend}, for the view that shows the plan: a device then signs it without
 * another review. Not for pages.
 */
export const prepareReviewedSend = (app: App, parameters: SendParameters): Promise<Plan> =>
  prepare(app, parameters, reviewedByView)

const prepare = (
  app: App,
  parameters: SendParameters,
  review: Reviewed | undefined,
): Promise<Plan> =>
  attempt(async () => {
    const wallet = await getActiveWallet(app, { review })
    const { actions, connection, network, request, approvedMethods, assertSame } = wallet
    if (!canAskWallet(app, { chainId: connection.chainId, capability: 'send' }))
      throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method: 'sending' } })
    assertSame()
    const plan = await getAction(
      actions,
      'planTransfer',
    )({
      wallet: request,
      approvedMethods,
      node: getRpcClient(app, connection.chainId),
      sleep: app.environment.sleep,
      network,
      account: connection.account,
      isSponsored: await isFeePaid(app, wallet, getCall(parameters)),
      to: parameters.to.trim(),
      amount: parameters.amount.trim(),
      token: parameters.token,
      speed: parameters.speed,
      smallCoins: parameters.smallCoins,
    })
    assertSame()
    const execute = async (signal: AbortSignal) => {
      assertSame()
      return plan.execute(signal)
    }
    return { ...plan, execute }
  })

/** The target of a transfer: the token's contract, or the receiver, if it is known yet. */
function getCall({ token, to }: { token: SendToken; to?: string }) {
  const target = token.address ?? (to?.trim() || undefined)
  return target === undefined ? {} : { calls: [{ to: target }] }
}

/**
 * The maximum amount that can be sent: a decimal string in whole tokens. For the native
 * currency, the balance minus the fee. Throws CONNECTION_CHANGED if account or network changed
 * meanwhile, COINS_KEPT, and the node's errors.
 */
export const getMaxAmount = (
  app: App,
  parameters: {
    token: SendToken
    to?: string
    speed?: FeeSpeed | undefined
    smallCoins?: boolean | undefined
  },
): Promise<string> =>
  attempt(async () => {
    const wallet = await getActiveWallet(app)
    const { actions, connection, network, assertSame } = wallet
    const wei = await getAction(
      actions,
      'maxSend',
    )({
      node: getRpcClient(app, connection.chainId),
      network,
      account: connection.account,
      isSponsored: await isFeePaid(app, wallet, getCall(parameters)),
      to: parameters.to?.trim() || connection.account.address,
      token: parameters.token,
      speed: parameters.speed,
      smallCoins: parameters.smallCoins,
    })
    assertSame()
    return fromSmallestUnit(wei, parameters.token.decimals)
  })
