import { activeConnection, isConnected } from '@latchkey/core/internal'
import { useState } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useT } from '../../locales/useT.ts'
import { enWallets } from '../../locales/wallet/enWallets.ts'
import { IconButton } from '../../parts/Button.tsx'
import { findUnconnected } from '../connect/findUnconnected.ts'
import { AlsoConnect } from './AlsoConnect.tsx'
import styles from './FurtherNamespaces.module.css'

/**
 * A line that offers the further namespaces of the wallet in use, until the user hides it in this
 * browser. The list of connected wallets keeps the offer.
 */
export function FurtherNamespaces() {
  const app = useApp()
  const t = useT(enWallets)
  const [isHidden, setIsHidden] = useState(() => app.storage.get('hidesFurther') === true)
  const connectorId = useAppState((state) => {
    const connection = activeConnection(state)
    const id = isConnected(connection) ? connection.connectorId : undefined
    return id !== undefined && findUnconnected(state, id).length > 0 ? id : undefined
  })
  if (connectorId === undefined || isHidden) return null
  const hide = () => {
    app.storage.set('hidesFurther', true)
    setIsHidden(true)
  }
  return (
    <div className={styles.line}>
      <AlsoConnect connectorId={connectorId} />
      <IconButton icon="close" label={t('wallets.hideAlso')} onClick={hide} />
    </div>
  )
}
