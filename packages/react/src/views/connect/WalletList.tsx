import {
  type ConnectorInfo,
  getCustomWallets,
  getPlatform,
  pushView,
  walletImageUrl,
} from '@latchkey/core/internal'
import { memo, useMemo } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useT } from '../../locales/useT.ts'
import { useOpened } from '../../modal/useColumns.ts'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { Row, RowIcon, Tag } from '../../parts/Row.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import styles from '../view.module.css'
import {
  askConnectors,
  canConnect,
  canConnectAny,
  chooseWallet,
  getConnectionMethods,
  getWantedNamespace,
  methodTags,
} from './connectionMethods.ts'
import { OpenInWallet } from './OpenInWallet.tsx'
import { useRecommended } from './useRecommended.ts'
import { getRowKey, opensView, type WalletListRow, walletRows } from './walletRows.ts'

/** The number of placeholder rows while the directory loads. */
const WAITING_ROWS = 4

/** The wallets in their groups, then the link to all. */
export function WalletList({ disabled }: { disabled: boolean }) {
  const app = useApp()
  const t = useT()
  const { order, featuredIds, all: hasDirectory } = app.config.wallets
  const all = useAppState((state) => state.connectors)
  const wantedNamespace = useAppState(getWantedNamespace)
  const { isPhone } = getPlatform({ page: app.environment.page })
  const connectors = useMemo(
    () =>
      all
        .filter(({ namespaces }) => !wantedNamespace || namespaces.includes(wantedNamespace))
        // Another browser helps on a computer only.
        .filter(({ traits }) => !isPhone || !traits?.lacks),
    [all, wantedNamespace, isPhone],
  )
  const recent = useAppState((state) => state.recentWallets)
  // While the list is drawn ahead of the click, it makes no requests.
  const isOpen = useAppState((state) => state.modal.open)
  const { list, hasFailed, isLoading, ask } = useRecommended({ enabled: isOpen })
  const rows = useMemo(
    () =>
      walletRows({
        connectors,
        recent,
        wallets: list?.wallets ?? [],
        custom: getCustomWallets(app),
        featuredIds,
        order,
        canConnect: (wallet) => canConnect(app, wallet),
      }),
    [app, connectors, recent, list, featuredIds, order],
  )
  const opened = useOpened()
  const hasAny = !list || canConnectAny(app, list.wallets)
  const isEmpty = rows.length === 0 && !isLoading
  const isUnreached = !hasAny && rows.every(({ kind }) => kind === 'code')

  return (
    <>
      <ul className={styles.list} aria-label={t('connect.list')}>
        {rows.map((row) => (
          <li key={getRowKey(row)}>
            <Wallet row={row} isCurrent={opensView(row, opened)} disabled={disabled} />
          </li>
        ))}
      </ul>
      {isLoading && <SkeletonRows rows={WAITING_ROWS} label={t('connect.loading')} />}
      {isUnreached && !hasFailed && <OpenInWallet />}
      {isEmpty && !isUnreached && !hasFailed && (
        <EmptyState
          icon="wallet"
          title={t('connect.emptyTitle')}
          action={
            <Button variant="quiet" onClick={() => pushView(app, { name: 'GetAWallet' })}>
              {t('action.getWallet')}
            </Button>
          }
        >
          {t('connect.emptyHint')}
        </EmptyState>
      )}
      {hasFailed && (
        <div className={styles.inlineError} role="alert">
          <span>{t('connect.directoryFailed')}</span>
          <Button variant="text" onClick={ask}>
            {t('action.tryAgain')}
          </Button>
        </div>
      )}
      {hasDirectory && !hasFailed && hasAny && (list?.count ?? 1) > 0 && (
        <Row
          start={<RowIcon name="grid" />}
          label={t('connect.allWallets')}
          // On a phone, only some of them can be connected.
          end={list && !isPhone && <Tag>{t('connect.allWalletsCount', { count: list.count })}</Tag>}
          disabled={disabled}
          aria-current={opened?.name === 'AllWallets' || undefined}
          onClick={() => pushView(app, { name: 'AllWallets' })}
        />
      )}
    </>
  )
}

/** The tag of a wallet that has its own connector. A connector written by the app has no tag. */
function getHereTag({ traits = {} }: ConnectorInfo) {
  if (!traits.isExternal) return 'tag.installed'
  if (traits.isDevice) return 'tag.device'
  if (traits.collectsConfirmations) return 'tag.safe'
  return traits.opensWindow ? 'tag.window' : undefined
}

/** Loads the next view's code while a pointer or the focus is on its row. */
const prefetchHandlers = { onPointerEnter: prefetchPairing, onFocus: prefetchPairing }

const Wallet = memo(function Wallet({
  row,
  isCurrent,
  disabled,
}: {
  row: WalletListRow
  isCurrent: boolean
  disabled: boolean
}) {
  const app = useApp()
  const t = useT()
  // Users cannot scan the phone that they hold, so the row leads to wallets to open.
  const { isPhone } = getPlatform({ page: app.environment.page })
  const state = { disabled, 'aria-current': isCurrent || undefined }
  const pairingTag = isPhone ? 'tag.app' : 'tag.code'
  if (row.kind === 'code') {
    return (
      <Row
        start={<RowIcon name="qr" />}
        label={row.info.name}
        end={<Tag>{t(pairingTag)}</Tag>}
        {...state}
        {...prefetchHandlers}
        onClick={() => pushView(app, { name: 'ConnectingWalletConnectBasic' })}
      />
    )
  }
  if (row.kind === 'remote') {
    const { name, iconUrl, walletId } = row.wallet
    return (
      <Row
        start={<Picture src={iconUrl} name={name} />}
        label={name}
        end={<Tag tone="accent">{t('tag.recent')}</Tag>}
        {...state}
        {...prefetchHandlers}
        onClick={() => pushView(app, { name: 'ConnectingWalletConnect', walletId })}
      />
    )
  }
  if (row.kind === 'directory') {
    const { name, image_id } = row.wallet
    const [method] = getConnectionMethods(app, row.wallet)
    return (
      <Row
        start={<Picture src={walletImageUrl(app, image_id)} name={name} />}
        label={name}
        end={<Tag>{t(method ? methodTags[method] : 'tag.get')}</Tag>}
        {...state}
        {...prefetchHandlers}
        onClick={() => chooseWallet(app, row.wallet)}
      />
    )
  }
  const { name } = row.info
  const tag = getHereTag(row.info)
  const iconUrl = row.connectors.find((each) => each.iconUrl)?.iconUrl
  return (
    <Row
      start={<Picture src={iconUrl} name={name} />}
      label={name}
      end={
        // One tag leaves the name its line.
        row.isRecent ? <Tag tone="accent">{t('tag.recent')}</Tag> : tag && <Tag>{t(tag)}</Tag>
      }
      {...state}
      onClick={() => askConnectors(app, row.connectors)}
    />
  )
})

/** Loads the code for connecting to a wallet elsewhere, for example on hover. */
function prefetchPairing(): void {
  // If it fails, it is loaded again when it is needed.
  const quietly = (loading: Promise<unknown>) => void loading.catch(() => {})
  quietly(import('../pairing/ConnectingWalletConnectBasic.tsx'))
  quietly(import('../pairing/ConnectingWalletConnect.tsx'))
  quietly(import('../qrCode/qrShape.ts'))
}
