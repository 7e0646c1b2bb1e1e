import { type SentSwap, showView } from '@latchkey/core/internal'
import { type ChainId, isError, parseChainId } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { callsQuery, transactionQuery } from '../../app/queries/accountQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { dropSwap, sentSwapsQuery } from '../../app/queries/swapQueries.ts'
import { useAccountScope } from '../../app/useAccountScope.ts'
import { useApp } from '../../app/useApp.ts'
import { enSwap } from '../../locales/enSwap.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { Icon, type IconName } from '../../parts/Icon.tsx'
import { Row, RowIcon } from '../../parts/Row.tsx'
import view from '../view.module.css'
import warnings from './SwapWarnings.module.css'

/**
 * The account's swaps whose outcome is unknown, each with a way back to it. Also after a reload, so
 * that the user makes no swap twice.
 */
export function SentSwaps() {
  const app = useApp()
  const { address, chainId } = useAccountScope()
  const { data: swaps = [] } = useQuery(
    sentSwapsQuery(app, { address, chainId }),
    getQueryClient(app),
  )
  if (swaps.length === 0) return null
  return (
    <div className={view.column}>
      {swaps.map((swap) => {
        const { hash, callsId, askedAtMs } = swap
        if (hash) return <Transaction key={askedAtMs} swap={swap} chainId={chainId} hash={hash} />
        if (callsId) return <Batch key={askedAtMs} swap={swap} chainId={chainId} id={callsId} />
        return <Unanswered key={askedAtMs} swap={swap} />
      })}
    </div>
  )
}

/**
 * The wallet has not responded to the request, maybe because the page was closed: only the wallet
 * can show its status.
 */
function Unanswered({ swap }: { swap: SentSwap }) {
  const app = useApp()
  const t = useT(enSwap)
  return (
    <div className={warnings.notice} data-tone="warn">
      <p className={warnings.title}>{useTitle(swap)}</p>
      <p>{t('sentSwap.unanswered')}</p>
      <Button variant="text" onClick={() => dropSwap(app, { id: swap.askedAtMs })}>
        {t('sentSwap.dismiss')}
      </Button>
    </div>
  )
}

type SwapStatus = keyof typeof icons

function Transaction({ swap, chainId, hash }: { swap: SentSwap; chainId: ChainId; hash: string }) {
  const app = useApp()
  const { data, error } = useQuery(
    transactionQuery(app, { hash, chainId, address: swap.address }),
    getQueryClient(app),
  )
  const failure = isError(error, 'TRANSACTION_EXPIRED') ? 'expired' : 'unknown'
  const outcome = data?.status ?? (error === null ? 'waiting' : failure)
  const open = () => showView(app, { name: 'SwapConfirmed', hash })
  return <SentRow swap={swap} outcome={outcome} onOpen={open} />
}

function Batch({ swap, chainId, id }: { swap: SentSwap; chainId: ChainId; id: string }) {
  const app = useApp()
  const { namespace } = parseChainId(chainId)
  const { data, error } = useQuery(callsQuery(app, { id, namespace }), getQueryClient(app))
  const outcome = data ? outcomes[data.status] : error === null ? 'waiting' : 'unknown'
  const open = () => showView(app, { name: 'CallsStatus', id, namespace })
  return <SentRow swap={swap} outcome={outcome} onOpen={open} />
}

function SentRow({
  swap,
  outcome,
  onOpen,
}: {
  swap: SentSwap
  outcome: SwapStatus
  onOpen: () => void
}) {
  const app = useApp()
  const t = useT(enSwap)
  const isOpen = outcome === 'waiting' || outcome === 'unknown'
  return (
    <>
      <Row
        start={<RowIcon name={icons[outcome]} />}
        label={useTitle(swap)}
        detail={t(`swapped.${outcome}`)}
        end={<Icon name="forward" size={16} />}
        onClick={onOpen}
      />
      {/* The network may forget one without including it. */}
      {isOpen && (
        <Button variant="text" onClick={() => dropSwap(app, { id: swap.askedAtMs })}>
          {t('sentSwap.hide')}
        </Button>
      )}
    </>
  )
}

function useTitle({ amount, fromSymbol, toSymbol }: SentSwap) {
  const t = useT(enSwap)
  return <bdi translate="no">{t('sentSwap.title', { amount, from: fromSymbol, to: toSymbol })}</bdi>
}

const outcomes = {
  pending: 'waiting',
  confirmed: 'success',
  failed: 'reverted',
  partial: 'reverted',
} as const

const icons = {
  waiting: 'clock',
  success: 'check',
  reverted: 'alert',
  expired: 'alert',
  unknown: 'clock',
  cancelled: 'alert',
  replaced: 'alert',
} as const satisfies Record<string, IconName>
