import { isError, LatchkeyError, type WalletAddresses } from '@latchkey/wire'
import type { Hex } from 'viem'
import { type ApprovalProps, ApprovalScreen } from '../approval/ApprovalScreen.tsx'
import { ApprovalWindowScreen } from '../approval/ApprovalWindowScreen.tsx'
import { canVerifyVisibility } from '../approval/createGate.ts'
import type { FrameContext } from '../context.ts'
import { approvals } from '../locales/approvals.en.ts'
import type { Screen } from '../screens/screenQueue.ts'
import { readKnownAddresses, saveCounterparties } from './counterparties.ts'
import type { RpcRequest } from './createRequestQueue.ts'
import { prepareRequest } from './prepareRequest.ts'
import { sanitizeName } from './sanitizeName.ts'

/** A height that fits most requests; more scrolls inside. */
const height = 560

/**
 * Shows a request and executes it if the user approves. Throws USER_REJECTED, ABORTED, and the errors of preparing
 * and executing it.
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
    keys,
    signal,
    now: Date.now,
  })
  const view = { ...prepared.view, origin, ...(name && { claimedName: name }) }
  const proven = canVerifyVisibility(window as Window & typeof globalThis)
  const screen: Screen<ApprovalProps, unknown> = {
    view: 'approve',
    title: approvals.approve.title,
    load: async () => (proven ? ApprovalScreen : ApprovalWindowScreen),
    props: { view, approve },
    height,
  }
  let execution: Promise<unknown> | undefined
  let isOver = false
  // The request may outlive its screen, in a window of its own.
  async function approve() {
    if (isOver) throw new LatchkeyError('USER_REJECTED')
    execution ??= prepared.approve()
    return execution
  }
  const result = await screenQueue.show(screen, signal).catch((error: unknown) => {
    isOver = true
    // Closed after the approval: the request is being executed, and its result is the answer.
    if (execution && isError(error, 'USER_REJECTED')) return execution
    throw error
  })
  if (prepared.counterparties)
    await saveCounterparties(store, {
      account: eip155,
      chain,
      counterparties: prepared.counterparties,
    })
  return result
}
