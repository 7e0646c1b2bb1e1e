import { getPlatform, hasWalletRelay, pushView } from '@latchkey/core/internal'
import { useApp } from '../../app/useApp.ts'
import { enPairing } from '../../locales/enPairing.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Row, RowIcon, Tag } from '../../parts/Row.tsx'
import { AllWallets } from '../connect/AllWallets.tsx'
import { useConnectErrorText } from '../connect/connectErrorText.ts'
import { useRecommended } from '../connect/useRecommended.ts'
import view from '../view.module.css'
import { CodePane } from './CodePane.tsx'
import styles from './ConnectingWalletConnect.module.css'
import { hasProblem, PairingProblem } from './PairingProblem.tsx'
import { useWalletPairing } from './useWalletPairing.ts'

/**
 * Connects to any wallet elsewhere: by a code to scan, or on a phone by a list of wallets to open.
 */
export function ConnectingWalletConnectBasic() {
  const app = useApp()
  const { wallets } = app.config
  const { page } = app.environment
  const hasList = wallets.enabled && wallets.all
  if (getPlatform({ page }).isPhone) return hasList ? <WalletsAndLink /> : <LinkAlone />
  return (
    <div className={styles.view}>
      <Code />
      {hasList && <AllRow />}
      {wallets.enabled && <GetOne />}
    </div>
  )
}

function Code() {
  const t = useT(enPairing)
  const pairing = useWalletPairing(undefined)
  return (
    <>
      <CodePane pairing={pairing} picture={<PhoneMark />} name={t('pairing.yourWallet')} />
      <RelayNote text="pairing.ownRelay" />
    </>
  )
}

/** Reports that the app names no relay at which phone wallets listen. */
function RelayNote({ text }: { text: 'pairing.ownRelay' | 'pairing.ownRelayLink' }) {
  const t = useT(enPairing)
  return hasWalletRelay(useApp()) ? null : <p className={styles.foot}>{t(text)}</p>
}

function AllRow() {
  const app = useApp()
  const t = useT(enPairing)
  const { list } = useRecommended({ enabled: true })
  return (
    <div className={styles.rows}>
      <Row
        start={<RowIcon name="search" />}
        label={t('connect.allWallets')}
        end={list && <Tag>{t('connect.allWalletsCount', { count: list.count })}</Tag>}
        onClick={() => pushView(app, { name: 'AllWallets' })}
      />
    </div>
  )
}

function GetOne() {
  const app = useApp()
  const t = useT(enPairing)
  return (
    <p className={styles.foot}>
      {t('pairing.noWallet')}{' '}
      <button
        type="button"
        className={view.link}
        onClick={() => pushView(app, { name: 'GetAWallet' })}
      >
        {t('pairing.getOne')}
      </button>
    </p>
  )
}

/** The wallets of a phone, and a link for all others within reach of the thumb. */
function WalletsAndLink() {
  const t = useT(enPairing)
  const getErrorText = useConnectErrorText()
  const pairing = useWalletPairing(undefined)
  const { status, error, uri, retry, copyLink } = pairing
  const isLate = status === 'late' && error === undefined
  return (
    <>
      <AllWallets />
      <div className={styles.bottom}>
        {hasProblem(pairing) ? (
          <div className={view.inlineError} role="alert">
            <span>
              {isLate ? t('pairing.late') : getErrorText(error, t('pairing.yourWallet')).title}
            </span>
            <Button variant="text" onClick={retry}>
              {t('action.tryAgain')}
            </Button>
          </div>
        ) : (
          <Button variant="quiet" icon="copy" busy={uri === undefined} onClick={copyLink}>
            {t('pairing.copy')}
          </Button>
        )}
        <RelayNote text="pairing.ownRelayLink" />
      </div>
    </>
  )
}

function LinkAlone() {
  const t = useT(enPairing)
  const pairing = useWalletPairing(undefined)
  if (hasProblem(pairing))
    return (
      <PairingProblem pairing={pairing} picture={<PhoneMark />} name={t('pairing.yourWallet')} />
    )
  return (
    <div className={styles.pane}>
      <p className={styles.scan}>{t('pairing.pasteHint')}</p>
      <Button icon="copy" busy={pairing.uri === undefined} onClick={pairing.copyLink}>
        {t('pairing.copy')}
      </Button>
      <RelayNote text="pairing.ownRelayLink" />
    </div>
  )
}

const PhoneMark = () => (
  <span className={styles.mark}>
    <Icon name="phone" size={28} />
  </span>
)
