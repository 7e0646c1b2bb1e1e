import {
  type BuySelection,
  openCheckoutWindow,
  type Purchase,
  parseBuyAmount,
  setBuyDraft,
  showView,
  startOrder,
} from '@latchkey/core/internal'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef } from 'react'
import { useLatchkey } from '../../app/context.ts'
import { loadAhead } from '../../app/loadAhead.ts'
import { buyQuoteQuery, refreshPurchases } from '../../app/queries/buyQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useAction } from '../../app/useAction.ts'
import { useApp } from '../../app/useApp.ts'
import { useDebounced } from '../../app/useDebounced.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { enBuy } from '../../locales/enBuy.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { RecoveryFirst } from '../recovery/RecoveryFirst.tsx'
import { AmountField, ChoiceButton } from '../send/AmountField.tsx'
import styles from '../send/Send.module.css'
import viewStyles from '../view.module.css'
import { BuyMethods } from './BuyMethods.tsx'
import { BuyNotice } from './BuyNotice.tsx'
import { BuyQuote } from './BuyQuote.tsx'
import buyStyles from './buy.module.css'
import { formatMoney } from './formatMoney.ts'
import { OpenOrders } from './OpenOrders.tsx'
import { useBuySelection } from './useBuySelection.ts'

/** How long after the last key press a price is requested. */
const quoteWaitMs = 300

/** Amounts to choose with one press, in any currency. */
const quickAmounts = ['50', '100', '250']

/** The views that follow. */
const loadNext = () =>
  Promise.all([
    import('./OnRampTokenSelect.tsx'),
    import('./OnRampFiatSelect.tsx'),
    import('./OnRampProviders.tsx'),
  ])

/** Buys crypto: the amount, currency, payment method, token, and provider. */
export const Buy = () => (
  <RecoveryFirst>
    <Purchasing />
  </RecoveryFirst>
)

function Purchasing() {
  const state = useBuySelection()
  const { selection, address, draft } = state
  useEffect(() => loadAhead(loadNext), [])
  if (!selection || address === undefined) return <BuyNotice {...state} />
  return <BuyForm selection={selection} address={address} typed={draft.amount} />
}

function BuyForm({
  selection,
  address,
  typed,
}: {
  selection: BuySelection
  address: string
  typed: string
}) {
  const app = useApp()
  const getMessage = useErrorMessage()
  const t = useT(enBuy)
  const { locale } = useLatchkey()
  const form = useRef<HTMLFormElement>(null)
  // Load the next view before the user pays, so that a lost connection cannot prevent it.
  useEffect(() => void import('./BuyInProgress.tsx').catch(() => {}), [])
  const { chainId, token, currency, method, provider, limits } = selection
  const parsed = parseBuyAmount(typed, limits)
  const toPurchase = (text: string): Purchase | undefined => {
    const settled = parseBuyAmount(text, limits)
    return 'amount' in settled
      ? { chainId, token, currency, method, providerId: provider.id, amount: settled.amount }
      : undefined
  }
  const quote = useQuery(
    buyQuoteQuery(app, { purchase: toPurchase(useDebounced(typed, quoteWaitMs)) }),
    getQueryClient(app),
  )
  const { mutateAsync: run, status, error } = useAction(startOrder)
  const isBusy = status === 'pending'
  const money = (amount: string) => formatMoney({ amount, currency }, locale)
  const range = { min: money(limits.min), max: money(limits.max) }
  const problem = 'problem' in parsed ? parsed.problem : undefined
  const labels = {
    empty: t('buy.enterAmount'),
    invalid: t('buy.wrongAmount'),
    tooLow: t('buy.tooLow', range),
    tooHigh: t('buy.tooHigh', range),
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const purchase = toPurchase(typed)
    if (!purchase || isBusy) return
    const getTopView = () => app.store.getState().modal.history.at(-1)
    const view = getTopView()
    // Now, because a browser opens a window only in the click.
    const opened = openCheckoutWindow(app)
    try {
      const { id } = await run({ purchase, address, opened })
      await refreshPurchases(app)
      // The user may have left the form, in the modal or on a page.
      if (form.current === null || getTopView() !== view) return
      showView(app, { name: 'BuyInProgress', orderId: id, ...(!opened && { isBlocked: true }) })
    } catch {
      // The form shows it.
    }
  }
  return (
    <form ref={form} className={styles.form} noValidate onSubmit={submit}>
      <OpenOrders />
      <PaidAmount selection={selection} typed={typed} isWrong={problem !== undefined} />
      <BuyMethods selection={selection} disabled={isBusy} />
      <BuyQuote
        selection={selection}
        quote={problem === undefined ? quote.data : undefined}
        isLoading={problem === undefined && !quote.data && !quote.isError}
        hasFailed={problem === undefined && quote.isError}
      />
      <p className={viewStyles.problem} role="alert">
        {status === 'error' && t('buy.startFailed', { reason: getMessage(error) })}
      </p>
      <div className={viewStyles.bottom}>
        <Button type="submit" busy={isBusy} aria-disabled={problem !== undefined || undefined}>
          {problem ? labels[problem] : t('buy.next', { provider: provider.name })}
        </Button>
        <p className={viewStyles.foot} role="status">
          {t(isBusy ? 'buy.opening' : 'buy.foot', { provider: provider.name })}
        </p>
      </div>
    </form>
  )
}

function PaidAmount({
  selection,
  typed,
  isWrong,
}: {
  selection: BuySelection
  typed: string
  isWrong: boolean
}) {
  const app = useApp()
  const t = useT(enBuy)
  const { locale } = useLatchkey()
  const { currency, limits } = selection
  const money = (amount: string) => formatMoney({ amount, currency }, locale)
  const quick = quickAmounts.filter((amount) => 'amount' in parseBuyAmount(amount, limits))
  return (
    <AmountField
      label={t('buy.pay')}
      amount={typed}
      symbol={currency}
      isWrong={isWrong && typed !== ''}
      onChange={(amount) => setBuyDraft(app, { amount })}
      end={
        <ChoiceButton
          label={t('buy.currency', { currency })}
          onClick={() => showView(app, { name: 'OnRampFiatSelect' })}
        >
          {currency}
        </ChoiceButton>
      }
      below={
        <>
          <span className={styles.label}>
            {t('buy.limits', { min: money(limits.min), max: money(limits.max) })}
          </span>
          {quick.length > 0 && (
            <span className={buyStyles.quick}>
              {quick.map((amount) => (
                <button
                  key={amount}
                  type="button"
                  className={buyStyles.chip}
                  onClick={() => setBuyDraft(app, { amount })}
                >
                  <bdi translate="no">
                    {Number(amount).toLocaleString(locale, {
                      style: 'currency',
                      currency,
                      maximumFractionDigits: 0,
                    })}
                  </bdi>
                </button>
              ))}
            </span>
          )}
        </>
      }
    />
  )
}
