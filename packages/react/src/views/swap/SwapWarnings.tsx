import {
  formatAmount,
  fromSmallestUnit,
  type SwapQuote,
  type SwapToken,
} from '@latchkey/core/internal'
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

/**
 * What a swap costs the user by the pools and by our own prices, in per cent; the higher counts.
 */
export function getCost({ quote, draft, to, prices }: Quoted) {
  const received = Number(fromSmallestUnit(quote.expected, to.decimals))
  const loss = getLossPercent({ paid: Number(draft.amount), received, prices })
  const impact = quote.impactPercent ?? 0
  return { loss, impact, percent: Math.max(loss ?? 0, impact) }
}

/**
 * What the user should know before going on: a bad price, and tokens that anybody may have named.
 */
export function SwapWarnings({ form }: { form: Quoted }) {
  const t = useT(enSwap)
  const { impact, loss = 0, percent } = getCost(form)
  const tone = getTone(percent)
  // What the price impact and the pools' fee explain is said by the impact, which a smaller amount
  // makes smaller.
  const rest = loss - impact - (form.quote.feePercent ?? 0)
  const isLoss = getTone(impact) === 'quiet' || getTone(rest) !== 'quiet'
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
            : t('swap.impactWarning', { percent: formatPercent(impact) })}
        </p>
      )}
    </>
  )
}

/** Per cent with two decimals where that says something. */
export const formatPercent = (percent: number): string =>
  percent > 0 && percent < 0.01 ? '< 0.01' : String(Number(percent.toFixed(percent < 10 ? 2 : 1)))

/**
 * A decimal string with six of its decimals at most, unless more are asked for, cut off: it must
 * not promise more.
 */
export function shorten(amount: string, decimals = 6): string {
  const text = formatAmount(amount, decimals).replace(/\.?0+$/, '')
  return /[1-9]/.test(text) ? text : amount
}
