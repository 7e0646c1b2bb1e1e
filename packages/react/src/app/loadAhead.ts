/** The browser's connection information, which not all browsers have. */
type Connection = { saveData?: boolean; effectiveType?: string }

/** How long to wait for idle time in a browser without `requestIdleCallback`. */
const ASSUMED_IDLE_MS = 500

/**
 * Loads code once the page has loaded and is idle; never if data saving is on or the network is 2G.
 * Failed code is loaded again when it is needed. Returns a function that cancels it.
 */
export function loadAhead(load: () => Promise<unknown>, page: Window = window): () => void {
  let cancel = () => {}
  const runUnlessCostly = () => {
    const { connection } = page.navigator as Navigator & { connection?: Connection }
    if (connection?.saveData || /2g$/.test(connection?.effectiveType ?? '')) return
    void load().catch(() => {})
  }
  const wait = () => {
    // Safari has no requestIdleCallback.
    const handle =
      page.requestIdleCallback?.(runUnlessCostly) ??
      page.setTimeout(runUnlessCostly, ASSUMED_IDLE_MS)
    cancel = () =>
      page.cancelIdleCallback ? page.cancelIdleCallback(handle) : page.clearTimeout(handle)
  }
  if (page.document.readyState === 'complete') wait()
  else page.addEventListener('load', wait, { once: true })
  return () => {
    page.removeEventListener('load', wait)
    cancel()
  }
}
