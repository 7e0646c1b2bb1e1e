import { disconnect, showToast, showView, truncateAddress } from '@latchkey/core/internal'
import { isError } from '@latchkey/wire'
import { useRef, useState } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { useConnections, type WalletConnection } from '../../hooks/connections/useConnections.ts'
import { useSwitchConnection } from '../../hooks/connections/useSwitchConnection.ts'
import { usePortfolios } from '../../hooks/portfolio/usePortfolios.ts'
import { useT } from '../../locales/useT.ts'
import { enWallets } from '../../locales/wallet/enWallets.ts'
import { Button, IconButton } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Picture } from '../../parts/Picture.tsx'
import styles from '../view.module.css'
import { AlsoConnect } from './AlsoConnect.tsx'
import own from './ConnectedWallets.module.css'
import { type ConnectedWallet, groupWallets } from './groupWallets.ts'
import { getKey, isFailed, MAX_ACCOUNTS, WalletAccounts } from './WalletAccounts.tsx'

/** How many balances are read, the balances of the current accounts first. */
const MAX_BALANCES = 20

/**
 * The connected wallets with their accounts and balances. A press on an account puts its wallet in
 * use; each wallet can be disconnected alone, or connected in further namespaces.
 */
export function ConnectedWallets() {
  const app = useApp()
  const t = useT(enWallets)
  const getMessage = useErrorMessage()
  const connections = useConnections()
  const { portfolios, hasFailed, refetch } = useBalancesOf(connections)
  const { switchConnectionAsync } = useSwitchConnection()
  const [message, setMessage] = useState('')
  const another = useRef<HTMLDivElement>(null)
  const connectors = useAppState((state) => state.connectors)
  const networks = useAppState((state) => state.networks)
  const wallets = groupWallets(connections, { connectors, networks })
  if (connections.length === 0) return <EmptyState icon="wallet" title={t('account.gone')} />
  const use = async ({ connectorId, namespace, wallet }: WalletConnection) => {
    try {
      const { account } = await switchConnectionAsync({ connectorId, namespace })
      const name = wallet?.name ?? connectorId
      setMessage(t('wallets.switched', { address: truncateAddress(account.address), name }))
      return true
    } catch (error) {
      if (!isError(error, 'ABORTED'))
        showToast(app, { message: getMessage(error), variant: 'error' })
      return false
    }
  }
  const leave = ({ connectorIds, name }: ConnectedWallet) => {
    setMessage(t('wallets.disconnected', { name }))
    // The pressed button goes with its wallet.
    another.current?.querySelector('button')?.focus()
    for (const connectorId of connectorIds)
      disconnect(app, { connectorId }).catch(() =>
        showToast(app, { message: t('wallets.disconnectFailed', { name }), variant: 'error' }),
      )
  }
  return (
    <div className={styles.column}>
      <span className={styles.hidden} role="status">
        {message}
      </span>
      <ul className={own.wallets} aria-label={t('account.wallets')}>
        {wallets.map((wallet) => (
          <li key={wallet.connectorIds[0]} className={own.wallet}>
            <div className={own.head}>
              <Picture src={wallet.iconUrl} name={wallet.name} />
              <div className={own.words}>
                <h3 className={own.name}>{wallet.name}</h3>
                {wallet.way !== undefined && <p className={own.way}>{wallet.way}</p>}
              </div>
              <IconButton
                icon="disconnect"
                label={t('wallets.disconnect', {
                  name: wallet.name,
                  address: truncateAddress(wallet.connections[0].address),
                })}
                onClick={() => leave(wallet)}
              />
            </div>
            {wallet.connections.map((connection) => (
              <WalletAccounts
                key={connection.namespace}
                connection={connection}
                portfolios={portfolios}
                onUse={() => use(connection)}
              />
            ))}
            <AlsoConnect connectorId={wallet.connections[0].connectorId} />
          </li>
        ))}
      </ul>
      {hasFailed && (
        <div className={styles.inlineError} role="alert">
          <span>{t('wallets.balancesFailed')}</span>
          <Button variant="text" onClick={() => refetch()}>
            {t('action.tryAgain')}
          </Button>
        </div>
      )}
      <div className={styles.bottom} ref={another}>
        <Button variant="quiet" icon="wallet" onClick={() => showView(app, { name: 'Connect' })}>
          {t('wallets.another')}
        </Button>
      </div>
    </div>
  )
}

/** The balances of the accounts, one request for each account. */
function useBalancesOf(connections: readonly WalletConnection[]) {
  const others = connections.flatMap(({ accounts }) => accounts.slice(1, MAX_ACCOUNTS))
  const all = [...connections.map(({ account }) => account), ...others]
  const unique = new Map(all.map((account) => [getKey(account), account]))
  const read = usePortfolios({ accounts: [...unique.values()].slice(0, MAX_BALANCES) })
  return {
    portfolios: new Map(read.accounts.map((one) => [getKey(one), one])),
    hasFailed: read.accounts.some(isFailed),
    refetch: read.refetch,
  }
}
