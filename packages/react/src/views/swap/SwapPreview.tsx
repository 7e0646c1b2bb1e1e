import {
  type AllowanceChoice,
  clearSwapDraft,
  fromSmallestUnit,
  goBack,
  isSignatureRefused,
  networkImageUrl,
  pushView,
  type ReviewedSwap,
  resetViews,
  type SwapDraft,
  type SwapToken,
  setSwapDraft,
  showToast,
  swap,
} from '@latchkey/core/internal'
import { isError, parseChainId } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { getQueryClient } from '../../app/queries/queries.ts'
import { swapPlanQuery, swapPricesQuery } from '../../app/queries/swapQueries.ts'
import { useAction } from '../../app/useAction.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useBalances } from '../../hooks/useBalances.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enSwap } from '../../locales/enSwap.ts'
import { useT } from '../../locales/useT.ts'
import { Amount, formatWhole } from '../../parts/Amount.tsx'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { SkeletonLine } from '../../parts/Skeleton.tsx'
import { RemoteHint } from '../pairing/RemoteHint.tsx'
import { Question } from '../review/Question.tsx'
import { Fact, FeeRow, feeName } from '../send/FeeRow.tsx'
import { reportFailure } from '../send/reportFailure.ts'
import preview from '../send/SendPreview.module.css'
import views from '../view.module.css'
import type { ViewProps } from '../viewProps.ts'
import { AllowanceField } from './AllowanceField.tsx'
import { QuoteAge, QuoteFacts } from './SwapDetails.tsx'
import styles from './SwapPreview.module.css'
import { SwapSide } from './SwapSide.tsx'
import { SwapSteps } from './SwapSteps.tsx'
import { formatPercent, getCost, SwapWarnings, shorten } from './SwapWarnings.tsx'
import { getTone } from './swapForm.ts'

type Complete = SwapDraft & { from: SwapToken; to: SwapToken }

/**
 * The review of a swap: the amount paid, the minimum received, its cost, and each step that the
 * wallet will prompt for.
 */
export function SwapPreview({ view }: ViewProps<'SwapPreview'>) {
  const app = useApp()
  const t = useT(enSwap)
  const current = useAppState((state) => state.swapDraft)
  // Load the next view before the user signs, so that a lost connection cannot prevent it.
  useEffect(() => void import('./SwapConfirmed.tsx').catch(() => {}), [])
  const { caipNetworkId: chainId } = useNetwork().network
  const { address } = useAccount()
  // A swapped draft is cleared at once; the reviewed draft stays visible until the next view.
  const [{ draft, ...reviewed }] = useState({ draft: current, chainId, address })
  const { from, to } = draft
  const isElsewhere = chainId !== reviewed.chainId || address !== reviewed.address
  if (isElsewhere || !from || !to || draft.amount === '' || address === undefined)
    return (
      <EmptyState
        icon="alert"
        title={t('preview.incomplete')}
        action={<Button onClick={() => goBack(app)}>{t('preview.backToForm')}</Button>}
      />
    )
  return <Review view={view} draft={{ ...draft, from, to }} address={address} />
}

function Review({
  view,
  draft,
  address,
}: {
  view: ViewProps<'SwapPreview'>['view']
  draft: Complete
  address: string
}) {
  const app = useApp()
  const getMessage = useErrorMessage()
  const t = useT(enSwap)
  const { network } = useNetwork()
  const chainId = network.caipNetworkId
  const { data: balances = [] } = useBalances()
  const { from, to, amount, slippage } = draft
  const action = useAction(swap)
  const isSwapping = action.status === 'pending'
  const [step, setStep] = useState<number>()
  // The swap in progress stays as it was reviewed.
  const [running, setRunning] = useState<ReviewedSwap>()
  // Each review starts with exactly the amount.
  const [allowance, setAllowance] = useState<AllowanceChoice>('signature')
  const parameters = { from, to, amount, slippage, allowance }
  const query = swapPlanQuery(app, { address, chainId, swap: parameters })
  const latest = useQuery(
    { ...query, ...(isSwapping && { refetchInterval: false as const }) },
    getQueryClient(app),
  )
  const { data: prices } = useQuery(
    swapPricesQuery(app, { chainId, tokens: [from, to] }),
    getQueryClient(app),
  )
  const plan = isSwapping ? running : latest.data
  const expected = plan && fromSmallestUnit(plan.expected.value, to.decimals)
  const [accepted, setAccepted] = useState(plan)
  if (plan && !accepted) setAccepted(plan)
  const hasMoved = plan && accepted && plan.expected.value < accepted.minimum.value
  const [isUnderstood, setUnderstood] = useState(false)
  const form = plan?.quote && { from, to, draft, quote: plan.quote, prices }
  const cost = form && getCost(form)
  const isDear = cost !== undefined && getTone(cost.percent) === 'danger'
  const error = isSwapping ? null : (latest.error ?? action.error ?? null)

  const submit = async (ready: ReviewedSwap) => {
    setRunning(ready)
    const leaving = new AbortController()
    const isHere = () => app.store.getState().modal.history.includes(view)
    const onStep = (index: number) => {
      // A user who has left the review gets no further prompts.
      if (isHere()) setStep(index)
      else leaving.abort()
    }
    const outcome = await action
      .mutateAsync({ plan: ready, onStep, signal: leaving.signal })
      .catch((cause) => {
        reportFailure(app, { view: view.name, cause, text: getMessage(cause) })
        // The allowances and prices have changed.
        if (isSignatureRefused(cause)) setAllowance('exact')
        else void latest.refetch()
        throw cause
      })
      .finally(() => setStep(undefined))
    setSwapDraft(app, { amount: '' })
    clearSwapDraft(app)
    showToast(app, { message: t('preview.started'), variant: 'success' })
    if (app.store.getState().modal.history.at(-1) !== view) return
    resetViews(app, { name: 'Account' })
    const { namespace } = parseChainId(chainId)
    const expected = shorten(fromSmallestUnit(ready.expected.value, to.decimals))
    const swapped = {
      paid: { value: amount, unit: from.symbol },
      received: { value: `≈ ${expected}`, unit: to.symbol },
    }
    pushView(
      app,
      'hash' in outcome
        ? { name: 'SwapConfirmed', hash: outcome.hash, swapped }
        : { name: 'CallsStatus', id: outcome.callsId, namespace, swapped },
    )
  }
  return (
    <div className={preview.view}>
      <div className={preview.what}>
        <Question
          text={(fill) => t('swap.ask', fill)}
          parts={{
            paid: <Amount value={amount} unit={from.symbol} />,
            received: expected ? (
              <Amount value={shorten(expected)} unit={to.symbol} full={expected} />
            ) : (
              <Amount value="…" unit={to.symbol} />
            ),
          }}
        />
        <SwapSide label={t('swap.pay')} token={from} amount={amount} price={prices?.[0]} />
        <SwapSide
          label={t('swap.receive')}
          token={to}
          amount={expected}
          isEstimate
          price={prices?.[1]}
        />
      </div>
      {/* Above the details, because the button is in sight before the end of the review is. */}
      {form && <SwapWarnings form={form} />}
      {isDear && (
        <label className={styles.understand}>
          <input
            type="checkbox"
            checked={isUnderstood}
            onChange={({ target }) => setUnderstood(target.checked)}
          />
          {t('swap.understand', { percent: formatPercent(cost.percent) })}
        </label>
      )}
      {plan && !isSwapping && (
        <QuoteAge
          quotedAtMs={latest.dataUpdatedAt}
          isFetching={latest.isFetching}
          refetch={latest.refetch}
        />
      )}
      <dl className={preview.facts}>
        <Fact name={t('swap.minimum')}>
          {plan ? (
            <Amount
              value={formatWhole(fromSmallestUnit(plan.minimum.value, to.decimals))}
              unit={to.symbol}
            />
          ) : (
            <SkeletonLine />
          )}
        </Fact>
        <Fact name={t('swap.slippage')}>
          <span dir="ltr">{t('swap.share', { percent: slippage })}</span>
        </Fact>
        {form && <QuoteFacts form={form} />}
        <Fact name={t('preview.network')}>
          <Picture src={networkImageUrl(app, network)} name={network.name} size={20} round />
          {network.name}
        </Fact>
        <Fact name={t(feeName(plan?.fee))}>
          {plan?.isBatch && plan.fee.payer === 'account' ? (
            t('preview.feeUnknown')
          ) : (
            <FeeRow amount={plan?.fee} isError={latest.isError} balances={balances} />
          )}
        </Fact>
      </dl>
      {plan && <SwapSteps plan={plan} step={isSwapping ? step : undefined} />}
      {(allowance !== 'signature' || plan?.steps.some(({ kind }) => kind !== 'swap')) && (
        <AllowanceField
          allowance={allowance}
          symbol={from.symbol}
          disabled={isSwapping}
          onChange={setAllowance}
        />
      )}
      <p className={preview.warning}>{t('swap.warning')}</p>
      <div className={views.bottom}>
        <p className={preview.error} role="alert">
          {hasMoved && !isSwapping
            ? t('swap.moved', {
                amount: shorten(fromSmallestUnit(plan.expected.value, to.decimals)),
                symbol: to.symbol,
              })
            : error !== null &&
              (isError(error, 'USER_REJECTED')
                ? t('swap.declined')
                : isSignatureRefused(error)
                  ? t('swap.signatureRefused')
                  : getMessage(error))}
        </p>
        {isSwapping && <RemoteHint />}
        <div className={preview.buttons}>
          <Button variant="quiet" onClick={() => goBack(app)}>
            {t('action.cancel')}
          </Button>
          {latest.isError && !isSwapping ? (
            <Button icon="retry" onClick={() => latest.refetch()}>
              {t('action.tryAgain')}
            </Button>
          ) : hasMoved && !isSwapping ? (
            <Button onClick={() => setAccepted(plan)}>{t('swap.accept')}</Button>
          ) : (
            <Button
              busy={isSwapping || plan === undefined}
              aria-disabled={(isDear && !isUnderstood) || undefined}
              onClick={() => plan && !(isDear && !isUnderstood) && submit(plan).catch(() => {})}
            >
              {isSwapping
                ? t('preview.waiting')
                : plan === undefined
                  ? t('send.preparing')
                  : t(getSubmitText(plan))}
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}

const getSubmitText = ({ steps: [first] }: ReviewedSwap) =>
  first?.kind === 'permit'
    ? 'swap.signAndSubmit'
    : first?.kind === 'approve'
      ? 'swap.approveAndSubmit'
      : 'swap.submit'
