import { fromSmallestUnit, truncateAddress } from '@latchkey/core/internal'
import { useNow } from '../../app/useNow.ts'
import { enSwap } from '../../locales/enSwap.ts'
import { useT } from '../../locales/useT.ts'
import { Amount } from '../../parts/Amount.tsx'
import { IconButton } from '../../parts/Button.tsx'
import { Fact } from '../send/FeeRow.tsx'
import preview from '../send/SendPreview.module.css'
import { SlippageField } from './SlippageField.tsx'
import styles from './SwapDetails.module.css'
import { formatPercent, getCost, type Quoted, shorten } from './SwapWarnings.tsx'
import { getTone } from './swapForm.ts'

const rateFormat = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6 })

/** The details of a quote: price, price impact, fee, minimum, route, and its age. */
export function SwapDetails({ form }: { form: Quoted & Age }) {
  const t = useT(enSwap)
  const { draft, from, to, quote } = form
  const slippage = quote.isWrap ? 0 : draft.slippage
  const minimum = fromSmallestUnit(getMinimum(quote.expected, slippage), to.decimals)
  return (
    <div className={styles.details}>
      <QuoteAge {...form} />
      <details>
        <summary>
          <bdi translate="no">
            {t('swap.rateText', { from: from.symbol, to: to.symbol, amount: getRate(form) })}
          </bdi>
        </summary>
        <dl className={preview.facts}>
          <QuoteFacts form={form} />
        </dl>
        <SlippageField slippage={draft.slippage} />
      </details>
      <dl className={preview.facts}>
        <Fact name={t('swap.minimum')}>
          <Amount value={shorten(minimum)} unit={to.symbol} full={minimum} />
        </Fact>
      </dl>
    </div>
  )
}

type Age = { quotedAtMs: number; isFetching: boolean; refetch: () => unknown }

/** The age of a price, and a button to refetch it. */
export function QuoteAge({ quotedAtMs, isFetching, refetch }: Age) {
  const t = useT(enSwap)
  const seconds = useSecondsSince(quotedAtMs)
  return (
    <div className={styles.age}>
      <span>{t('swap.updated', { count: seconds })}</span>
      <IconButton
        icon="retry"
        label={t('swap.refresh')}
        aria-disabled={isFetching || undefined}
        onClick={() => !isFetching && refetch()}
      />
    </div>
  )
}

/** Price impact, loss at known prices, fee and route, as far as the server reports them. */
export function QuoteFacts({ form }: { form: Quoted }) {
  const t = useT(enSwap)
  const { quote, from, to } = form
  const { impact, loss } = getCost(form)
  const nameOf = (address: string) =>
    [from, to].find((token) => token.address?.toLowerCase() === address)?.symbol ??
    truncateAddress(address)
  return (
    <>
      {quote.impactPercent !== undefined && (
        <Fact name={t('swap.impact')}>
          <span data-tone={getTone(impact)} className={styles.percent}>
            <span dir="ltr">{t('swap.share', { percent: formatPercent(impact) })}</span>
          </span>
        </Fact>
      )}
      {loss !== undefined && (
        <Fact name={t('swap.loss')}>
          <span data-tone={getTone(loss)} className={styles.percent}>
            <span dir="ltr">{t('swap.share', { percent: formatPercent(loss) })}</span>
          </span>
        </Fact>
      )}
      {quote.feePercent !== undefined && (
        <Fact name={t('swap.poolFee')}>
          <span className={preview.fee}>
            <span dir="ltr">{t('swap.share', { percent: formatPercent(quote.feePercent) })}</span>
            <small>{t('swap.poolFeeHint')}</small>
          </span>
        </Fact>
      )}
      <Fact name={t('swap.route')}>
        <span className={styles.route}>
          {quote.isWrap && <span>{t('swap.wrap')}</span>}
          {quote.route.map(({ percent, tokens, exchanges }) => (
            <span key={`${tokens.join()}${exchanges.join()}`}>
              <span dir="ltr">{t('swap.share', { percent })}</span>{' '}
              {tokens.slice(1, -1).map((address) => (
                <span key={address} title={address}>
                  <bdi translate="no">{nameOf(address)}</bdi>{' '}
                </span>
              ))}
              <small>{exchanges.join(', ')}</small>
            </span>
          ))}
        </span>
      </Fact>
    </>
  )
}

/** How many tokens a whole token buys, at the quote for the entered amount. */
function getRate({ draft, quote, to }: Quoted): string {
  const rate = Number(fromSmallestUnit(quote.expected, to.decimals)) / Number(draft.amount)
  return Number.isFinite(rate) ? rateFormat.format(rate) : '–'
}

/** The minimum received, rounded up; the transaction has the exact amount. */
const getMinimum = (expected: bigint, slippage: number) =>
  (expected * (10_000n - BigInt(Math.round(slippage * 100))) + 9_999n) / 10_000n

const SECOND_MS = 1_000

/** Whole seconds since a moment. */
function useSecondsSince(atMs: number): number {
  const nowMs = useNow(SECOND_MS) ?? 0
  return Math.max(0, Math.floor((nowMs - atMs) / SECOND_MS))
}
