import { networkImageUrl } from '@latchkey/core/internal'
import { useApp } from '../../app/useApp.ts'
import { useCopy } from '../../app/useCopy.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enActivity } from '../../locales/enActivity.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { QrCode } from '../qrCode/QrCode.tsx'
import { RecoveryFirst } from '../recovery/RecoveryFirst.tsx'
import { FormattedAddress } from '../send/ReceiverSide.tsx'
import views from '../view.module.css'
import styles from './Receive.module.css'

/** The account's address as a code to scan and a string to copy. */
export const Receive = () => (
  <RecoveryFirst>
    <Address />
  </RecoveryFirst>
)

function Address() {
  const app = useApp()
  const t = useT(enActivity)
  const { address } = useAccount()
  const { network } = useNetwork()
  const { copied, copy } = useCopy()
  if (address === undefined) return <EmptyState icon="wallet" title={t('account.gone')} />
  return (
    <div className={styles.view}>
      <p className={styles.hint}>{t('receive.hint')}</p>
      <div className={styles.qr}>
        <QrCode text={address} label={t('receive.qr')} />
      </div>
      <p className={styles.address} translate="no">
        <FormattedAddress address={address} />
      </p>
      <Button icon={copied ? 'check' : 'copy'} onClick={() => copy(address)}>
        {t(copied ? 'action.copied' : 'action.copyAddress')}
      </Button>
      <span className={views.hidden} role="status">
        {copied && t('action.copied')}
      </span>
      <p className={styles.only}>
        <Picture src={networkImageUrl(app, network)} name={network.name} size={20} round />
        {t('receive.only', { network: network.name })}
      </p>
    </div>
  )
}
