import {
  fromSmallestUnit,
  persistSwapDraft,
  type SwapToken,
  setSwapDraft,
  showView,
} from '@latchkey/core/internal'
import { isError } from '@latchkey/wire'
import { useEffect, useLayoutEffect, useState } from 'react'
import { useLatchkey } from '../../app/context.ts'
import { loadAhead } from '../../app/loadAhead.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppCapabilities } from '../../app/useAppCapabilities.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useFeatures } from '../../hooks/useFeatures.ts'
import { enSwap } from '../../locales/enSwap.ts'
import { useT } from '../../locales/useT.ts'
import { getLength } from '../../parts/Amount.tsx'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { SkeletonLine, SkeletonRows } from '../../parts/Skeleton.tsx'
import { formatDollars } from '../formatDollars.ts'
import { AmountField, AvailableAmount, ChoiceButton } from '../send/AmountField.tsx'
import send from '../send/Send.module.css'
import view from '../view.module.css'
import { fillMaxSwap } from './fillMaxSwap.ts'
import { SentSwaps } from './SentSwaps.tsx'
import styles from './Swap.module.css'
import { SwapDetails } from './SwapDetails.tsx'
import { SwapWarnings, shorten } from './SwapWarnings.tsx'
import { useSwapForm } from './useSwapForm.ts'

type Form = ReturnType<typeof useSwapForm>

/** The views that follow. */
const loadNext = () =>
  Promise.all([
    import('./SwapSelectToken.tsx'),
    import('./SwapPreview.tsx'),
    import('./SwapConfirmed.tsx'),
  ])

/**
 * The swap form. The input stays in the app's state, and in the tab if the page is reloaded; the
 * button shows what is missing.
 */
export function Swap() {
  const app = useApp()
  const getMessage = useErrorMessage()
  const t = useT(enSwap)
  const form = useSwapForm()
  const { address } = useAccount()
  const { swap: isPossible } = useAppCapabilities()
  const { isLoading } = useFeatures()
  const { from, to, step, quote, network } = form
  // Before the first paint, so that no empty form is visible.
  useLayoutEffect(() => persistSwapDraft(app), [app])
  useEffect(() => loadAhead(loadNext), [])

  if (address === undefined) return <EmptyState icon="wallet" title={t('account.gone')} />
  if (isLoading || form.isPending) return <SkeletonRows rows={3} label={t('shell.loading')} />
  if (!isPossible)
    return (
      <EmptyState
        icon="swap"
        title={t('swap.unsupported')}
        action={
          <Button onClick={() => showView(app, { name: 'Networks' })}>{t('networks.title')}</Button>
        }
      >
        {t('swap.unsupportedHint')}
      </EmptyState>
    )
  const label =
    step === 'insufficientGas'
      ? t('swap.insufficientGas', { symbol: network.nativeCurrency.symbol })
      : t(`swap.${step}`)
  return (
    <form
      className={send.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (step !== 'preview') return
        // Review exactly the values that the form shows, including defaults.
        setSwapDraft(app, { from })
        showView(app, { name: 'SwapPreview' })
      }}
    >
      <SentSwaps />
      <div className={styles.sides}>
        <Pay form={form} />
        <button
          type="button"
          className={styles.flip}
          aria-label={t('swap.flip')}
          disabled={!to}
          onClick={() => setSwapDraft(app, { from: to, to: from, amount: '' })}
        >
          <Icon name="swap" />
        </button>
        <Receive form={form} />
      </div>
      <p className={send.error} role="alert">
        {form.quoteError &&
          (hasNoLiquidity(form.quoteError) ? t('swap.noLiquidity') : getMessage(form.quoteError))}
      </p>
      {quote && from && to && (
        <>
          <SwapWarnings form={{ ...form, quote, from, to }} />
          <SwapDetails form={{ ...form, quote, from, to }} />
        </>
      )}
      <div className={view.bottom}>
        {step === 'failed' && !form.isFetching && !hasNoLiquidity(form.quoteError) ? (
          <Button variant="quiet" icon="retry" onClick={() => form.refetch()}>
            {t('action.tryAgain')}
          </Button>
        ) : (
          <Button
            type="submit"
            busy={step === 'looking'}
            aria-disabled={step !== 'preview' || undefined}
          >
            {label}
          </Button>
        )}
      </div>
    </form>
  )
}

/** The server's words for a trade that no pool can make: the amount is too large or too small. */
const hasNoLiquidity = (error: unknown) =>
  isError(error, 'SWAP_REFUSED') && error.data.reason === 'insufficient liquidity'

/** The token to pay. */
function Pay({ form: { draft, from, held, prices, step } }: { form: Form }) {
  const app = useApp()
  const getMessage = useErrorMessage()
  const t = useT(enSwap)
  const [error, setError] = useState('')
  const isWrong = step === 'incorrectValue' || step === 'insufficientBalance'
  const fillMax = async (token: SwapToken) => {
    setError('')
    try {
      await fillMaxSwap(app, token)
    } catch (cause) {
      if (!isError(cause, 'CONNECTION_CHANGED')) setError(getMessage(cause))
    }
  }
  return (
    <AmountField
      label={t('swap.pay')}
      amount={draft.amount}
      symbol={from?.symbol ?? ''}
      isWrong={isWrong}
      onChange={(amount) => setSwapDraft(app, { amount })}
      end={<TokenButton side="from" token={from} />}
      below={
        <div className={send.line}>
          <Worth amount={draft.amount} price={prices?.[0]} />
          {from && held !== undefined && (
            <AvailableAmount held={held} symbol={from.symbol} onMax={() => fillMax(from)} />
          )}
        </div>
      }
    >
      <p className={send.error} role="alert">
        {error}
      </p>
    </AmountField>
  )
}

/** The token to receive, with the server's current quote. */
function Receive({ form: { to, quote, prices, step } }: { form: Form }) {
  const t = useT(enSwap)
  const amount = quote && to ? fromSmallestUnit(quote.expected, to.decimals) : ''
  const shown = amount === '' ? '' : shorten(amount)
  return (
    <div className={send.field}>
      <span className={send.label}>{t('swap.receive')}</span>
      <div className={send.line}>
        <output
          translate="no"
          className={`${styles.received} ${send.digits}`}
          data-length={getLength(shown)}
          data-empty={amount === '' || undefined}
          title={amount}
        >
          {amount !== '' ? shown : step === 'looking' ? <SkeletonLine /> : '0'}
        </output>
        <TokenButton side="to" token={to} />
      </div>
      <div className={send.line}>
        <Worth amount={amount} price={prices?.[1]} />
      </div>
    </div>
  )
}

function Worth({ amount, price }: { amount: string; price: number | undefined }) {
  const { locale } = useLatchkey()
  const worth = amount === '' || price === undefined ? Number.NaN : Number(amount) * price
  return (
    <span className={send.quiet}>{Number.isFinite(worth) && formatDollars(worth, locale)}</span>
  )
}

function TokenButton({ side, token }: { side: 'from' | 'to'; token: SwapToken | undefined }) {
  const app = useApp()
  const t = useT(enSwap)
  const text = side === 'from' ? 'swap.payToken' : 'swap.receiveToken'
  const symbol = token?.symbol ?? t('swap.chooseToken')
  return (
    <ChoiceButton
      label={t(text, { symbol })}
      image={token && { src: token.iconUrl, name: symbol }}
      onClick={() => showView(app, { name: 'SwapSelectToken', side })}
    >
      {symbol}
    </ChoiceButton>
  )
}
