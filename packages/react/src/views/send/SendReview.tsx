import {
  type Amount,
  type FeeSpeed,
  fromSmallestUnit,
  goBack,
  networkImageUrl,
  type Plan,
  pushView,
  type Receiver,
  resetSendDraft,
  resetViews,
  type SendParameters,
  send,
  showToast,
  type View,
} from '@latchkey/core/internal'
import { type Balance, type ChainId, type ErrorCode, isError } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { planQuery } from '../../app/queries/accountQueries.ts'
import { freshNameQuery } from '../../app/queries/nftQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useAction } from '../../app/useAction.ts'
import { useApp } from '../../app/useApp.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enHoldings } from '../../locales/enHoldings.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { RemoteHint } from '../pairing/RemoteHint.tsx'
import views from '../view.module.css'
import { FeeChoices } from './FeeChoices.tsx'
import { Fact, FeeRow, feeName } from './FeeRow.tsx'
import { FormattedAddress, ReceiverSide } from './ReceiverSide.tsx'
import { reportFailure } from './reportFailure.ts'
import styles from './SendPreview.module.css'
import { useLookalike } from './useLookalike.ts'

/**
 * The common part of all reviews, in addition to the question: recipient, account, network, fee and
 * problems. Resolves a name again and sends only to the address that is shown.
 */
export function SendReview({
  view,
  question,
  sending,
  receiver,
  from,
  balances,
  onSpeed,
  onSmallCoins,
  explain,
  nftName,
}: {
  view: View
  question: ReactNode
  sending: SendParameters | undefined
  receiver: Receiver
  from: string
  balances: readonly Balance[]
  /** Chooses another fee. */
  onSpeed?: (speed: FeeSpeed) => void
  /** Chooses whether small coins are spent too. */
  onSmallCoins?: (isUsed: boolean) => void
  /** The message for a failure. */
  explain: (error: unknown) => string
  /** The title of the NFT, if one is sent. */
  nftName?: string
}) {
  const app = useApp()
  const getMessage = useErrorMessage()
  const t = useT(enHoldings)
  const { network } = useNetwork()
  const chainId = network.caipNetworkId
  const plan = useQuery(planQuery(app, { address: from, chainId, sending }), getQueryClient(app))
  const lookalike = useLookalike(receiver.address)
  const { isChecking, moved } = useFreshName(receiver, chainId)
  const action = useAction(send)
  const steps = plan.data?.steps ?? []
  // While another fee is worked out, or cannot be paid, the choice stays.
  const [choices, setChoices] = useState(plan.data?.feeChoice?.choices)
  const latest = plan.data?.feeChoice?.choices
  if (latest && latest !== choices) setChoices(latest)
  const small = getSmallCoins(plan)
  const [smallCoins, setSmallCoins] = useState(small)
  if (small !== undefined && small !== smallCoins) setSmallCoins(small)
  const isSending = action.status === 'pending'
  const error = isSending ? null : (plan.error ?? action.error ?? null)

  const submit = async (ready: Plan) => {
    const draft = app.store.getState().sendDraft
    const hash = await action.mutateAsync({ plan: ready }).catch((cause) => {
      reportFailure(app, { view: view.name, cause, text: getMessage(cause) })
      throw cause
    })
    resetSendDraft(app)
    showToast(app, { message: t('preview.started'), variant: 'success' })
    if (app.store.getState().modal.history.at(-1) !== view) return
    resetViews(app, { name: 'Account' })
    pushView(app, {
      ...{ name: 'SendConfirmed', hash },
      ...(sending && {
        sent: { asset: describeAsset(sending, nftName), to: sending.to, name: receiver.name },
      }),
      ...(!sending?.token.nft && { draft }),
    })
  }
  return (
    <div className={styles.view}>
      <div className={styles.what}>
        {question}
        <ReceiverSide receiver={receiver} />
      </div>
      {/* Above the details, because the button is in sight before the end of the review is. */}
      {lookalike !== undefined && (
        <p className={styles.danger} role="alert">
          {t('receiver.lookalike', { address: lookalike })}
        </p>
      )}
      {plan.data?.mayHoldInscriptions && (
        <p className={styles.notice}>
          {t(sending?.smallCoins ? 'preview.inscriptionsSpent' : 'preview.inscriptions')}
        </p>
      )}
      {steps.some(({ isToContract }) => isToContract) && (
        <p className={styles.notice}>
          {t(sending?.token.nft ? 'nft.toContract' : 'preview.toProgram')}
        </p>
      )}
      {plan.data?.isFeeAboveAmount && (
        <p className={styles.notice}>{t('preview.feeAboveAmount')}</p>
      )}
      <dl className={styles.facts}>
        <Fact name={t('preview.from')}>
          <span className={styles.address} translate="no">
            <FormattedAddress address={from} />
          </span>
        </Fact>
        <Fact name={t('preview.network')}>
          <Picture src={networkImageUrl(app, network)} name={network.name} size={20} round />
          {network.name}
        </Fact>
        <Fact name={t(feeName(plan.data?.fee))}>
          <FeeRow amount={plan.data?.fee} isError={plan.isError} balances={balances} />
        </Fact>
        {plan.data?.deposit && (
          <Fact name={t('preview.deposit')}>
            <FeeRow amount={plan.data.deposit} isError={false} balances={balances} />
          </Fact>
        )}
        {steps.map(
          ({ received, to }) =>
            received && (
              <Fact key={to} name={t('preview.received')}>
                <bdi translate="no">{formatTransfer(received)}</bdi>
              </Fact>
            ),
        )}
      </dl>
      {choices && onSpeed && (
        <FeeChoices
          choices={choices}
          speed={sending?.speed ?? 'normal'}
          balances={balances}
          disabled={isSending}
          onChoose={onSpeed}
        />
      )}
      {smallCoins !== undefined && onSmallCoins && (
        <label className={styles.choice}>
          <input
            type="checkbox"
            checked={sending?.smallCoins ?? false}
            disabled={isSending}
            onChange={(event) => onSmallCoins(event.target.checked)}
          />
          <span>{t('preview.smallCoins', { amount: smallCoins })}</span>
        </label>
      )}
      {plan.data?.deposit && <p className={styles.notice}>{t('preview.depositHint')}</p>}
      {plan.data?.isRevocable && <p className={styles.notice}>{t('preview.revocable')}</p>}
      <p className={styles.warning}>{t('preview.warning')}</p>
      <div className={views.bottom}>
        <p className={styles.error} role="alert">
          {moved ??
            (error !== null &&
              (isError(error, 'USER_REJECTED') ? t('preview.declined') : explain(error)))}
        </p>
        {isSending && <RemoteHint />}
        <div className={styles.buttons}>
          <Button variant="quiet" onClick={() => goBack(app)}>
            {t('action.cancel')}
          </Button>
          {moved !== undefined && !isSending ? (
            <Button onClick={() => goBack(app)}>{t('preview.backToForm')}</Button>
          ) : isError(plan.error) && formErrors.includes(plan.error.code) ? (
            <Button onClick={() => goBack(app)}>{t('preview.backToForm')}</Button>
          ) : plan.isError ? (
            <Button icon="retry" onClick={() => plan.refetch()}>
              {t('action.tryAgain')}
            </Button>
          ) : (
            <Button
              busy={isSending || isChecking || plan.data === undefined}
              onClick={() => plan.data && submit(plan.data).catch(() => {})}
            >
              {isSending
                ? t('preview.waiting')
                : plan.data && !isChecking
                  ? t(isError(error, 'TRANSACTION_EXPIRED') ? 'action.tryAgain' : 'preview.send')
                  : t('send.preparing')}
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}

/** Errors that a retry does not fix, but another amount or receiver does. */
const formErrors: readonly ErrorCode[] = [
  'INVALID_ADDRESS',
  'INVALID_SEND_INPUT',
  'INSUFFICIENT_FUNDS',
  'AMOUNT_IS_DUST',
  'COINS_KEPT',
  'TRANSFER_REFUSED',
]

/**
 * The formatted sum of the coins that may hold inscriptions: from the plan, or from the error for a
 * plan that needs them.
 */
function getSmallCoins({ data, error }: { data: Plan | undefined; error: unknown }) {
  if (isError(error, 'COINS_KEPT')) return `${error.data.amount} ${error.data.symbol}`
  return data?.smallCoins && formatTransfer(data.smallCoins)
}

/** The amount with its unit. An NFT that exists once has no amount. */
function describeAsset({ amount, token }: SendParameters, nftName: string | undefined) {
  if (token.nft?.standard === 'erc721') return { name: nftName ?? token.symbol }
  return { amount: token.nft ? `${amount} ×` : amount, name: nftName ?? token.symbol }
}

const formatTransfer = ({ value, decimals, symbol }: Amount) =>
  `${fromSmallestUnit(value, decimals)} ${symbol}`

/** Resolves the receiver's name again; `moved` is true if it now has another address. */
function useFreshName({ name, address }: Receiver, chainId: ChainId) {
  const app = useApp()
  const t = useT(enHoldings)
  const { data, isLoading } = useQuery(freshNameQuery(app, { name, chainId }), getQueryClient(app))
  const isMoved = data !== undefined && data.address !== address
  return {
    // If the lookup fails, continue and show the full address.
    isChecking: isLoading,
    moved: isMoved
      ? data.address === undefined
        ? t('receiver.unknown', { name: data.name })
        : t('receiver.moved', { name: data.name, address: data.address })
      : undefined,
  }
}
