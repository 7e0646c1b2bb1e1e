import { cancelOperatorRecoveryRoute, listOperatorRecoveriesRoute } from '@latchkey/wire'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { LoginSession } from '../../auth/loginSession.ts'
import { account } from '../../locales/account.en.ts'
import { fill } from '../../locales/en.ts'
import { GuardedButton } from './GuardedButton.tsx'
import { useWork } from './useWork.ts'

const t = account.waiting
const pollMs = 10_000
type Recovery = { id: string; name: string; readyAtMs: number }

/**
 * Lists the recoveries that wait for the operator, and lets the user stop them. Both use only this
 * browser's key, because a session may have ended. Renders nothing if no recovery waits.
 */
export function WaitingRecoveries({
  session,
  onStopped,
}: {
  session: LoginSession
  onStopped?: () => void
}) {
  const [recoveries, setRecoveries] = useState<readonly Recovery[]>([])
  const [stopped, setStopped] = useState(false)
  const { busy, problem, run } = useWork()
  const card = useRef<HTMLElement>(null)
  const load = useCallback(
    () =>
      session.call(listOperatorRecoveriesRoute, {}, { as: 'proof' }).then(
        ({ recoveries: found }) => setRecoveries(found),
        // The surrounding page reports connection problems.
        () => {},
      ),
    [session],
  )
  useEffect(() => {
    void load()
    const timer = setInterval(load, pollMs)
    return () => clearInterval(timer)
  }, [load])
  const stop = () =>
    run(async () => {
      // Stopping one stops all recoveries of that wallet; a browser may hold several wallets.
      for (const { id } of recoveries)
        await session.call(cancelOperatorRecoveryRoute, { id }, { as: 'proof' })
      setRecoveries([])
      setStopped(true)
      onStopped?.()
    })
  const [first] = recoveries
  const style = { dateStyle: 'medium', timeStyle: 'short' } as const
  if (!first)
    return stopped ? (
      <p className="notice" role="status">
        {t.stopped}
      </p>
    ) : null
  return (
    <section className="card" ref={card} aria-label={t.title}>
      <p className="strong">{t.title}</p>
      {recoveries.map(({ id, name }) => (
        <p key={id}>
          <bdi>{name}</bdi>
        </p>
      ))}
      <p>{fill(t.opens, { when: new Date(first.readyAtMs).toLocaleString([], style) })}</p>
      <p className="small quiet">{t.hint}</p>
      <p className="line" role="status" data-level="danger">
        {problem}
      </p>
      <GuardedButton about={card} kind="danger" busy={busy} onPress={stop}>
        {t.stop}
      </GuardedButton>
    </section>
  )
}
