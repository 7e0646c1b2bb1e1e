import {
  formatDollars,
  formatQuantity,
  networkImageUrl,
  truncateAddress,
} from '@latchkey/core/internal'
import { useLatchkey } from '../../app/context.ts'
import { sumBalances } from '../../app/sumBalances.ts'
import { useAccountChoice } from '../../app/useAccountChoice.ts'
import { useApp } from '../../app/useApp.ts'
import type { WalletConnection } from '../../hooks/connections/useConnections.ts'
import type { AccountPortfolio } from '../../hooks/portfolio/usePortfolios.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useT } from '../../locales/useT.ts'
import { enWallets } from '../../locales/wallet/enWallets.ts'
import { Picture } from '../../parts/Picture.tsx'
import { FactRow, Row, Tag } from '../../parts/Row.tsx'
import { SkeletonLine } from '../../parts/Skeleton.tsx'
import styles from '../view.module.css'
import own from './ConnectedWallets.module.css'

/** How many accounts of a connection are listed. */
export const MAX_ACCOUNTS = 10

/** The balances of accounts, by {@link getKey}. */
type Portfolios = ReadonlyMap<string, AccountPortfolio>

/** The key of an account among others. */
export const getKey = (one: { namespace: string; address: string }) =>
  `${one.namespace}:${one.address}`

/** Whether the balance of an account could not be read. */
export const isFailed = ({ data, error }: AccountPortfolio) => data === undefined && error !== null

/**
 * The accounts of a wallet in a namespace. A press puts the current account in use; for another
 * account it then asks the wallet, if that lets the user choose.
 */
export function WalletAccounts({
  connection,
  portfolios,
  onUse,
}: {
  connection: WalletConnection
  portfolios: Portfolios
  onUse: () => Promise<boolean>
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
  const { isOffered, choose } = useAccountChoice(connection)
  const chooseOther = async () => {
    if (!isCurrent && !(await onUse())) return
    await choose()
    // Announces the account that is in use now.
    await onUse()
  }
  const current = (
    <Row
      key={address}
      start={start}
      label={<Switch address={address} isCurrent={isCurrent} />}
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
  )
  const rows = others.slice(0, MAX_ACCOUNTS - 1).map((account) => {
    const parts = {
      start,
      detail: t(account.label ? 'wallets.ordinals' : 'wallets.inWallet'),
      end: <Value portfolio={portfolios.get(getKey(account))} value={getValue(account)} />,
    }
    return account.label || !isOffered ? (
      <FactRow
        key={`${account.address} ${account.label}`}
        {...parts}
        label={<Address address={account.address} />}
      />
    ) : (
      <Row
        key={account.address}
        {...parts}
        label={<Switch address={account.address} isCurrent={false} />}
        onClick={chooseOther}
      />
    )
  })
  return (
    <>
      {/* One list, so that a chosen account keeps its focus as it becomes the first. */}
      {[current, ...rows]}
      {others.length >= MAX_ACCOUNTS && (
        <p className={own.more}>{t('wallets.more', { count: others.length - MAX_ACCOUNTS + 1 })}</p>
      )}
    </>
  )
}

/** The account of a row that can be pressed. */
function Switch({ address, isCurrent }: { address: string; isCurrent: boolean }) {
  const t = useT(enWallets)
  return (
    <>
      {!isCurrent && <span className={styles.hidden}>{t('wallets.switchTo')} </span>}
      <Address address={address} />
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
