/** The Network Information API, which only some browsers have. */
type Connection = { saveData?: boolean; effectiveType?: string }

/** Delay after which a browser without `requestIdleCallback` counts as idle. */
const assumedIdleMs = 500

/**
 * Loads the code of approvals once the browser is idle, so that the first approval does not wait
 * for it. Skipped if data is expensive.
 */
export function preloadApprovals(window: Window): void {
  const { connection } = window.navigator as Navigator & { connection?: Connection }
  // Browsers remember a file that they could not load.
  if (
    !window.navigator.onLine ||
    connection?.saveData ||
    /2g$/.test(connection?.effectiveType ?? '')
  )
    return
  const load = () =>
    void Promise.all([
      import('../screens/renderScreens.tsx'),
      import('../requests/approveRequest.ts').then(({ loadScreen }) => loadScreen(window)),
      import('../requests/evm/prepareTransaction.ts'),
      import('../requests/calls/prepareSponsored.ts'),
      // An approval reports the error itself if it needs a part that did not load.
    ]).catch(() => {})
  // Safari has no requestIdleCallback.
  if (window.requestIdleCallback) window.requestIdleCallback(load)
  else setTimeout(load, assumedIdleMs)
}
