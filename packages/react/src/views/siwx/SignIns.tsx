import { endSignIn, getSignIns, openModal, type SignIn, showToast } from '@latchkey/core/internal'
import { canParseUrl, isError } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLatchkey } from '../../app/context.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { enSignIns } from '../../locales/enSignIns.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailedState } from '../../parts/FailedState.tsx'
import { FactRow, Tag } from '../../parts/Row.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import styles from '../view.module.css'
import own from './SignIns.module.css'

/** The account's sign-ins at our server, with sign-out. */
export function SignIns() {
  const app = useApp()
  const getMessage = useErrorMessage()
  const t = useT(enSignIns)
  const { caipAddress } = useAccount()
  const sessions = useAppState((state) => state.sessions)
  const query = useQuery(
    {
      queryKey: [
        'latchkey',
        'signIns',
        caipAddress,
        Object.values(sessions).map((one) => one?.token),
      ],
      queryFn: () => getSignIns(app),
      retry: false,
      gcTime: 0,
    },
    getQueryClient(app),
  )
  const signIn = () =>
    openModal(app, {
      view: { name: 'SIWXSignMessage', isRequired: app.config.siwx?.required !== false },
    })
  const [ending, setEnding] = useState<readonly string[]>([])
  const end = async (signIns: readonly SignIn[]) => {
    setEnding(signIns.map(({ id }) => id))
    const results = await Promise.allSettled(signIns.map((one) => endSignIn(app, one)))
    const isDone = results.every(({ status }) => status === 'fulfilled')
    if (isDone) showToast(app, { message: t('signIns.ended'), variant: 'success' })
    else showToast(app, { message: t('signIns.endFailed'), variant: 'error' })
    await query.refetch()
    setEnding([])
  }
  if (isError(query.error, 'SIGNED_OUT'))
    return (
      <EmptyState
        icon="key"
        title={t('signIns.none')}
        action={<Button onClick={signIn}>{t('siwx.title')}</Button>}
      />
    )
  if (query.isError && query.data === undefined)
    return (
      <FailedState title={t('signIns.failed')} retry={() => query.refetch()}>
        {getMessage(query.error)}
      </FailedState>
    )
  if (query.data === undefined) return <SkeletonRows rows={3} label={t('shell.loading')} />
  const others = query.data.filter(({ isCurrent }) => !isCurrent)
  return (
    <div className={styles.column}>
      <p className={own.intro}>{t('signIns.intro')}</p>
      <ul className={own.list} aria-label={t('siwx.signIns')}>
        {query.data.map((one) => (
          <li key={one.id} className={own.item}>
            <SignInRow
              signIn={one}
              isBusy={ending.includes(one.id)}
              onEnd={ending.length > 0 ? undefined : () => end([one])}
            />
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <Button
          variant="danger"
          icon="disconnect"
          busy={ending.length > 0}
          onClick={() => end(others)}
        >
          {t(ending.length > 0 ? 'signIns.ending' : 'signIns.endOthers')}
        </Button>
      )}
    </div>
  )
}

function SignInRow({
  signIn: { origin, createdAt, expiresAt, isCurrent },
  isBusy,
  onEnd,
}: {
  signIn: SignIn
  isBusy: boolean
  onEnd: (() => void) | undefined
}) {
  const t = useT(enSignIns)
  const { locale } = useLatchkey()
  const since = new Date(createdAt).toLocaleString(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
  })
  const until = new Date(expiresAt).toLocaleDateString(locale, { dateStyle: 'medium' })
  const site = canParseUrl(origin) ? new URL(origin).host : origin
  return (
    <>
      <FactRow
        label={<bdi translate="no">{site}</bdi>}
        detail={
          <span className={own.facts}>
            {isCurrent && <Tag>{t('signIns.here')}</Tag>}
            <span>{t('signIns.since', { date: since })}</span>
            <span>{t('signIns.until', { date: until })}</span>
          </span>
        }
      />
      <Button
        variant="quiet"
        busy={isBusy}
        aria-label={t('signIns.endOf', { site, date: since })}
        aria-disabled={!onEnd}
        onClick={onEnd}
      >
        {t('signIns.end')}
      </Button>
    </>
  )
}
