import { pushView, walletImageUrl } from '@latchkey/core'
import { useQuery } from '@tanstack/react-query'
import { getQueryClient, recommendedQuery } from '../../app/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { enDownloads } from '../../locales/enDownloads.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Notice } from '../../parts/Notice.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { Row, RowIcon } from '../../parts/Row.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import styles from '../view.module.css'

/** Recommended wallets to install, and the link to all. */
export function GetAWallet() {
  const app = useApp()
  const t = useT(enDownloads)
  const { data, isError, isLoading, refetch } = useQuery(recommendedQuery(app), getQueryClient(app))
  if (isError) {
    return (
      <Notice
        icon="alert"
        role="alert"
        title={t('getWallet.failed')}
        action={
          <Button look="quiet" onClick={() => refetch()}>
            {t('action.tryAgain')}
          </Button>
        }
      />
    )
  }
  return (
    <div className={styles.column}>
      {isLoading && <SkeletonRows rows={4} label={t('connect.loading')} />}
      <ul className={styles.list} aria-label={t('connect.list')}>
        {data?.wallets.map(({ id, name, image_id }) => (
          <li key={id}>
            <Row
              start={<Picture src={walletImageUrl(app, image_id)} name={name} />}
              label={name}
              end={<Icon name="forward" size={16} />}
              onClick={() => pushView(app, { name: 'Downloads', walletId: id })}
            />
          </li>
        ))}
      </ul>
      {app.config.features.allWallets && (
        <Row
          start={<RowIcon name="grid" />}
          label={t('getWallet.explore')}
          end={<Icon name="forward" size={16} />}
          onClick={() => pushView(app, { name: 'AllWallets' })}
        />
      )}
    </div>
  )
}
