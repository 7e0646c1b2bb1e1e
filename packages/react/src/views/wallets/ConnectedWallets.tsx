import {
  disconnect,
  formatQuantity,
  networkImageUrl,
  showToast,
  showView,
  truncateAddress,
} from '@latchkey/core/internal'
import { isError } from '@latchkey/wire'
import { useRef, useState } from 'react'
import { useLatchkey } from '../../app/context.ts'
import { sumBalances } from '../../app/sumBalances.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { useConnections, type WalletConnection } from '../../hooks/connections/useConnections.ts'
import { useSwitchConnection } from '../../hooks/connections/useSwitchConnection.ts'
import { type AccountPortfolio, usePortfolios } from '../../hooks/portfolio/usePortfolios.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useT } from '../../locales/useT.ts'
import { enWallets } from '../../locales/wallet/enWallets.ts'
import { Button, IconButton } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { FactRow, Row, Tag } from '../../parts/Row.tsx'
import { SkeletonLine } from '../../parts/Skeleton.tsx'
import { formatDollars } from '../formatDollars.ts'
import styles from '../view.module.css'
import { AlsoConnect } from './AlsoConnect.tsx'
import own from './ConnectedWallets.module.css'
import { type ConnectedWallet, groupWallets } from './groupWallets.ts'

/** How many accounts of a connection are listed. */
const MAX_ACCOUNTS = 10
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
  const use = async ({ connectorId, namespace, address, wallet }: WalletConnection) => {
    try {
      await switchConnectionAsync({ connectorId, namespace })
      const name = wallet?.name ?? connectorId
      setMessage(t('wallets.switched', { address: truncateAddress(address), name }))
    } catch (error) {
      if (isError(error, 'ABORTED')) return
      showToast(app, { message: getMessage(error), variant: 'error' })
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
              <Accounts
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

type Portfolios = ReadonlyMap<string, AccountPortfolio>

const getKey = (one: { namespace: string; address: string }) => `${one.namespace}:${one.address}`

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

const isFailed = ({ data, error }: AccountPortfolio) => data === undefined && error !== null

/** The accounts of a wallet in a namespace: the current account can be put in use. */
function Accounts({
  connection,
  portfolios,
  onUse,
}: {
  connection: WalletConnection
  portfolios: Portfolios
  onUse: () => void
}) {
  const app = useApp()
  const t = useT(enWallets)
  const { network: selected, networks } = useNetwork()
  const { namespace, chainId, address, accounts, isInUse, isUnreached, status } = connection
  const isCurrent = isInUse && selected.chainNamespace === namespace
  const network =
    networks.find(({ caipNetworkId }) => caipNetworkId === chainId) ??
    networks.find(({ chainNamespace }) => chainNamespace === namespace)
  const name = network?.name ?? chainId
  const getValue = useValueText(portfolios)
  const value = getValue({ namespace, address })
  const start = (
    <Picture src={network && networkImageUrl(app, network)} name={name} size={24} round />
  )
  const others = accounts.slice(1)
  return (
    <>
      <Row
        start={start}
        label={
          <>
            {!isCurrent && <span className={styles.hidden}>{t('wallets.switchTo')} </span>}
            <Address address={address} />
          </>
        }
        detail={
          isUnreached
            ? t('wallets.unreached')
            : status === 'connected'
              ? name
              : t('wallets.reconnecting')
        }
        end={
          <span className={own.end}>
            <Value portfolio={portfolios.get(getKey({ namespace, address }))} value={value} />
            {isCurrent && <Tag tone="accent">{t('wallets.inUse')}</Tag>}
          </span>
        }
        aria-current={isCurrent || undefined}
        onClick={onUse}
      />
      {others.slice(0, MAX_ACCOUNTS - 1).map((account) => (
        <FactRow
          key={account.address}
          start={start}
          label={<Address address={account.address} />}
          detail={t(account.label ? 'wallets.ordinals' : 'wallets.inWallet')}
          end={<Value portfolio={portfolios.get(getKey(account))} value={getValue(account)} />}
        />
      ))}
      {others.length >= MAX_ACCOUNTS && (
        <p className={own.more}>{t('wallets.more', { count: others.length - MAX_ACCOUNTS + 1 })}</p>
      )}
    </>
  )
}

const Address = ({ address }: { address: string }) => (
  <bdi title={address} translate="no">
    {truncateAddress(address)}
  </bdi>
)

/** Returns what an account is worth: in dollars, or its native balance if no price is known. */
function useValueText(portfolios: Portfolios) {
  const { locale } = useLatchkey()
  return (account: { namespace: string; address: string }): string | undefined => {
    const { data = [] } = portfolios.get(getKey(account)) ?? {}
    const { totalValue } = sumBalances(data)
    const [native] = data
    if (totalValue !== undefined) return formatDollars(totalValue, locale)
    return native && `${formatQuantity(native.quantity.numeric)} ${native.symbol}`
  }
}

/** The value of an account, or its place until that is known. */
function Value({
  portfolio,
  value,
}: {
  portfolio: AccountPortfolio | undefined
  value: string | undefined
}) {
  const t = useT(enWallets)
  if (value !== undefined) return <bdi translate="no">{value}</bdi>
  if (portfolio === undefined || portfolio.data !== undefined) return null
  if (!isFailed(portfolio)) return <SkeletonLine />
  return <span title={t('wallets.noBalance')}>–</span>
}
