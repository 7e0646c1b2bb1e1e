import { useNetwork } from '../../hooks/useNetwork.ts'
import { useT } from '../../locales/useT.ts'
import { Disconnect } from '../account/Disconnect.tsx'
import styles from '../view.module.css'
import { NetworkRow } from './Networks.tsx'

/** The wallet is on a network that the app does not support: the user must choose another one or disconnect. */
export function UnsupportedChain() {
  const t = useT()
  const { networks } = useNetwork()
  return (
    <div className={styles.column}>
      <p className={styles.intro} role="status">
        {t('unsupported.text')}
      </p>
      <ul className={styles.list} aria-label={t('networks.title')}>
        {networks.map((network) => (
          <li key={network.caipNetworkId}>
            <NetworkRow network={network} />
          </li>
        ))}
      </ul>
      <p className={styles.or}>{t('unsupported.or')}</p>
      <Disconnect />
    </div>
  )
}
