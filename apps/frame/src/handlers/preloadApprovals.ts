/** What some browsers tell of the connection. */
type Connection = { saveData?: boolean; effectiveType?: string }

/** Milliseconds after which a browser that does not tell counts as idle. */
const assumedIdleMs = 500

/**
 * Loads the code of approvals once the browser is idle, so that the first one does not wait for it.
 * Not where data is dear.
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
      // An approval that needs what did not load says so.
    ]).catch(() => {})
  // Safari has no requestIdleCallback.
  if (window.requestIdleCallback) window.requestIdleCallback(load)
  else setTimeout(load, assumedIdleMs)
}
