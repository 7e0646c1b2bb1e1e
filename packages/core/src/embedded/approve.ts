import { isError, LatchkeyError } from '@latchkey/wire'
import type { App } from '../app.ts'
import { forceCloseModal, openModal } from '../modal/modal.ts'
import { goBack, pushView } from '../modal/navigate.ts'
import { showErrorToast } from '../modal/toast.ts'

/** How many requests may wait for an approval at the same time. */
const transactionsLimit = 20
/** How long to wait before showing that a method is not allowed. */
const refusalDelayMs = 300

const isOnTop = (app: App) =>
  app.store.getState().modal.history.at(-1)?.name === 'ApproveTransaction'

/**
 * Runs a request that needs the user's approval. Pushes it on the transaction stack and shows
 * ApproveTransaction, over the current view or alone. Success and error pop it; after the last
 * request, the modal closes or returns to its previous view. That view begins again, so a toast
 * says if the user has declined. If the wallet refuses to sign, shows the reason. Closing the
 * modal rejects all requests with ABORTED. Throws REQUEST_PENDING beyond the limit.
 */
export async function approveTransaction<T>(
  app: App,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { transactions } = app.runtime
  if (transactions.size >= transactionsLimit) throw new LatchkeyError('REQUEST_PENDING')
  const transaction = new AbortController()
  transactions.add(transaction)
  if (!app.store.getState().modal.open) openModal(app, { view: { name: 'ApproveTransaction' } })
  else if (!isOnTop(app)) pushView(app, { name: 'ApproveTransaction' })
  const leave = () => {
    const isWaiting = transactions.delete(transaction)
    if (isWaiting) leaveApproval(app)
    return isWaiting
  }
  try {
    return await ask(transaction.signal)
  } catch (error) {
    const isBack = leave() && app.store.getState().modal.open && !isOnTop(app)
    // If it were refused before it was shown, the modal would open and close without a message.
    if (isError(error, 'SIGNING_REFUSED') || (isBack && isError(error, 'USER_REJECTED')))
      showErrorToast(app, error)
    throw error
  } finally {
    leave()
  }
}

/** Leaves ApproveTransaction when no request waits for an approval. */
export function leaveApproval(app: App): void {
  if (app.runtime.transactions.size > 0 || !isOnTop(app)) return
  if (app.store.getState().modal.history.length > 1) goBack(app)
  else forceCloseModal(app)
}

/**
 * Rejects every request that waits for an approval; safe requests continue. The modal closes if it
 * waited for them.
 */
export function rejectTransactions(app: App): void {
  const { transactions, frame } = app.runtime
  if (transactions.size === 0) return
  const all = [...transactions]
  transactions.clear()
  frame?.then((opened) => opened.request('APP_RPC_ABORT', {})).catch(() => {})
  for (const transaction of all) transaction.abort()
  leaveApproval(app)
}

/**
 * Rejects a method that is not allowed: the modal opens, shows the reason after 300 ms, and the
 * pending requests are rejected.
 */
export async function refuseTransaction(app: App): Promise<never> {
  const { environment, store, signal } = app
  const error = new LatchkeyError('REQUEST_NOT_ALLOWED')
  environment.warn(error.message, undefined)
  if (!store.getState().modal.open) openModal(app)
  await environment.sleep(refusalDelayMs, signal)
  showErrorToast(app, new LatchkeyError('ACTION_NOT_ALLOWED'))
  rejectTransactions(app)
  throw error
}
