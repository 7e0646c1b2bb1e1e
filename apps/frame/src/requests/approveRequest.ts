import { isError, LatchkeyError, type WalletAddresses } from '@latchkey/wire'
import type { Hex } from 'viem'
import { canVerifyVisibility } from '../approval/createVisibilityGuard.ts'
import type { FrameContext } from '../context.ts'
import { fetchRisks } from '../flows/fetchRisks.ts'
import { postWithoutProof } from '../pages/postWithoutProof.ts'
import { addRisks, prefetchRisks } from './addRisks.ts'
import type { PreparedApproval } from './approvalRequest.ts'
import type { CallsAccess } from './calls/callsAccess.ts'
import { readCounterpartyAddresses, saveCounterparties } from './counterparties.ts'
import type { QueuedRequest } from './createRequestQueue.ts'
import { createFetchDescription } from './descriptions/fetchDescription.ts'
import type { Prepare } from './loadPreparation.ts'
import { reviewRequest } from './reviewRequest.ts'
import { sanitizeName } from './sanitizeName.ts'
import { fetchSimulation } from './simulation/fetchSimulation.ts'

/**
 * Shows a request and executes it if the user approves. A request that has changed in the meantime
 * is shown again. Throws USER_REJECTED, UPGRADE_REJECTED, ABORTED, and the errors of preparing and
 * executing it.
 */
export async function approveRequest(
  context: FrameContext,
  approval: {
    request: QueuedRequest
    /** Prepares requests of this kind. */
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
  // The promise is awaited below.
  screen.catch(() => {})
  const early = prefetchRisks(fetchRisks, { asked, params })
  // If the screen never loads, only this request waits, not the requests that are queued behind it.
  const [found] = await Promise.all([
    prepare({
      method,
      params,
      origin,
      claimedName: name,
      chain,
      accounts: { ...accounts, eip155 },
      known: await readCounterpartyAddresses(store, eip155, chain),
      read,
      // Only Solana requests use these.
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
  const review = (one: PreparedApproval) =>
    reviewRequest(
      { screenQueue, session },
      {
        prepared: one,
        asker: { origin, ...(name && { claimedName: name }) },
        load: () => screen,
        // The key worker stops when idle. This starts it again before the user's press has ended.
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
 * Loads the screen of an approval. If the browser cannot guarantee visibility, a popup asks the
 * user instead.
 */
export const loadScreen = async (window: Window) =>
  canVerifyVisibility(window as Window & typeof globalThis)
    ? (await import('../approval/ApprovalScreen.tsx')).ApprovalScreen
    : (await import('../approval/ApprovalWindowScreen.tsx')).ApprovalWindowScreen
