import { type BuySelection, showView, tokenImageUrl } from '@latchkey/core/internal'
import type { OnrampQuote } from '@latchkey/wire'
import { useLatchkey } from '../../app/context.ts'
import { useApp } from '../../app/useApp.ts'
import { enBuy } from '../../locales/enBuy.ts'
import { useT } from '../../locales/useT.ts'
import { getLength } from '../../parts/Amount.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { Row, Tag } from '../../parts/Row.tsx'
import { SkeletonLine } from '../../parts/Skeleton.tsx'
import styles from '../send/Send.module.css'
import facts from '../send/SendPreview.module.css'
import viewStyles from '../view.module.css'
import own from './buy.module.css'
import { formatBought, formatMoney } from './formatMoney.ts'

/**
 * The quote for a purchase: the token, its amount, the fees, and the provider. An estimate is
 * labeled as an estimate.
 */
export function BuyQuote({
  selection,
  quote,
  isLoading,
  hasFailed,
}: {
  selection: BuySelection
  quote: OnrampQuote | undefined
  isLoading: boolean
  hasFailed: boolean
}) {
  const app = useApp()
  const t = useT(enBuy)
  const { token, provider } = selection
  const { symbol } = token
  const got = quote ? `≈ ${formatBought(quote.purchaseAmount.amount)}` : ''
  return (
    <>
      <div className={styles.field}>
        <span className={`${styles.label} ${own.head}`}>
          <span>{t('buy.get')}</span> {quote?.isEstimate && <Tag>{t('buy.estimate')}</Tag>}
        </span>
        <div className={styles.line}>
          <output
            translate="no"
            className={`${styles.amount} ${styles.digits} ${own.got}`}
            data-length={getLength(got)}
            title={quote?.purchaseAmount.amount}
          >
            {isLoading && <SkeletonLine />}
            {!isLoading && (
              <bdi dir="ltr" translate="no">
                {got === '' ? '–' : got}
              </bdi>
            )}
          </output>
          <button
            type="button"
            className={styles.token}
            aria-label={t('buy.token', { symbol })}
            onClick={() => showView(app, { name: 'OnRampTokenSelect' })}
          >
            <Picture src={tokenImageUrl(app, symbol)} name={symbol} size={24} round />
            <span>{symbol}</span>
            <Icon name="down" size={16} />
          </button>
        </div>
        <span className={viewStyles.hidden} role="status">
          {isLoading && t('buy.quoteLoading')}
        </span>
      </div>
      {(quote || isLoading) && <Fees quote={quote} />}
      <div className={viewStyles.column}>
        <Row
          label={provider.name}
          detail={
            <>
              {t('buy.seller')} · <SellerFees provider={provider} />
            </>
          }
          end={<Icon name="forward" size={16} />}
          onClick={() => showView(app, { name: 'OnRampProviders', isFromForm: true })}
        />
      </div>
      {(hasFailed || quote?.isEstimate) && (
        <p className={viewStyles.foot} role="status">
          {t(hasFailed ? 'buy.noQuote' : 'buy.estimateHint', { provider: provider.name })}
        </p>
      )}
    </>
  )
}

/** Shows the usual rows before the price is loaded, so that the button below does not move. */
function Fees({ quote }: { quote: OnrampQuote | undefined }) {
  const t = useT(enBuy)
  const { locale } = useLatchkey()
  const { coinbaseFee, networkFee, paymentTotal } = quote ?? {}
  const rows = [
    ...(coinbaseFee || !quote ? [[t('buy.fee'), coinbaseFee] as const] : []),
    ...(networkFee && /[1-9]/.test(networkFee.amount)
      ? [[t('buy.networkFee'), networkFee] as const]
      : []),
    [t('buy.total'), paymentTotal] as const,
  ]
  return (
    <dl className={facts.facts}>
      {rows.map(([name, price]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{price ? formatMoney(price, locale) : <SkeletonLine />}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The range of a provider's fees, `Fees 1–2 %`. */
export function SellerFees({
  provider,
}: {
  provider: Pick<BuySelection['provider'], 'feePercent'>
}) {
  const t = useT(enBuy)
  const { locale } = useLatchkey()
  const { min, max } = provider.feePercent
  const format = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
  const percent = min === max ? format.format(max / 100) : format.formatRange(min / 100, max / 100)
  return t('buy.sellerFees', { percent })
}
