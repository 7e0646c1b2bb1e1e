import { convertTransactionRoute, isError, LatchkeyError } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { canAskWallet } from '../capabilities.ts'
import { getActiveWallet } from '../connection/getActiveWallet.ts'
import { type Reviewed, reviewedByView } from '../connection/requests/reviewed.ts'
import { getAction } from '../namespaces/actions.ts'
import {
  type AllowanceChoice,
  type PreparedSwap,
  type SwapPlan,
  type SwapTokenFacts,
  signatureRefused,
} from '../namespaces/swapPlan.ts'
import { getRpcClient } from '../network/getRpcClient.ts'
import { getBatch } from '../send/getBatch.ts'
import { isFeePaid } from '../send/isFeePaid.ts'
import { waitForTransaction } from '../send/waitForTransaction.ts'
import { callRoute } from '../server/callRoute.ts'
import { fromSmallestUnit, toSmallestUnit } from '../units.ts'
import { explain, readQuote, type SwapQuote, toQuery } from './quoteSwap.ts'

/** In per cent. */
export const maxSlippage = 50
/** The assumed gas of a swap, if the server does not report it. */
const unknownGas = 500_000n

export type SwapParameters = {
  from: SwapTokenFacts
  to: SwapTokenFacts
  /** Decimal string in whole tokens. */
  amount: string
  /** In per cent, 0 to 50. */
  slippage: number
  /** `signature` unless set. */
  allowance?: AllowanceChoice
}

/** A swap for review: the requests to the wallet, and the server's quote if available. */
export type ReviewedSwap = SwapPlan & { quote?: SwapQuote | undefined }

/**
 * Prepares a swap on the server and returns the plan that the user reviews, with its cost. The
 * namespace's `planSwap` reads allowance and gas, and `checkSwap` compares the server's calldata
 * with the parameters. Nothing is signed yet. `swap` executes the reviewed plan: it prepares the
 * swap again, and refuses it if less than shown would arrive. Throws INVALID_SEND_INPUT,
 * INSUFFICIENT_FUNDS, INSUFFICIENT_GAS, SWAP_UNSUPPORTED, SWAP_REFUSED, SWAP_ALTERED,
 * NOT_CONNECTED, and the errors of server and node.
 */
export const prepareSwap = (app: App, parameters: SwapParameters): Promise<ReviewedSwap> =>
  prepare(app, parameters, undefined)

/**
 * Like {@link prepareSwap}, for the view that shows the swap: a device then signs it without
 * another review. Not for pages.
 */
export const prepareReviewedSwap = (app: App, parameters: SwapParameters): Promise<ReviewedSwap> =>
  prepare(app, parameters, reviewedByView)

const prepare = (
  app: App,
  parameters: SwapParameters,
  review: Reviewed | undefined,
): Promise<ReviewedSwap> =>
  attempt(async () => {
    const { from, to, slippage, allowance = 'signature' } = parameters
    const wallet = await getActiveWallet(app, { review })
    const { actions, connection, network, request, assertSame } = wallet
    const { chainId, account } = connection
    if (!canAskWallet(app, { chainId, capability: 'send' }) || !actions.loadSwaps)
      throw new LatchkeyError('SWAP_UNSUPPORTED')
    const amount = toSmallestUnit(parameters.amount, from.decimals)
    const isSlippage = slippage >= 0 && slippage <= maxSlippage
    if (amount === 0n || !isSlippage) throw new LatchkeyError('INVALID_SEND_INPUT')
    const swap = { chainId, from, to, amount }
    let quote: SwapQuote | undefined
    const [swaps, batch] = await Promise.all([actions.loadSwaps(), getBatch(wallet)])
    assertSame()
    const plan = await swaps.plan({
      wallet: request,
      node: getRpcClient(app, chainId),
      now: app.environment.now,
      network,
      account,
      isFeePaid: (paid) => isFeePaid(app, wallet, paid),
      from,
      to,
      amount,
      slippage,
      allowance,
      canSign: canAskWallet(app, { chainId, capability: 'signTypedData' }),
      sendBatch: batch?.send,
      prepare: async () => {
        const userAddress = `${chainId}:${account.address}`
        const body = {
          projectId: app.config.projectId,
          ...toQuery(swap),
          userAddress,
          [network.chainNamespace]: { slippage },
          disableEstimate: true,
        }
        const { tx } = await callRoute(app, { route: convertTransactionRoute, body }).catch(explain)
        quote = tx.quote && readQuote(tx.quote, swap)
        const prefix = `${chainId}:`
        const { to: contract, data, value, amount: expected } = tx
        if (!contract.startsWith(prefix) || tx.from.toLowerCase() !== userAddress.toLowerCase())
          throw new LatchkeyError('SWAP_ALTERED', { data: { reason: 'the account differs' } })
        const prepared: PreparedSwap = {
          to: contract.slice(prefix.length),
          data,
          // Third-party servers omit the value, because it is implied.
          value: BigInt(value ?? (from.address ? 0n : amount)),
          expected: BigInt(expected),
          gas: BigInt(tx.quote?.gas ?? unknownGas),
        }
        return prepared
      },
      waitForTransaction: (question) =>
        waitForTransaction(app, { ...question, address: account.address }),
    })
    assertSame()
    const execute: SwapPlan['execute'] = async (signal, onStep) => {
      assertSame()
      return plan.execute(signal, onStep)
    }
    return { ...plan, quote, execute }
  })

/**
 * Whether a swap failed only because its token or the wallet supports no signature: it can be
 * prepared with `exact`.
 */
export const isSignatureRefused = (error: unknown): boolean =>
  isError(error, 'SWAP_REFUSED') && error.data.reason === signatureRefused

/**
 * The maximum amount that can be swapped: a decimal string in whole tokens. For the native
 * currency, the balance minus the fee, unless the wallet's operator would pay for this swap. `to`:
 * the received token, if known. Throws SWAP_UNSUPPORTED, CONNECTION_CHANGED and the node's errors.
 */
export const getMaxSwap = (
  app: App,
  { token, to }: { token: SwapTokenFacts; to?: SwapTokenFacts | undefined },
): Promise<string> =>
  attempt(async () => {
    const wallet = await getActiveWallet(app)
    const { actions, connection, network, assertSame } = wallet
    const swaps = await getAction(actions, 'loadSwaps')()
    const { chainId, account } = connection
    const units = await swaps.max({
      node: getRpcClient(app, chainId),
      network,
      account,
      isFeePaid: (paid) => isFeePaid(app, wallet, paid),
      from: token,
      to,
    })
    assertSame()
    return fromSmallestUnit(units, token.decimals)
  })
