import { formatDollars, goBack, type Receiver, setSendDraft } from '@latchkey/core/internal'
import type { Balance } from '@latchkey/wire'
import { useState } from 'react'
import { useLatchkey } from '../../app/context.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useBalances } from '../../hooks/useBalances.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enHoldings } from '../../locales/enHoldings.ts'
import { useT } from '../../locales/useT.ts'
import { Amount } from '../../parts/Amount.tsx'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import { SendQuestion } from '../review/SendQuestion.tsx'
import type { ViewProps } from '../viewProps.ts'
import styles from './SendPreview.module.css'
import { SendReview } from './SendReview.tsx'
import { getSelectedToken, toSendParameters } from './sendDraft.ts'

/** The review of a transfer: the amount, the receiver, the network and the cost. */
export function SendPreview({ view }: ViewProps<'SendPreview'>) {
  const app = useApp()
  const t = useT(enHoldings)
  const getMessage = useErrorMessage()
  const { address } = useAccount()
  const { caipNetworkId: chainId } = useNetwork().network
  const current = useAppState((state) => state.sendDraft)
  // A sent draft is cleared at once; the reviewed draft stays visible until the next view.
  const [reviewed] = useState({ draft: current, chainId })
  const [speed, setSpeed] = useState(current.speed)
  const [smallCoins, setSmallCoins] = useState(current.smallCoins ?? false)
  const draft = { ...reviewed.draft, ...(speed && { speed }), smallCoins }
  const { data: balances, isLoading } = useBalances()
  const balance = getSelectedToken(balances ?? [], draft)
  const receiver = {
    address: draft.receiverAddress,
    name: draft.receiverProfileName,
    imageUrl: draft.receiverProfileImage,
  }

  if (isLoading) return <SkeletonRows rows={4} label={t('shell.loading')} />
  const isElsewhere = chainId !== reviewed.chainId
  if (isElsewhere || balance === undefined || draft.amount === '' || address === undefined) {
    return (
      <EmptyState
        icon="alert"
        title={t('preview.incomplete')}
        action={<Button onClick={() => goBack(app)}>{t('preview.backToForm')}</Button>}
      />
    )
  }
  return (
    <SendReview
      view={view}
      question={<What balance={balance} amount={draft.amount} receiver={receiver} />}
      sending={toSendParameters(draft, balance)}
      receiver={receiver}
      from={address}
      onSpeed={(next) => {
        setSpeed(next)
        // The form's Max follows it.
        setSendDraft(app, { speed: next })
      }}
      onSmallCoins={(isUsed) => {
        setSmallCoins(isUsed)
        setSendDraft(app, { smallCoins: isUsed })
      }}
      balances={balances ?? []}
      explain={getMessage}
    />
  )
}

function What({
  balance: { symbol, price, iconUrl },
  amount,
  receiver,
}: {
  balance: Balance
  amount: string
  receiver: Receiver
}) {
  const { locale } = useLatchkey()
  return (
    <SendQuestion
      asset={<Amount value={amount} unit={symbol} />}
      receiver={receiver}
      picture={<Picture src={iconUrl} name={symbol} round />}
    >
      {price !== undefined && (
        <p className={styles.label}>{formatDollars(Number(amount) * price, locale)}</p>
      )}
    </SendQuestion>
  )
}
