import type { ReactNode } from 'react'
import { enPairing } from '../../locales/enPairing.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { QrCode } from '../qrCode/QrCode.tsx'
import views from '../view.module.css'
import styles from './ConnectingWalletConnect.module.css'
import { hasProblem, PairingProblem } from './PairingProblem.tsx'
import type { WalletPairing } from './useWalletPairing.ts'

/** A pairing as a QR code for another device, or as a link to copy. */
export function CodePane({
  pairing,
  logo,
  picture,
  name,
}: {
  pairing: WalletPairing
  /** Shown in the middle of the code. */
  logo?: ReactNode
  /** Shown above the error. */
  picture: ReactNode
  name: string
}) {
  const t = useT(enPairing)
  const { uri, copyLink, wasRenewed } = pairing
  if (hasProblem(pairing)) {
    return (
      <div className={styles.stage}>
        <PairingProblem pairing={pairing} picture={picture} name={name} />
      </div>
    )
  }
  return (
    <div className={styles.pane} aria-busy={uri === undefined || undefined}>
      <QrCode text={uri} label={t('pairing.qr')} logo={logo} />
      <p className={styles.scan}>{t('pairing.scan')}</p>
      <Button variant="quiet" icon="copy" disabled={uri === undefined} onClick={copyLink}>
        {t('pairing.copy')}
      </Button>
      <span className={views.hidden} role="status">
        {uri === undefined ? t('pairing.preparing') : wasRenewed && t('pairing.renewed')}
      </span>
    </div>
  )
}
