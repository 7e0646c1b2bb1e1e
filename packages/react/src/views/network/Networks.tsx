import {
  activeConnection,
  goBack,
  isConnected,
  type Network,
  networkImageUrl,
  pushView,
  pushWalletRequest,
  switchNetwork,
} from '@latchkey/core'
import { useState } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useT } from '../../locales/useT.ts'
import { Icon } from '../../parts/Icon.tsx'
import { Notice } from '../../parts/Notice.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { Row, Tag } from '../../parts/Row.tsx'
import { Search } from '../../parts/Search.tsx'
import styles from '../view.module.css'

/** The number of networks from which a search field is shown. */
const SEARCH_FROM = 6

/** The networks of the app; choosing one asks the wallet to switch to it. */
export function Networks() {
  const app = useApp()
  const t = useT()
  const { networks } = useNetwork()
  const [typed, setTyped] = useState('')
  const word = typed.trim().toLowerCase()
  const found = networks.filter(({ name }) => name.toLowerCase().includes(word))
  return (
    <div className={styles.column}>
      {networks.length >= SEARCH_FROM && (
        <Search label={t('networks.search')} value={typed} onChange={setTyped} />
      )}
      <ul className={styles.list} aria-label={t('networks.title')}>
        {found.map((network) => (
          <li key={network.caipNetworkId}>
            <NetworkRow network={network} />
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <Notice icon="search" title={t('networks.empty')}>
          {t('networks.emptyHint', { search: typed.trim() })}
        </Notice>
      )}
      <p className={styles.foot}>
        {t('networks.hint')}{' '}
        <button
          type="button"
          className={styles.link}
          onClick={() => pushView(app, { name: 'WhatIsANetwork' })}
        >
          {t('networks.what')}
        </button>
      </p>
    </div>
  )
}

/** One network to choose; also used by the blocking list. */
export function NetworkRow({ network }: { network: Network }) {
  const app = useApp()
  const t = useT()
  const { network: active, unsupportedChainId } = useNetwork()
  const { caipNetworkId: chainId, name, testnet } = network
  const isActive = chainId === active.caipNetworkId && unsupportedChainId === undefined
  const choose = () => {
    if (isConnected(activeConnection(app.store.getState())) && !isActive)
      return pushWalletRequest(app, { name: 'SwitchNetwork', chainId }, () =>
        switchNetwork(app, { chainId }),
      )
    // Without a wallet, a network is only selected, which cannot fail for one of this list.
    void switchNetwork(app, { chainId })
      .then(() => goBack(app))
      .catch(() => {})
  }
  return (
    <Row
      start={<Picture src={networkImageUrl(app, network)} name={name} />}
      label={name}
      aria-current={isActive || undefined}
      end={
        isActive ? (
          <span className={styles.active}>
            {t('networks.active')} <Icon name="check" />
          </span>
        ) : (
          testnet && <Tag>{t('tag.testnet')}</Tag>
        )
      }
      onClick={choose}
    />
  )
}
