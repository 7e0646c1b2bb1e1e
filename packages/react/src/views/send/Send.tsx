import {
  fromSmallestUnit,
  getMaxAmount,
  isSameAddress,
  pushView,
  type Receiver,
  setSendDraft,
  toSmallestUnit,
} from '@latchkey/core/internal'
import { type Balance, isError, type PaymentLink } from '@latchkey/wire'
import { useEffect, useState } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useLatestCallback } from '../../app/useLatestCallback.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useBalances } from '../../hooks/useBalances.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enHoldings } from '../../locales/enHoldings.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import { FirstSteps } from '../account/FirstSteps.tsx'
import { Worth } from '../Worth.tsx'
import { AmountField, AvailableAmount, ChoiceButton } from './AmountField.tsx'
import { ReceiverField, receiverTexts } from './ReceiverField.tsx'
import styles from './Send.module.css'
import { getSelectedToken, getSendStep, getTokenKey, toSendParameters } from './sendDraft.ts'
import { useReceiver } from './useReceiver.ts'

/** The send form. The input stays in the app's state; the button shows what is missing. */
export function Send() {
  const app = useApp()
  const t = useT(enHoldings)
  const { network } = useNetwork()
  const draft = useAppState((state) => state.sendDraft)
  // What a payment link has filled in is shown, also while its receiver is deleted.
  const [isFilledIn, setFilledIn] = useState(false)
  const hasReceiver = draft.receiverAddress !== '' || draft.receiverProfileName !== undefined
  if (hasReceiver && !isFilledIn) setFilledIn(true)
  const { address } = useAccount()
  const { data: balances, isLoading, failedAtMs, refetch } = useBalances()
  const balance = getSelectedToken(balances ?? [], draft)
  const receiver = {
    address: draft.receiverAddress,
    name: draft.receiverProfileName,
    imageUrl: draft.receiverProfileImage,
  }
  const setReceiver = ({ address, name, imageUrl }: Receiver) =>
    setSendDraft(app, {
      receiverAddress: address,
      receiverProfileName: name,
      receiverProfileImage: imageUrl,
    })
  /** Fills in the token and the amount; false if the account does not hold the token. */
  const fillLink = ({ namespace, token, amount, units }: PaymentLink): boolean => {
    if (token === undefined && amount === undefined) return true
    const asked = balances?.find(({ address: id }) => {
      const own = id?.split(':').at(-1)
      if (own === undefined || token === undefined) return own === token
      return isSameAddress({ namespace, one: own, other: token })
    })
    if (!asked) return false
    const decimals = Number(asked.quantity.decimals)
    const filled = units === undefined ? amount : fromSmallestUnit(units, decimals)
    setSendDraft(app, {
      token: getTokenKey(asked),
      ...(filled !== undefined && { amount: filled }),
    })
    return true
  }
  const { status, reason, retry } = useReceiver({ receiver, onResolved: setReceiver })
  const step = getSendStep({ draft, balance, receiver: status, toUnits: toSmallestUnit })
  // If only the native balance could be read, the account may hold the token.
  const isNotHeld = balances !== undefined && balance === undefined && failedAtMs === undefined

  // If only the native balance could be read, there may be tokens.
  const isEmpty =
    failedAtMs === undefined &&
    balances?.every(({ quantity }) => !/[1-9]/.test(quantity.numeric)) === true
  // Money may have arrived since the balances were read.
  const readAgain = useLatestCallback(() => void refetch())
  useEffect(() => {
    if (isEmpty) readAgain()
  }, [isEmpty, readAgain])
  if (isLoading) return <SkeletonRows rows={3} label={t('shell.loading')} />
  const emptyHint = t('send.noTokensHint', { network: network.name })
  if (isEmpty && !isFilledIn)
    return (
      <EmptyState icon="coins" title={t('send.noTokens')} action={<FirstSteps />}>
        {emptyHint}
      </EmptyState>
    )
  const isOwn = isSameAddress({
    namespace: network.chainNamespace,
    one: draft.receiverAddress.trim(),
    other: address ?? '',
  })
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (step === 'preview') pushView(app, { name: 'SendPreview' })
      }}
    >
      <Amount
        balance={balance}
        isNotHeld={isNotHeld}
        isWrong={step === 'incorrectValue' || step === 'insufficientFunds'}
      />
      <ReceiverField
        receiver={receiver}
        status={status}
        reason={reason}
        note={isOwn ? t('send.ownAddress') : ''}
        onChange={setReceiver}
        onLink={fillLink}
        onRetry={retry}
      />
      <Button type="submit" aria-disabled={step !== 'preview' || undefined}>
        {step === 'resolving' || step === 'unresolved' ? t(receiverTexts[step]) : t(`send.${step}`)}
      </Button>
      {isEmpty && (
        <>
          <p className={styles.empty}>{emptyHint}</p>
          <FirstSteps />
        </>
      )}
    </form>
  )
}

function Amount({
  balance,
  isNotHeld,
  isWrong,
}: {
  balance: Balance | undefined
  /** The draft's token is not among the balances. */
  isNotHeld: boolean
  isWrong: boolean
}) {
  const app = useApp()
  const getMessage = useErrorMessage()
  const t = useT(enHoldings)
  const { amount } = useAppState((state) => state.sendDraft)
  const [error, setError] = useState('')
  const [isKept, setIsKept] = useState(false)
  const symbol = balance?.symbol ?? ''
  const fillMax = async () => {
    if (!balance) return
    const before = app.store.getState().sendDraft
    const { token, to, speed, smallCoins } = toSendParameters(before, balance)
    // The user has chosen another token or typed an amount meanwhile.
    const isLate = () => {
      const { sendDraft } = app.store.getState()
      return sendDraft.token !== before.token || sendDraft.amount !== before.amount
    }
    setError('')
    setIsKept(false)
    try {
      const amount = await getMaxAmount(app, { token, to, speed, smallCoins })
      if (!isLate()) setSendDraft(app, { amount })
    } catch (cause) {
      if (isLate() || isError(cause, 'CONNECTION_CHANGED')) return
      setError(getMessage(cause))
      setIsKept(isError(cause, 'COINS_KEPT'))
    }
  }
  const spendSmallCoins = () => {
    setSendDraft(app, { smallCoins: true })
    void fillMax()
  }
  return (
    <AmountField
      label={t('send.amount')}
      amount={amount}
      symbol={symbol}
      isWrong={isWrong}
      onChange={(next) => setSendDraft(app, { amount: next })}
      end={
        <ChoiceButton
          label={balance ? t('send.token', { symbol }) : t('send.chooseToken')}
          image={balance && { src: balance.iconUrl, name: symbol }}
          onClick={() => pushView(app, { name: 'SendSelectToken' })}
        >
          {balance ? symbol : t('send.chooseToken')}
        </ChoiceButton>
      }
      below={
        <div className={styles.line}>
          <Worth amount={amount} price={balance?.price} />
          {balance && (
            <AvailableAmount held={balance.quantity.numeric} symbol={symbol} onMax={fillMax} />
          )}
        </div>
      }
    >
      <p className={styles.error} role="alert">
        {isNotHeld ? t('send.notHeld') : error}
      </p>
      {isKept && (
        <button type="button" className={styles.max} onClick={spendSmallCoins}>
          {t('send.smallCoins')}
        </button>
      )}
    </AmountField>
  )
}
