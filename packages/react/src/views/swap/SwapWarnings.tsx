import {
  formatAmount,
  formatDollars,
  fromSmallestUnit,
  type SwapQuote,
  type SwapToken,
} from '@latchkey/core/internal'
import { useLatchkey } from '../../app/context.ts'
import { enSwap } from '../../locales/enSwap.ts'
import { useT } from '../../locales/useT.ts'
import styles from './SwapWarnings.module.css'
import { getLossPercent, getTone } from './swapForm.ts'

export type Quoted = {
  from: SwapToken
  to: SwapToken
  draft: { amount: string; slippage: number }
  quote: SwapQuote
  prices: readonly (number | undefined)[] | undefined
}

/** The cost of a swap in percent, by the pools and by our prices; returns the higher. */
export function getCost({ quote, draft, to, prices }: Quoted) {
  const received = Number(fromSmallestUnit(quote.expected, to.decimals))
  const loss = getLossPercent({ paid: Number(draft.amount), received, prices })
  const impact = quote.impactPercent ?? 0
  return { loss, impact, percent: Math.max(loss ?? 0, impact) }
}

/**
 * Warnings before the user continues: a bad price, and tokens whose name anyone may have chosen.
 */
export function SwapWarnings({ form }: { form: Quoted }) {
  const t = useT(enSwap)
  const { locale } = useLatchkey()
  const { impact, loss = 0, percent } = getCost(form)
  const tone = getTone(percent)
  // The price impact covers the part of the loss that it and the pools' fee explain, and a smaller
  // amount reduces it.
  const rest = loss - impact - (form.quote.feePercent ?? 0)
  const isLoss = getTone(impact) === 'quiet' || getTone(rest) !== 'quiet'
  const paid = Number(form.draft.amount) * (form.prices?.[0] ?? 0)
  return (
    <>
      {[form.from, form.to].map(
        ({ isUnlisted, symbol, address = '' }) =>
          isUnlisted && (
            <p key={address} className={styles.notice} data-tone="warn">
              {t('swap.unlisted', { symbol, address })}
            </p>
          ),
      )}
      {tone !== 'quiet' && (
        <p className={styles.notice} data-tone={tone}>
          {isLoss
            ? t('swap.lossWarning', { percent: formatPercent(loss) })
            : paid
              ? t('swap.impactWarningWorth', {
                  percent: formatPercent(percent),
                  value: formatDollars((paid * percent) / 100, locale),
                })
              : t('swap.impactWarning', { percent: formatPercent(percent) })}
        </p>
      )}
    </>
  )
}

/** A percentage with two decimals if it is small. */
export const formatPercent = (percent: number): string =>
  percent > 0 && percent < 0.01 ? '< 0.01' : String(Number(percent.toFixed(percent < 10 ? 2 : 1)))

const shownDigits = 6

/**
 * The first six significant digits of an estimate in decimal notation, truncated because it must
 * not promise more. All digits before the point stay.
 */
export function shorten(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.')
  const before = whole.replace(/^0+/, '').length
  const zeros = before > 0 ? 0 : (/^0*/.exec(fraction)?.[0].length ?? 0)
  const text = formatAmount(amount, Math.max(0, shownDigits - before) + zeros)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}
