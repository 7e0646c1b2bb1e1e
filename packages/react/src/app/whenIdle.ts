/** What a browser tells of its connection; not all do. */
type Connection = { saveData?: boolean; effectiveType?: string }

/** Milliseconds after which a browser that does not tell when it is idle is taken to be. */
const ASSUMED_IDLE_MS = 500

/**
 * Calls `run` once the page has loaded and has nothing else to do; never where data is saved or the network is 2G.
 * Returns what cancels it.
 */
export function whenIdle(run: () => void, page: Window = window): () => void {
  let cancel = () => {}
  const runUnlessCostly = () => {
    const { connection } = page.navigator as Navigator & { connection?: Connection }
    if (!connection?.saveData && !/2g$/.test(connection?.effectiveType ?? '')) run()
  }
  const wait = () => {
    // Safari cannot tell.
    if (!page.requestIdleCallback) {
      const timer = page.setTimeout(runUnlessCostly, ASSUMED_IDLE_MS)
      cancel = () => page.clearTimeout(timer)
      return
    }
    const handle = page.requestIdleCallback(runUnlessCostly)
    cancel = () => page.cancelIdleCallback(handle)
  }
  if (page.document.readyState === 'complete') wait()
  else page.addEventListener('load', wait, { once: true })
  return () => {
    page.removeEventListener('load', wait)
    cancel()
  }
}
