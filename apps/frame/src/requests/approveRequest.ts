import { isError, LatchkeyError, type WalletAddresses } from '@latchkey/wire'
import type { Hex } from 'viem'
import { type ApprovalProps, ApprovalScreen } from '../approval/ApprovalScreen.tsx'
import { ApprovalWindowScreen } from '../approval/ApprovalWindowScreen.tsx'
import { canVerifyVisibility } from '../approval/createGate.ts'
import type { FrameContext } from '../context.ts'
import { approvals } from '../locales/approvals.en.ts'
import type { Screen } from '../screens/screenQueue.ts'
import type { PreparedRequest } from './approvalRequest.ts'
import { createCallsAccess } from './calls/callsAccess.ts'
import { readKnownAddresses, saveCounterparties } from './counterparties.ts'
import type { RpcRequest } from './createRequestQueue.ts'
import { fetchTokenNames } from './fetchTokenNames.ts'
import { prepareRequest } from './prepareRequest.ts'
import { sanitizeName } from './sanitizeName.ts'
import { fetchSimulation } from './simulation/fetchSimulation.ts'

/** A height that fits most requests; more scrolls inside. */
const height = 560

/** The end of one review: the request's result, or what has to be reviewed instead. */
type Outcome = { readonly result: unknown } | { readonly changed: PreparedRequest }

/**
 * Shows a request and executes it if the user approves. One that has changed meanwhile is shown again. Throws
 * USER_REJECTED, UPGRADE_REJECTED, ABORTED, and the errors of preparing and executing it.
 */
export async function approveRequest(
  { window, store, keys, screenQueue, read }: FrameContext,
  approval: {
    request: RpcRequest
    accounts: WalletAddresses
    origin: string
    claimedName: string | undefined
    signal: AbortSignal
  },
): Promise<unknown> {
  const { request, accounts, origin, claimedName, signal } = approval
  const { method, params, chain } = request
  const eip155 = accounts.eip155 as Hex
  const name = claimedName && sanitizeName(claimedName, 40)
  const prepared = await prepareRequest({
    method,
    params,
    origin,
    claimedName: name,
    chain,
    accounts: { ...accounts, eip155 },
    known: await readKnownAddresses(store, eip155, chain),
    read,
    fetchTokenNames,
    fetchSimulation,
    calls: createCallsAccess(store, { origin, account: eip155 }),
    keys,
    signal,
    now: Date.now,
  })
  const proven = canVerifyVisibility(window as Window & typeof globalThis)
  const review = async ({ view, ...prepared }: PreparedRequest): Promise<Outcome> => {
    let execution: Promise<Outcome> | undefined
    let isOver = false
    const execute = async (): Promise<Outcome> => {
      const changed = await prepared.recheck?.()
      // Closed meanwhile: nothing has been signed yet.
      if (isOver) throw new LatchkeyError('USER_REJECTED')
      return changed ? { changed } : { result: await prepared.approve() }
    }
    const screen: Screen<ApprovalProps, unknown> = {
      view: 'approve',
      title: approvals.approve.title,
      load: async () => (proven ? ApprovalScreen : ApprovalWindowScreen),
      props: {
        view: { ...view, origin, ...(name && { claimedName: name }) },
        // The request may outlive its screen, in a window of its own.
        async approve() {
          if (isOver) throw new LatchkeyError('USER_REJECTED')
          execution ??= execute()
          return execution
        },
      },
      height,
    }
    const getExecution = (reason: unknown) => {
      if (!execution) throw reason
      return execution
    }
    return screenQueue.show(screen, signal).then(getExecution, (error: unknown) => {
      isOver = true
      // Closed after the approval: the request is being executed, and its result is the answer.
      if (isError(error, 'USER_REJECTED')) return getExecution(error)
      throw error
    })
  }
  const toRefusal = (error: unknown): never => {
    throw prepared.refusedAs && isError(error, 'USER_REJECTED')
      ? new LatchkeyError(prepared.refusedAs, { cause: error })
      : error
  }
  let outcome = await review(prepared).catch(toRefusal)
  while ('changed' in outcome) outcome = await review(outcome.changed).catch(toRefusal)
  if (prepared.counterparties)
    await saveCounterparties(store, {
      account: eip155,
      chain,
      counterparties: prepared.counterparties,
    })
  return outcome.result
}
