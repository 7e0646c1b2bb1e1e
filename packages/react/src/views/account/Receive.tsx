import { getNamespaceName, networkImageUrl } from '@latchkey/core/internal'
import { useLatchkey } from '../../app/context.ts'
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
        <span>
          <Only />
        </span>
      </p>
    </div>
  )
}

/** With more networks, the sentence names their kind. */
const maxNamed = 3

/** The networks whose assets the address can receive. */
function Only() {
  const t = useT(enActivity)
  const { locale } = useLatchkey()
  const { account } = useAccount()
  const { network, networks } = useNetwork()
  const { chainNamespace, testnet, name } = network
  // A contract may be on one network only.
  const isShared = account?.type !== 'smartAccount'
  const names = networks
    .filter((one) => isShared && one.chainNamespace === chainNamespace && !one.testnet === !testnet)
    .map((one) => one.name)
  if (names.length > maxNamed)
    return t('receive.onlyKind', { network: name, namespace: getNamespaceName(chainNamespace) })
  const named = names.length === 0 ? [name] : names
  return t('receive.only', { network: new Intl.ListFormat(locale).format(named) })
}
