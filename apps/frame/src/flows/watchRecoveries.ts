import { anySignal, listOperatorRecoveriesRoute } from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import { account } from '../locales/account.en.ts'
import { openTabChannel } from '../openTabChannel.ts'
import type { WarningProps } from '../screens/RecoveryWarning.tsx'
import { keysKey } from '../wallet/keyStore.ts'

const channelName = 'latchkey recoveries'
const everyMs = 30 * 60_000

/**
 * Shows the owner the recoveries that others have requested from the operator. Checks now, when the
 * page becomes visible, when another tab has news of them, and every half hour. It uses this
 * browser's key, so an attacker cannot hide recoveries by ending the owner's session. Each tab
 * shows them again only if the list has changed. A browser that has never held a wallet has no such
 * key, and does not check.
 */
export function watchRecoveries(
  {
    session,
    screenQueue,
    store,
    window,
  }: Pick<FrameContext, 'session' | 'screenQueue' | 'store' | 'window'>,
  closed: AbortSignal,
): void {
  const channel = openTabChannel(channelName)
  let known = ''
  let turns = 0
  let warning: AbortController | undefined
  const announce = () => {
    if (!closed.aborted) channel.postMessage('')
  }
  const ask = async (isNews: boolean) => {
    if (!(await store.get(keysKey))) return
    const turn = ++turns
    const call = { as: 'proof', signal: closed } as const
    const { recoveries } = await session.call(listOperatorRecoveriesRoute, {}, call)
    const waiting = recoveries.map(({ id }) => id).sort()
    // A later request may have been answered first.
    if (closed.aborted || turn !== turns || waiting.join() === known) return
    known = waiting.join()
    // News of another tab has reached all of them.
    if (!isNews) announce()
    warning?.abort()
    warning = undefined
    if (waiting.length > 0) await warn()
  }
  const warn = () => {
    const own = new AbortController()
    warning = own
    let isShown = false
    const onShown = () => {
      isShown = true
    }
    const onStopped = () => {
      // The screen stays open to show that the recovery was stopped.
      if (warning === own) warning = undefined
      known = ''
      announce()
    }
    const screen = {
      view: 'recovery',
      title: account.waiting.title,
      load: async () => (await import('../screens/RecoveryWarning.tsx')).RecoveryWarning,
      props: { session, onShown, onStopped },
    } as const
    return screenQueue
      .show<WarningProps, void>(screen, anySignal([closed, own.signal]))
      .finally(() => {
        // The user has not seen it: the next check shows it.
        if (!isShown && warning === own) known = ''
      })
  }
  // The server is unreachable now and the next check requests it again, or the owner closed the
  // warning.
  const look = (isNews = false) => void ask(isNews).catch(() => {})
  const lookIfVisible = () => window.document.visibilityState === 'visible' && look()
  channel.onmessage = () => look(true)
  const timer = setInterval(() => look(), everyMs)
  window.document.addEventListener('visibilitychange', lookIfVisible)
  closed.addEventListener('abort', () => {
    clearInterval(timer)
    window.document.removeEventListener('visibilitychange', lookIfVisible)
    channel.close()
  })
  look()
}
