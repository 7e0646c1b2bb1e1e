import { getPlatform, hasWalletRelay, walletImageUrl } from '@latchkey/core/internal'
import type { DirectoryWallet } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { getQueryClient, walletQuery } from '../../app/queries/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { enDownloads } from '../../locales/enDownloads.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Icon, type IconName } from '../../parts/Icon.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { LinkRow, RowIcon } from '../../parts/Row.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import styles from '../view.module.css'
import type { ViewProps } from '../viewProps.ts'
import { canConnect, isOnPhones } from './connectionMethods.ts'

/** Where to get a wallet that is not in this browser. */
export function Downloads({ view }: ViewProps<'Downloads'>) {
  const app = useApp()
  const t = useT(enDownloads)
  const {
    data: wallet,
    isPending,
    isError,
    refetch,
  } = useQuery(walletQuery(app, view), getQueryClient(app))
  if (isPending) return <SkeletonRows rows={4} label={t('shell.loading')} />
  if (isError || wallet === null) {
    return (
      <EmptyState
        icon="alert"
        role="alert"
        title={t('downloads.failed')}
        action={
          <Button variant="quiet" onClick={() => refetch()}>
            {t('action.tryAgain')}
          </Button>
        }
      />
    )
  }
  const places = getDownloadLinks(wallet, getPlatform({ page: app.environment.page }))
  const { name } = wallet
  const isUnreached = !canConnect(app, wallet)
  const advice = isUnreached
    ? wallet.chrome_store && t('downloads.onComputer')
    : places.length > 0
      ? t('downloads.intro', { name })
      : t('downloads.none')
  return (
    <div className={styles.column}>
      <div className={styles.hero}>
        <Picture src={walletImageUrl(app, wallet.image_id)} name={name} size={80} />
        <h3>{t('downloads.title', { name })}</h3>
        {(isUnreached || (!hasWalletRelay(app) && isOnPhones(wallet))) && (
          <p>{t('downloads.noRelay', { name })}</p>
        )}
        {advice && <p>{advice}</p>}
      </div>
      {places.map(({ key, icon, href }) => (
        <LinkRow
          key={key}
          href={href}
          start={<RowIcon name={icon} />}
          label={t(key)}
          end={<Icon name="external" size={16} />}
          aria-label={t('downloads.newTab', { label: t(key) })}
        />
      ))}
    </div>
  )
}

type DownloadLink = {
  key: `downloads.${'chrome' | 'ios' | 'android' | 'website' | 'webapp'}`
  icon: IconName
  href: string
}

/**
 * The places for this device. Only web addresses, so that the directory's data cannot run anything.
 */
function getDownloadLinks(
  wallet: DirectoryWallet,
  { isPhone, isIos, isAndroid }: ReturnType<typeof getPlatform>,
): DownloadLink[] {
  const places: (Omit<DownloadLink, 'href'> & { href: string | null | undefined })[] = [
    { key: 'downloads.chrome', icon: 'download', href: isPhone ? null : wallet.chrome_store },
    { key: 'downloads.ios', icon: 'phone', href: isAndroid ? null : wallet.app_store },
    { key: 'downloads.android', icon: 'phone', href: isIos ? null : wallet.play_store },
    { key: 'downloads.webapp', icon: 'wallet', href: wallet.webapp_link },
    { key: 'downloads.website', icon: 'globe', href: wallet.homepage },
  ]
  return places.filter((place): place is DownloadLink => /^https:\/\//i.test(place.href ?? ''))
}
