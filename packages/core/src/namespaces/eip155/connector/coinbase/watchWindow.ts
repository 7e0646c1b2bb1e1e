import { LatchkeyError } from '@latchkey/wire'

/** How often to check whether the window is still open. */
const lookMs = 500

/** The time within which the SDK's own promises settle. */
const hushMs = 1_000

const reasons = {
  blocked:
    'Your browser blocked the window of the wallet. Allow this page to open it, then try again',
  closed: 'The window of the wallet was closed before it answered. Try again',
} as const

/**
 * Replaces a blocked popup for the SDK, which would otherwise show its own hint below the modal.
 */
const noWindow = { closed: true, focus() {}, close() {}, postMessage() {} }

/**
 * Watches the popup that the SDK opens for a request, because the SDK itself waits forever if the
 * popup was blocked, or closed before it had loaded. The SDK opens it synchronously, so
 * `window.open` is replaced only during the call. `opened` is a window that the click has already
 * opened for the SDK. Throws WALLET_NOT_READY with what to do.
 */
export function createWindowWatch(parameters: {
  origin: string
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}): <Answer>(ask: () => Promise<Answer>, opened: Window | null) => Promise<Answer> {
  const { origin, sleep } = parameters
  /** The SDK's window, which it reuses while the window is open. */
  let shown: Window | null = null

  return async (ask, opened) => {
    if (shown?.closed) shown = null
    const open = window.open
    let missing: keyof typeof reasons | undefined
    window.open = (url, target, features) => {
      shown = opened ?? open.call(window, url, target, features)
      missing = shown === null ? 'blocked' : shown.closed ? 'closed' : undefined
      if (missing) shown = null
      else if (opened) opened.location.href = String(url)
      return shown ?? (noWindow as unknown as Window)
    }
    const answer = start(ask, () => {
      window.open = open
    })
    if (opened !== shown) opened?.close()
    const done = new AbortController()
    const problem = missing
      ? sleep(0).then(() => missing)
      : shown && waitUntilClosed(shown, { sleep, signal: done.signal })
    try {
      return await (problem ? Promise.race([answer, problem.then(fail)]) : answer)
    } finally {
      done.abort()
    }
  }

  async function fail(reason: 'blocked' | 'closed' | undefined): Promise<never> {
    // Aborted, because the result has arrived.
    if (!reason) return new Promise<never>(() => {})
    endRequests(origin)
    throw new LatchkeyError('WALLET_NOT_READY', { data: { reason: reasons[reason] } })
  }
}

function start<Answer>(ask: () => Promise<Answer>, after: () => void): Promise<Answer> {
  try {
    const answer = ask()
    answer.catch(() => {})
    return answer
  } finally {
    after()
  }
}

async function waitUntilClosed(
  shown: Window,
  {
    sleep,
    signal,
  }: { sleep: (ms: number, signal?: AbortSignal) => Promise<void>; signal: AbortSignal },
): Promise<'closed' | undefined> {
  while (!shown.closed && !signal.aborted) await sleep(lookMs, signal)
  // A result that arrived just before may still be processed.
  await sleep(lookMs, signal)
  return signal.aborted ? undefined : 'closed'
}

/**
 * Sends the SDK the message that the page in its window sends on closing, so that no part of this
 * request goes to the next window.
 */
function endRequests(origin: string) {
  // The SDK does not handle the rejection of an internal promise.
  const hush = (event: PromiseRejectionEvent) => {
    if ((event.reason as { code?: unknown } | undefined)?.code !== 4001) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  window.addEventListener('unhandledrejection', hush, { capture: true })
  const stop = () => window.removeEventListener('unhandledrejection', hush, { capture: true })
  setTimeout(stop, hushMs)
  window.dispatchEvent(new MessageEvent('message', { origin, data: { event: 'PopupUnload' } }))
}
