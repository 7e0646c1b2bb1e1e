import {
  getNamespaceName,
  goBack,
  isConnected,
  type Network,
  networkImageUrl,
  pushView,
  pushWalletRequest,
  replaceView,
  switchNetwork,
} from '@latchkey/core/internal'
import { useState } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enNetworks } from '../../locales/enNetworks.ts'
import { useT } from '../../locales/useT.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { Row } from '../../parts/Row.tsx'
import { Search } from '../../parts/Search.tsx'
import styles from '../view.module.css'

/** From how many networks on a search field is shown. */
const SEARCH_FROM = 6

/** The networks of the app; choosing a network requests the switch from the wallet. */
export function Networks() {
  const app = useApp()
  const t = useT(enNetworks)
  const { networks } = useNetwork()
  const [typed, setTyped] = useState('')
  const word = typed.trim().toLowerCase()
  const found = networks.filter(({ name }) => name.toLowerCase().includes(word))
  return (
    <div className={styles.column}>
      {networks.length >= SEARCH_FROM && (
        <Search label={t('networks.search')} value={typed} onChange={setTyped} />
      )}
      <NetworkList networks={found} />
      {found.length === 0 && (
        <EmptyState icon="search" title={t('networks.empty')}>
          {t('networks.emptyHint', { search: typed.trim() })}
        </EmptyState>
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

/** Networks to choose from, under the names of their namespaces if the app has several. */
export function NetworkList({ networks }: { networks: readonly Network[] }) {
  const t = useT(enNetworks)
  const all = new Set(useNetwork().networks.map(({ chainNamespace }) => chainNamespace))
  const list = (label: string, entries: readonly Network[]) => (
    <ul className={styles.list} aria-label={label}>
      {entries.map((network) => (
        <li key={network.caipNetworkId}>
          <NetworkRow network={network} />
        </li>
      ))}
    </ul>
  )
  if (all.size < 2) return list(t('networks.title'), networks)
  return [...all].map((namespace) => {
    const entries = networks.filter(({ chainNamespace }) => chainNamespace === namespace)
    if (entries.length === 0) return undefined
    const label = t('namespace.networks', { name: getNamespaceName(namespace) })
    return (
      <section key={namespace}>
        <h3 className={styles.group}>{label}</h3>
        {list(label, entries)}
      </section>
    )
  })
}

function NetworkRow({ network }: { network: Network }) {
  const app = useApp()
  const t = useT(enNetworks)
  const { network: active, unsupportedChainId } = useNetwork()
  const { caipNetworkId: chainId, name, testnet } = network
  const isActive = chainId === active.caipNetworkId && unsupportedChainId === undefined
  const choose = () => {
    const { connections } = app.store.getState()
    const connection = connections[network.chainNamespace]
    if (isConnected(connection) && connection.chainId !== chainId)
      return pushWalletRequest(app, { name: 'SwitchNetwork', chainId }, () =>
        switchNetwork(app, { chainId }),
      )
    const needsWallet =
      !isConnected(connection) && Object.values(connections).some((each) => isConnected(each))
    // If no wallet has to follow, this only selects a network, which cannot fail for a listed
    // network.
    void switchNetwork(app, { chainId })
      .then(() => (needsWallet ? replaceView(app, { name: 'Connect' }) : goBack(app)))
      .catch(() => {})
  }
  return (
    <Row
      start={<Picture src={networkImageUrl(app, network)} name={name} />}
      label={name}
      detail={testnet ? t('tag.testnet') : undefined}
      aria-current={isActive || undefined}
      disabled={!app.config.modal.networkSwitch}
      end={
        isActive && (
          <span className={styles.active}>
            {t('networks.active')} <Icon name="check" />
          </span>
        )
      }
      onClick={choose}
    />
  )
}
