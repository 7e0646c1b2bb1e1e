import {
  getPlatform,
  openLink,
  pushView,
  walletImageUrl,
  walletLinks,
} from '@latchkey/core/internal'
import type { DirectoryWallet } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getQueryClient, walletQuery } from '../../app/queries/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { enPairing } from '../../locales/enPairing.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { PendingState } from '../../parts/PendingState.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { Segments } from '../../parts/Segments.tsx'
import { AskWallet } from '../connect/AskWallet.tsx'
import {
  type ConnectionMethod,
  findSelected,
  getConnectionMethods,
} from '../connect/connectionMethods.ts'
import { Downloads } from '../connect/Downloads.tsx'
import { findConnectors } from '../connect/walletRows.ts'
import { QrCode } from '../qrCode/QrCode.tsx'
import type { ViewProps } from '../viewProps.ts'
import { CodePane } from './CodePane.tsx'
import styles from './ConnectingWalletConnect.module.css'
import { ConnectingWalletConnectBasic } from './ConnectingWalletConnectBasic.tsx'
import { OpenPane } from './OpenPane.tsx'
import { useWalletPairing } from './useWalletPairing.ts'

/** Connects to a wallet of the directory in any method that it and this device support. */
export function ConnectingWalletConnect({ view }: ViewProps<'ConnectingWalletConnect'>) {
  const app = useApp()
  const t = useT(enPairing)
  const { data: wallet, isPending } = useQuery(walletQuery(app, view), getQueryClient(app))
  if (isPending) return <QrCode text={undefined} label={t('shell.loading')} />
  // If the directory knows nothing, users can still scan or paste.
  if (!wallet) return <ConnectingWalletConnectBasic />
  return <ConnectionMethods wallet={wallet} view={view} />
}

function ConnectionMethods({
  wallet,
  view,
}: {
  wallet: DirectoryWallet
  view: ViewProps<'ConnectingWalletConnect'>['view']
}) {
  const app = useApp()
  const t = useT(enPairing)
  const [chosen, setChosen] = useState<ConnectionMethod>()
  const methods = getConnectionMethods(app, wallet)
  const method = chosen && methods.includes(chosen) ? chosen : methods[0]
  if (method === undefined) return <Downloads view={{ name: 'Downloads', walletId: wallet.id }} />
  const pane = <Pane method={method} wallet={wallet} view={view} />
  return (
    <div className={styles.view}>
      {methods.length === 1 ? (
        pane
      ) : (
        <Segments
          label={t('pairing.ways')}
          value={method}
          onChange={setChosen}
          tabs={methods.map((value) => ({ value, label: t(`method.${value}`) }))}
        >
          {pane}
        </Segments>
      )}
      {method !== 'browser' && (
        <p className={styles.get}>
          <span>{t('pairing.noNamed', { name: wallet.name })}</span>
          <Button
            variant="text"
            aria-label={t('downloads.title', { name: wallet.name })}
            onClick={() => pushView(app, { name: 'Downloads', walletId: wallet.id })}
          >
            {t('pairing.get')}
          </Button>
        </p>
      )}
    </div>
  )
}

function Pane({
  method,
  wallet,
  view,
}: {
  method: ConnectionMethod
  wallet: DirectoryWallet
  view: ViewProps<'ConnectingWalletConnect'>['view']
}) {
  const here = useAppState((state) => {
    const connectors = findConnectors(wallet, state.connectors)
    return findSelected(state, connectors) ?? connectors[0]
  })
  if (method === 'browser') return here && <AskWallet connectorId={here.id} view={view} />
  if (method === 'page' || method === 'pageCode')
    return <PagePane method={method} wallet={wallet} />
  return <PairingPane method={method} wallet={wallet} />
}

/** A single pairing for all methods that use it: changing the tab keeps it. */
function PairingPane({
  method,
  wallet,
}: {
  method: Exclude<ConnectionMethod, 'browser' | 'page' | 'pageCode'>
  wallet: DirectoryWallet
}) {
  const app = useApp()
  const pairing = useWalletPairing(wallet)
  const { name } = wallet
  const src = walletImageUrl(app, wallet.image_id)
  const picture = <Picture src={src} name={name} size={80} />
  if (method !== 'code')
    return (
      <OpenPane key={method} method={method} wallet={wallet} pairing={pairing} picture={picture} />
    )
  const logo = <Picture src={src} name={name} size="code" />
  return <CodePane pairing={pairing} logo={logo} picture={picture} name={name} />
}

/**
 * For a wallet that no relay reaches: opens this page in the wallet's own browser, here or on the
 * phone that scans a code.
 */
function PagePane({ method, wallet }: { method: 'page' | 'pageCode'; wallet: DirectoryWallet }) {
  const app = useApp()
  const t = useT(enPairing)
  const chainId = useAppState((state) => state.activeChainId)
  const { page } = app.environment
  const { name } = wallet
  const { browser } = walletLinks({
    wallet,
    uri: undefined,
    platform: getPlatform({ page }),
    pageUrl: page?.location.href ?? '',
    chainId,
  })
  const src = walletImageUrl(app, wallet.image_id)
  if (method === 'pageCode')
    return (
      <div className={styles.pane}>
        <QrCode
          text={browser?.href}
          label={t('pairing.pageQr', { name })}
          logo={<Picture src={src} name={name} size="code" />}
        />
        <p className={styles.scan}>{t('pairing.pageScan', { name })}</p>
      </div>
    )
  return (
    <PendingState
      picture={<Picture src={src} name={name} size={80} />}
      status="waiting"
      title={t('connecting.waiting', { name })}
      hint={t('pairing.pageHint', { name })}
    >
      <div className={styles.buttons}>
        <Button onClick={() => browser && openLink(app, { link: browser, name })}>
          {t('pairing.open')}
        </Button>
      </div>
    </PendingState>
  )
}
