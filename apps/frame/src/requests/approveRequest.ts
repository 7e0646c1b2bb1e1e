import { isError, LatchkeyError, type WalletAddresses } from '@latchkey/wire'
import type { Hex } from 'viem'
import { canVerifyVisibility } from '../approval/createGate.ts'
import type { FrameContext } from '../context.ts'
import { fetchRisks } from '../flows/fetchRisks.ts'
import { postWithoutProof } from '../pages/postWithoutProof.ts'
import { addRisks, askEarly } from './addRisks.ts'
import type { PreparedRequest } from './approvalRequest.ts'
import type { CallsAccess } from './calls/callsAccess.ts'
import { readKnownAddresses, saveCounterparties } from './counterparties.ts'
import type { RpcRequest } from './createRequestQueue.ts'
import { createFetchDescription } from './descriptions/fetchDescription.ts'
import type { Prepare } from './loadPreparation.ts'
import { reviewRequest } from './reviewRequest.ts'
import { sanitizeName } from './sanitizeName.ts'
import { fetchSimulation } from './simulation/fetchSimulation.ts'

/**
 * Shows a request and executes it if the user approves. One that has changed meanwhile is shown
 * again. Throws USER_REJECTED, UPGRADE_REJECTED, ABORTED, and the errors of preparing and executing
 * it.
 */
export async function approveRequest(
  context: FrameContext,
  approval: {
    request: RpcRequest
    /** Of its kind. */
    prepare: Prepare
    calls: CallsAccess
    accounts: WalletAddresses
    origin: string
    claimedName: string | undefined
    signal: AbortSignal
  },
): Promise<unknown> {
  const { window, store, session, keys, screenQueue, read } = context
  const { request, prepare, calls, accounts, origin, claimedName, signal } = approval
  const { method, params, chain } = request
  const eip155 = accounts.eip155 as Hex
  const name = claimedName && sanitizeName(claimedName, 40)
  const asked = { origin, chain }
  const screen = loadScreen(window)
  // Awaited below.
  screen.catch(() => {})
  const early = askEarly(fetchRisks, { asked, params })
  // A screen that does not come holds up this request alone, not those that wait for their turn.
  const [found] = await Promise.all([
    prepare({
      method,
      params,
      origin,
      claimedName: name,
      chain,
      accounts: { ...accounts, eip155 },
      known: await readKnownAddresses(store, eip155, chain),
      read,
      // Only Solana's requests ask for them.
      fetchTokenClaims: async (...given) =>
        (await import('./solana/fetchTokenClaims.ts')).fetchTokenClaims(...given),
      fetchSimulation,
      post: postWithoutProof,
      projectId: context.facts.projectId,
      fetchDescription: createFetchDescription(),
      calls,
      keys,
      signal,
      now: Date.now,
    }),
    screen,
  ])
  const prepared = await addRisks(found, { asked, fetchRisks: early })
  const review = (one: PreparedRequest) =>
    reviewRequest(
      { screenQueue, session },
      {
        prepared: one,
        asker: { origin, ...(name && { claimedName: name }) },
        load: () => screen,
        // Its worker ends when it has nothing to do; by the end of the press it is there again.
        prepare: () => void keys.do('prepareSigning', {}).catch(() => {}),
        confirm: async () =>
          (await import('../flows/confirmUnlimited.ts')).confirmUnlimited(context, {
            origin,
            signal,
          }),
        signal,
      },
    )
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

/**
 * The screen of an approval: where the browser cannot vouch for what is visible, a window of ours
 * decides.
 */
export const loadScreen = async (window: Window) =>
  canVerifyVisibility(window as Window & typeof globalThis)
    ? (await import('../approval/ApprovalScreen.tsx')).ApprovalScreen
    : (await import('../approval/ApprovalWindowScreen.tsx')).ApprovalWindowScreen
