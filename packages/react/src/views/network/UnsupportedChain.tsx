import { useNetwork } from '../../hooks/useNetwork.ts'
import { enNetworks } from '../../locales/enNetworks.ts'
import { useT } from '../../locales/useT.ts'
import { Disconnect } from '../account/Disconnect.tsx'
import styles from '../view.module.css'
import { NetworkList } from './Networks.tsx'

/**
 * The wallet is on a network that the app does not support: the user must choose another one or
 * disconnect.
 */
export function UnsupportedChain() {
  const t = useT(enNetworks)
  const { network, networks } = useNetwork()
  const own = networks.filter(({ chainNamespace }) => chainNamespace === network.chainNamespace)
  return (
    <div className={styles.column}>
      <p className={styles.intro} role="status">
        {t('unsupported.text')}
      </p>
      <NetworkList networks={own} />
      <p className={styles.or}>{t('unsupported.or')}</p>
      <Disconnect />
    </div>
  )
}
