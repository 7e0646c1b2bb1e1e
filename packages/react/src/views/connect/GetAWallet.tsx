import { pushView, walletImageUrl } from '@latchkey/core/internal'
import { useApp } from '../../app/useApp.ts'
import { enDownloads } from '../../locales/enDownloads.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { Row, RowIcon } from '../../parts/Row.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import styles from '../view.module.css'
import { canConnect, canConnectAny } from './connectionMethods.ts'
import { OpenInWallet } from './OpenInWallet.tsx'
import { useRecommended } from './useRecommended.ts'

/** Recommended wallets to install, and the link to all. */
export function GetAWallet() {
  const app = useApp()
  const t = useT(enDownloads)
  const { list, hasFailed, isLoading, ask } = useRecommended({ enabled: true })
  if (hasFailed) {
    return (
      <EmptyState
        icon="alert"
        role="alert"
        title={t('getWallet.failed')}
        action={
          <Button variant="quiet" onClick={ask}>
            {t('action.tryAgain')}
          </Button>
        }
      />
    )
  }
  if (list && !canConnectAny(app, list.wallets)) return <OpenInWallet />
  const wallets = list?.wallets.filter((wallet) => canConnect(app, wallet))
  return (
    <div className={styles.column}>
      {isLoading && <SkeletonRows rows={4} label={t('connect.loading')} />}
      {wallets?.length === 0 ? (
        <p className={styles.intro}>{t('getWallet.none')}</p>
      ) : (
        <ul className={styles.list} aria-label={t('connect.list')}>
          {wallets?.map(({ id, name, image_id }) => (
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
      )}
      {app.config.wallets.all && (
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
