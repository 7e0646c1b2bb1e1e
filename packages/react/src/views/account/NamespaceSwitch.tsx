import {
  getNamespaceName,
  isConnected,
  networkImageUrl,
  pushView,
  selectNamespace,
  truncateAddress,
} from '@latchkey/core/internal'
import type { Namespace } from '@latchkey/wire'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enActivity } from '../../locales/enActivity.ts'
import { useT } from '../../locales/useT.ts'
import { Picture } from '../../parts/Picture.tsx'
import styles from './NamespaceSwitch.module.css'

/** The account of each of the app's namespaces; a click switches to it, or connects it. */
export function NamespaceSwitch() {
  const t = useT(enActivity)
  const { networks } = useNetwork()
  const all = [...new Set(networks.map(({ chainNamespace }) => chainNamespace))]
  if (all.length < 2) return undefined
  return (
    <fieldset className={styles.accounts} aria-label={t('account.namespaces')}>
      {all.map((namespace) => (
        <NamespaceButton key={namespace} namespace={namespace} />
      ))}
    </fieldset>
  )
}

function NamespaceButton({ namespace }: { namespace: Namespace }) {
  const app = useApp()
  const t = useT(enActivity)
  const { network: active, networks } = useNetwork()
  const connection = useAppState(({ connections }) => connections[namespace])
  const isActive = active.chainNamespace === namespace
  const own = networks.filter(({ chainNamespace }) => chainNamespace === namespace)
  const chainId = isConnected(connection) ? connection.chainId : undefined
  const network = own.find(({ caipNetworkId }) => caipNetworkId === chainId) ?? own[0]
  const name = getNamespaceName(namespace)
  const choose = () => {
    selectNamespace(app, { namespace })
    if (!isConnected(connection)) pushView(app, { name: 'Connect' })
  }
  return (
    <button
      type="button"
      className={styles.account}
      aria-pressed={isActive}
      title={isConnected(connection) ? connection.account.address : undefined}
      onClick={choose}
    >
      <Picture src={network && networkImageUrl(app, network)} name={name} size={24} round />
      <span className={styles.words}>
        <span className={styles.name}>{name}</span>
        <span className={styles.detail} data-connected={isConnected(connection) || undefined}>
          {isConnected(connection)
            ? truncateAddress(connection.account.address)
            : t('account.connect')}
        </span>
      </span>
    </button>
  )
}
