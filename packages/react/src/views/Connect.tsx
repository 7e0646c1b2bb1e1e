import { platformOf, pushView, walletImageUrl } from '@latchkey/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApp } from '../hooks/useApp.ts'
import { useAppState } from '../hooks/useAppState.ts'
import { useT } from '../hooks/useT.ts'
import { Button } from '../parts/Button.tsx'
import { Notice } from '../parts/Notice.tsx'
import { Picture } from '../parts/Picture.tsx'
import { Row, RowIcon, Tag } from '../parts/Row.tsx'
import { SkeletonRows } from '../parts/Skeleton.tsx'
import { prefetchPairing } from '../prefetchPairing.ts'
import { queryClientOf, recommendedQuery } from '../queries.ts'
import { keyOf, type WalletRow, walletRows } from '../walletRows.ts'
import { viewTo } from '../walletWays.ts'
import { Legal } from './Legal.tsx'
import styles from './view.module.css'

/** Rows that stand for the directory while it loads. */
const WAITING_ROWS = 4

/** The wallets to choose from: any by a QR code, those of this browser, recommended ones, then the way to all. */
export function Connect() {
  const app = useApp()
  const t = useT()
  const { enableWallets = true, features, termsConditionsUrl, privacyPolicyUrl } = app.config
  const needsConsent =
    features.legalCheckbox && (termsConditionsUrl !== undefined || privacyPolicyUrl !== undefined)
  const [agreed, setAgreed] = useState(false)
  const connectors = useAppState((state) => state.connectors)
  const recent = useAppState((state) => state.recentWallets)
  const { data, isError, isLoading, refetch } = useQuery(recommendedQuery(app), queryClientOf(app))
  const rows = walletRows({ connectors, recent, wallets: data?.wallets ?? [] })
  const locked = needsConsent && !agreed
  const isEmpty = rows.length === 0 && !isLoading

  return (
    <div className={styles.column}>
      {needsConsent && <Legal agreed={agreed} onAgree={setAgreed} />}
      <ul className={styles.list} aria-label={t('connect.list')}>
        {rows.map((row) => (
          <li key={keyOf(row)}>
            <Wallet row={row} disabled={locked} />
          </li>
        ))}
      </ul>
      {isLoading && <SkeletonRows rows={WAITING_ROWS} label={t('connect.loading')} />}
      {isEmpty && !isError && (
        <Notice
          icon="wallet"
          title={t('connect.emptyTitle')}
          action={
            enableWallets && (
              <Button look="quiet" onClick={() => pushView(app, { name: 'GetAWallet' })}>
                {t('action.getWallet')}
              </Button>
            )
          }
        >
          {t('connect.emptyHint')}
        </Notice>
      )}
      {isError && (
        <div className={styles.inlineError} role="alert">
          <span>{t('connect.directoryFailed')}</span>
          <Button look="text" onClick={() => refetch()}>
            {t('action.tryAgain')}
          </Button>
        </div>
      )}
      {enableWallets && features.allWallets && !isError && (data?.count ?? 1) > 0 && (
        <Row
          start={<RowIcon name="grid" />}
          label={t('connect.allWallets')}
          end={data && <Tag>{t('connect.allWalletsCount', { count: data.count })}</Tag>}
          disabled={locked}
          onClick={() => pushView(app, { name: 'AllWallets' })}
        />
      )}
      {!needsConsent && <Legal />}
      {enableWallets && (
        <p className={styles.foot}>
          {t('connect.newHere')}{' '}
          <button
            type="button"
            className={styles.link}
            onClick={() => pushView(app, { name: 'GetAWallet' })}
          >
            {t('action.getWallet')}
          </button>
        </p>
      )}
    </div>
  )
}

/** Loads the next view's code while a pointer or the focus rests on its row. */
const early = { onPointerEnter: prefetchPairing, onFocus: prefetchPairing }

function Wallet({ row, disabled }: { row: WalletRow; disabled: boolean }) {
  const app = useApp()
  const t = useT()
  if (row.kind === 'code') {
    // Nobody scans the screen of the phone in hand: there the row leads to wallets to open.
    const { isPhone } = platformOf({ page: app.environment.page })
    return (
      <Row
        start={<RowIcon name="qr" />}
        label={row.info.name}
        end={isPhone ? undefined : <Tag>{t('tag.code')}</Tag>}
        disabled={disabled}
        {...early}
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
        disabled={disabled}
        {...early}
        onClick={() => pushView(app, { name: 'ConnectingWalletConnect', walletId })}
      />
    )
  }
  if (row.kind === 'directory') {
    const { name, image_id } = row.wallet
    return (
      <Row
        start={<Picture src={walletImageUrl(app, image_id)} name={name} />}
        label={name}
        disabled={disabled}
        {...early}
        onClick={() => pushView(app, viewTo(app, row.wallet))}
      />
    )
  }
  const { id, name, iconUrl } = row.info
  return (
    <Row
      start={<Picture src={iconUrl} name={name} />}
      label={name}
      end={
        <Tag tone={row.isRecent ? 'accent' : 'quiet'}>
          {t(row.isRecent ? 'tag.recent' : 'tag.installed')}
        </Tag>
      }
      disabled={disabled}
      onClick={() => pushView(app, { name: 'ConnectingExternal', connectorId: id })}
    />
  )
}
