import { showView } from '@latchkey/core/internal'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { loadAhead } from '../../app/loadAhead.ts'
import { ownNamesQuery } from '../../app/queries/nameQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useProfile } from '../../hooks/useProfile.ts'
import { enNames } from '../../locales/enNames.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { ProfilePicture } from '../../parts/ProfilePicture.tsx'
import { Row, Tag } from '../../parts/Row.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import styles from '../view.module.css'

/** The views that follow. */
const loadNext = () =>
  Promise.all([
    import('./NameDetail.tsx'),
    import('./RegisterAccountName.tsx'),
    import('./RegisterAccountNameSuccess.tsx'),
  ])

/** The names that the account owns. */
export function Names() {
  const app = useApp()
  const t = useT(enNames)
  const { address } = useAccount()
  const profile = useProfile()
  const query = useQuery(ownNamesQuery(app, { address }), getQueryClient(app))
  useEffect(() => loadAhead(loadNext), [])
  if (address === undefined) return <EmptyState icon="wallet" title={t('account.gone')} />
  const choose = (
    <Button onClick={() => showView(app, { name: 'RegisterAccountName' })}>{t('names.new')}</Button>
  )
  if (query.data === undefined) {
    if (!query.isError) return <SkeletonRows rows={2} label={t('shell.loading')} />
    return (
      <EmptyState
        icon="alert"
        role="alert"
        title={t('names.failed')}
        action={<Button onClick={() => query.refetch()}>{t('action.tryAgain')}</Button>}
      />
    )
  }
  if (query.data.length === 0) {
    return (
      <EmptyState icon="tag" title={t('names.none')} action={choose}>
        {t('names.intro')}
      </EmptyState>
    )
  }
  return (
    <div className={styles.column}>
      {query.data.map((own) => (
        <Row
          key={own.name}
          start={<ProfilePicture address={address} size={40} />}
          label={<bdi translate="no">{own.name}</bdi>}
          detail={own.name === profile.name ? <Tag tone="accent">{t('names.shown')}</Tag> : own.bio}
          end={<Icon name="forward" />}
          onClick={() => showView(app, { name: 'NameDetail', accountName: own.name })}
        />
      ))}
      <div className={styles.act}>{choose}</div>
    </div>
  )
}
