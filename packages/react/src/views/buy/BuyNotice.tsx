import { usualBuyTerms } from '@latchkey/core/internal'
import { useLatchkey } from '../../app/context.ts'
import { enBuy } from '../../locales/enBuy.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FactRow, Tag } from '../../parts/Row.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import styles from '../view.module.css'
import { SellerFees } from './BuyQuote.tsx'
import { formatMoney } from './formatMoney.ts'
import type { useBuySelection } from './useBuySelection.ts'

/**
 * The notice that replaces a form that cannot be shown: it is loading, it failed, nothing is sold,
 * or no account is connected.
 */
export function BuyNotice({
  address,
  network,
  options,
  hasFailed,
  retry,
}: ReturnType<typeof useBuySelection>) {
  const t = useT(enBuy)
  if (address === undefined) return <EmptyState icon="wallet" title={t('account.gone')} />
  if (options)
    return (
      <EmptyState icon="coins" title={t('buy.nothing', { network: network.name })}>
        {t('buy.nothingHint')}
      </EmptyState>
    )
  if (!hasFailed) return <SkeletonRows rows={3} label={t('shell.loading')} />
  return (
    <div className={styles.column}>
      <EmptyState
        icon="alert"
        role="alert"
        title={t('buy.failed')}
        action={<Button onClick={() => retry()}>{t('action.tryAgain')}</Button>}
      >
        {t('buy.failedHint')}
      </EmptyState>
      <UsualTerms symbol={network.nativeCurrency.symbol} />
    </div>
  )
}

/** The usual assets and limits: an estimate, from which nothing can be bought. */
function UsualTerms({ symbol }: { symbol: string }) {
  const t = useT(enBuy)
  const { locale } = useLatchkey()
  const { tokens, currencies, limits } = usualBuyTerms
  const range = (min: string, max: string) =>
    currencies
      .map((currency) => {
        const money = (amount: string) => formatMoney({ amount, currency }, locale)
        return t('buy.range', { min: money(min), max: money(max) })
      })
      .join(' · ')
  return (
    <section aria-label={t('buy.usual')}>
      <FactRow
        label={t('buy.usual')}
        detail={t('buy.usualHint')}
        end={<Tag>{t('buy.estimate')}</Tag>}
      />
      <FactRow
        label={[symbol, ...tokens].join(' · ')}
        detail={<SellerFees provider={usualBuyTerms} />}
      />
      {limits.map(({ id, min, max }) => (
        <FactRow key={id} label={t(`buy.${id}`)} detail={range(min, max)} />
      ))}
    </section>
  )
}
