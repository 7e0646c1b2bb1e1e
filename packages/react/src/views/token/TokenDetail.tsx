import {
  explorerUrl,
  formatDollars,
  type Network,
  pushWalletRequest,
  switchNetwork,
  type TokenRef,
} from '@latchkey/core/internal'
import type { Balance, ChainId, HistoryTransaction, PricePeriod } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { useLatchkey } from '../../app/context.ts'
import { priceHistoryQuery } from '../../app/queries/priceQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppCapabilities } from '../../app/useAppCapabilities.ts'
import { useNow } from '../../app/useNow.ts'
import { usePortfolio } from '../../hooks/portfolio/usePortfolio.ts'
import { useBalances } from '../../hooks/useBalances.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enToken } from '../../locales/enToken.ts'
import { useT } from '../../locales/useT.ts'
import { Amount, formatWhole } from '../../parts/Amount.tsx'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailedState } from '../../parts/FailedState.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { FactRow, LinkRow } from '../../parts/Row.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import { ActivityList } from '../account/ActivityList.tsx'
import { ValueChart } from '../chart/ValueChart.tsx'
import { CopyRow } from '../detail/CopyRow.tsx'
import detail from '../detail/detail.module.css'
import type { ViewProps } from '../viewProps.ts'
import { TokenActions } from './TokenActions.tsx'
import styles from './TokenDetail.module.css'

/** Age in ms up to which a price counts as current. */
const FRESH_PRICE_MS = 60_000

/** A token of the account: balance, price, origin and transactions. */
export function TokenDetail({ view: { token } }: ViewProps<'TokenDetail'>) {
  const { network, networks } = useNetwork()
  const other = networks.find(({ caipNetworkId }) => caipNetworkId === token.chainId)
  return other === undefined || other.caipNetworkId === network.caipNetworkId ? (
    <TokenHere token={token} />
  ) : (
    <TokenElsewhere token={token} network={other} />
  )
}

/** On the selected network: with all of its actions. */
function TokenHere({ token }: { token: TokenRef }) {
  const { network } = useNetwork()
  const { data: balances, ...query } = useBalances()
  const { history } = useAppCapabilities()
  const balance =
    network.caipNetworkId === token.chainId
      ? balances?.find(({ address }) => address === token.address)
      : undefined
  if (balance === undefined) return <Missing {...query} isKnown={balances !== undefined} />
  return (
    <Token balance={balance} network={network} actions={<TokenActions balance={balance} />}>
      {history && <Activity balance={balance} />}
    </Token>
  )
}

/** On another network: read-only, with a link to that network. */
function TokenElsewhere({ token, network }: { token: TokenRef; network: Network }) {
  const app = useApp()
  const t = useT(enToken)
  const { caipNetworkId: chainId, name } = network
  const { data: balances, ...query } = usePortfolio({ namespace: network.chainNamespace })
  const balance = balances?.find(
    ({ chainId: own, address }) => own === chainId && address === token.address,
  )
  const change = () =>
    pushWalletRequest(app, { name: 'SwitchNetwork', chainId }, () =>
      switchNetwork(app, { chainId }),
    )
  if (balance === undefined) return <Missing {...query} isKnown={balances !== undefined} />
  const actions = (
    <div className={styles.elsewhere}>
      <p className={detail.quiet}>{t('token.elsewhere', { network: name })}</p>
      <Button
        variant="quiet"
        aria-disabled={!app.config.modal.networkSwitch || undefined}
        onClick={() => app.config.modal.networkSwitch && change()}
      >
        {t('token.switch', { network: name })}
      </Button>
    </div>
  )
  return <Token balance={balance} network={network} actions={actions} />
}

function Missing({
  isLoading,
  isKnown,
  error,
  refetch,
}: {
  isLoading: boolean
  isKnown: boolean
  error: Error | null
  refetch: () => unknown
}) {
  const t = useT(enToken)
  if (isLoading) return <SkeletonRows rows={4} label={t('shell.loading')} />
  if (!isKnown && error !== null)
    return <FailedState title={t('token.failed')} retry={() => refetch()} />
  return (
    <EmptyState icon="coins" title={t('token.gone')}>
      {t('token.goneHint')}
    </EmptyState>
  )
}

function Token({
  balance,
  network,
  actions,
  children,
}: {
  balance: Balance
  network: Network
  actions: ReactNode
  /** Below the facts. */
  children?: ReactNode
}) {
  const { locale } = useLatchkey()
  const { name, symbol, iconUrl, quantity, value } = balance
  return (
    <div className={detail.view}>
      <div className={detail.head}>
        <Picture src={iconUrl} name={symbol} size={64} round />
        <h3>
          <bdi translate="no">{name}</bdi>
        </h3>
        <p className={detail.amount} translate="no">
          <Amount value={formatWhole(quantity.numeric)} unit={symbol} />
        </p>
        <p className={detail.quiet}>{value !== undefined && formatDollars(value, locale)}</p>
      </div>
      {actions}
      <PriceHistory balance={balance} chainId={network.caipNetworkId} />
      <div className={detail.rows}>
        <Price balance={balance} />
        <Contract balance={balance} network={network} />
      </div>
      {children}
    </div>
  )
}

/** The price history of the token; nothing if no source has ever had a price. */
function PriceHistory({
  balance: { address, price },
  chainId,
}: {
  balance: Balance
  chainId: ChainId
}) {
  const app = useApp()
  const t = useT(enToken)
  const isPriced = price !== undefined
  const [period, setPeriod] = useState<PricePeriod>(isPriced ? 'day' : 'year')
  const token = { chainId, token: address }
  const client = getQueryClient(app)
  const { data, isError, refetch } = useQuery(priceHistoryQuery(app, { ...token, period }), client)
  // A token without a price today may have had a price before.
  const { data: year } = useQuery(
    { ...priceHistoryQuery(app, { ...token, period: 'year' }), enabled: !isPriced },
    client,
  )
  if (!isPriced && (year === undefined || year.length < 2)) return null
  return (
    <ValueChart
      title={t('token.history')}
      period={period}
      onPeriod={setPeriod}
      points={data}
      isError={isError}
      retry={refetch}
    />
  )
}

/** The price in dollars and when it was seen. */
function Price({ balance: { price, priceUpdatedAt } }: { balance: Balance }) {
  const nowMs = useNow() ?? 0
  const t = useT(enToken)
  const { locale } = useLatchkey()
  const atMs = Date.parse(priceUpdatedAt ?? '')
  if (price === undefined) return <FactRow label={t('token.price')} detail={t('token.noPrice')} />
  const isFresh = nowMs - atMs < FRESH_PRICE_MS
  const date = new Date(atMs).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <FactRow
      label={t('token.price')}
      {...(!Number.isNaN(atMs) && {
        detail: isFresh ? t('token.priceNow') : t('tokens.priceAge', { date }),
      })}
      end={<span>{formatDollars(price, locale)}</span>}
    />
  )
}

/** The token's contract, to copy and to look up; nothing for the network's native currency. */
function Contract({ balance: { address }, network }: { balance: Balance; network: Network }) {
  const t = useT(enToken)
  const contract = address?.split(':').at(-1)
  if (contract === undefined) return null
  const explorer = explorerUrl(network, { address: contract })
  return (
    <>
      <CopyRow label={t('token.contract')} text={contract} />
      {explorer && (
        <LinkRow href={explorer} label={t('token.view')} end={<Icon name="external" size={16} />} />
      )}
    </>
  )
}

function Activity({ balance: { address } }: { balance: Balance }) {
  const t = useT(enToken)
  const token = address?.toLowerCase()
  const moves = useCallback(
    ({ transfers }: HistoryTransaction) =>
      transfers.some(
        (transfer) => transfer.fungible_info && transfer.address?.toLowerCase() === token,
      ),
    [token],
  )
  return (
    // No landmark: the page behind the modal may have a landmark of this name.
    <div>
      <h4 className={styles.title}>{t('token.activity')}</h4>
      <ActivityList only={moves} none={t('token.noActivity')} noneYet={t('token.noneYet')} />
    </div>
  )
}
