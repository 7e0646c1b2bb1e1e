import { listOperatorRecoveries } from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import { account } from '../locales/account.en.ts'
import type { WarningProps } from '../screens/RecoveryWarning.tsx'

const channelName = 'latchkey recoveries'
const everyMs = 30 * 60_000

/**
 * Shows the owner the recoveries that others have requested from the operator: now, when the page is looked at, when another tab has news
 * of them, and every half hour. It uses the key of this browser, so nobody can hide them by ending the owner's session. Each tab shows a
 * recovery once, until it is stopped in any of them.
 */
export function watchRecoveries(
  { session, screenQueue, window }: Pick<FrameContext, 'session' | 'screenQueue' | 'window'>,
  closed: AbortSignal,
): void {
  const channel = new BroadcastChannel(channelName)
  let known = ''
  let warning: AbortController | undefined
  const announce = () => {
    if (!closed.aborted) channel.postMessage('')
  }
  const ask = async () => {
    const call = { as: 'proof', signal: closed } as const
    const { recoveries } = await session.call(listOperatorRecoveries, {}, call)
    const waiting = recoveries.map(({ id }) => id).sort()
    if (closed.aborted || waiting.join() === known) return
    known = waiting.join()
    announce()
    warning?.abort()
    warning = undefined
    if (waiting.length > 0) await warn()
  }
  const warn = () => {
    const own = new AbortController()
    warning = own
    const onStopped = () => {
      // It stays, and says so.
      if (warning === own) warning = undefined
      known = ''
      announce()
    }
    return screenQueue.show<WarningProps, void>(
      {
        view: 'recovery',
        title: account.waiting.title,
        load: async () => (await import('../screens/RecoveryWarning.tsx')).RecoveryWarning,
        props: { session, onStopped },
      },
      AbortSignal.any([closed, own.signal]),
    )
  }
  // The server cannot be reached now and will be asked again, or the owner closed the warning.
  const look = () => void ask().catch(() => {})
  const lookIfVisible = () => window.document.visibilityState === 'visible' && look()
  channel.onmessage = look
  const timer = setInterval(look, everyMs)
  window.document.addEventListener('visibilitychange', lookIfVisible)
  closed.addEventListener('abort', () => {
    clearInterval(timer)
    window.document.removeEventListener('visibilitychange', lookIfVisible)
    channel.close()
  })
  look()
}
