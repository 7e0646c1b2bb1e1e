import { listOperatorRecoveries } from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import { account } from '../locales/account.en.ts'
import type { WarningProps } from '../screens/RecoveryWarning.tsx'

const seenKey = 'recoveries seen'
const everyMs = 30 * 60_000

/**
 * Shows the owner the recoveries that others have requested from the operator, now and every half hour. It uses the
 * key of this browser, so nobody can hide them by ending the owner's session. A recovery that the owner has seen is
 * not shown again unasked.
 */
export function watchRecoveries(
  context: Pick<FrameContext, 'session' | 'screenQueue' | 'store'>,
  closed: AbortSignal,
): void {
  const look = () => void warn(context, closed).catch(() => {})
  const timer = setInterval(look, everyMs)
  closed.addEventListener('abort', () => clearInterval(timer))
  look()
}

async function warn(
  { session, screenQueue, store }: Pick<FrameContext, 'session' | 'screenQueue' | 'store'>,
  signal: AbortSignal,
): Promise<void> {
  const { recoveries } = await session.call(listOperatorRecoveries, {}, { as: 'proof', signal })
  const ids = recoveries.map(({ id }) => id).sort()
  if (ids.length === 0 || (await store.get(seenKey)) === ids.join()) return
  await screenQueue.show<WarningProps, void>(
    {
      view: 'recovery',
      title: account.waiting.title,
      load: async () => (await import('../screens/RecoveryWarning.tsx')).RecoveryWarning,
      props: { session },
    },
    signal,
  )
  await store.put(seenKey, ids.join())
}
