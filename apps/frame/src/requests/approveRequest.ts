import { isError, LatchkeyError, type WalletAddresses } from '@latchkey/wire'
import type { Hex } from 'viem'
import { type ApprovalProps, ApprovalScreen } from '../approval/ApprovalScreen.tsx'
import { ApprovalDoor } from '../approval/ApprovalWindowScreen.tsx'
import { canProveVisible } from '../approval/createGate.ts'
import type { Parts } from '../handlers/createHandlers.ts'
import { approvals } from '../locales/approvals.en.ts'
import type { Screen } from '../screens/screenQueue.ts'
import { readKnown, rememberDealt } from './counterparties.ts'
import type { RpcRequest } from './createRequestQueue.ts'
import { prepare } from './prepareRequest.ts'
import { showName } from './sanitizeText.ts'

/** Height that fits most of what is asked; more scrolls inside. */
const height = 560

/** Shows what is asked and does it when a person approves. Throws USER_REJECTED, ABORTED and what preparing and doing throw. */
export async function approveRequest(
  { window, store, keys, stage, read }: Parts,
  asked: {
    request: RpcRequest
    accounts: WalletAddresses
    origin: string
    claimedName: string | undefined
    signal: AbortSignal
  },
): Promise<unknown> {
  const { request, accounts, origin, claimedName, signal } = asked
  const { method, params, chain } = request
  const eip155 = accounts.eip155 as Hex
  const name = claimedName && showName(claimedName, 40)
  const prepared = await prepare({
    method,
    params,
    origin,
    claimedName: name,
    chain,
    accounts: { ...accounts, eip155 },
    known: await readKnown(store, eip155, chain),
    read,
    keys,
    signal,
    now: Date.now,
  })
  const view = { ...prepared.view, origin, ...(name && { claimedName: name }) }
  const proven = canProveVisible(window as Window & typeof globalThis)
  const screen: Screen<ApprovalProps, unknown> = {
    view: 'approve',
    title: approvals.approve.title,
    load: async () => (proven ? ApprovalScreen : ApprovalDoor),
    props: { view, approve },
    height,
  }
  let given: Promise<unknown> | undefined
  let isOver = false
  // What shows it may outlive it, as a window of its own.
  async function approve() {
    if (isOver) throw new LatchkeyError('USER_REJECTED')
    given ??= prepared.approve()
    return given
  }
  const result = await stage.show(screen, signal).catch((error: unknown) => {
    isOver = true
    // Closed after it was approved: it is being done, and how that ends is the answer.
    if (given && isError(error, 'USER_REJECTED')) return given
    throw error
  })
  if (prepared.dealt) await rememberDealt(store, { account: eip155, chain, dealt: prepared.dealt })
  return result
}
