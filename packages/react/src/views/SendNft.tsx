import { pushView, type Receiver, replaceView } from '@latchkey/core'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useAccount } from '../hooks/useAccount.ts'
import { useApp } from '../hooks/useApp.ts'
import { useHoldingsT } from '../hooks/useHoldingsT.ts'
import { useReceiver } from '../hooks/useReceiver.ts'
import { nftQuery } from '../nftQueries.ts'
import { Button } from '../parts/Button.tsx'
import { NftPicture } from '../parts/NftPicture.tsx'
import { FactRow } from '../parts/Row.tsx'
import { SkeletonRows } from '../parts/Skeleton.tsx'
import { queryClientOf } from '../queries.ts'
import type { ViewProps } from '../views.ts'
import { nftName } from './nftText.ts'
import { ReceiverField } from './ReceiverField.tsx'
import styles from './Send.module.css'
import sheet from './SendNft.module.css'
import { receiverStep } from './sendDraft.ts'

/** To whom an NFT goes, and how many where there may be several. */
export function SendNft({ view }: ViewProps<'SendNft'>) {
  const app = useApp()
  const t = useHoldingsT()
  const { nft, amount = '1', receiver = { address: '' } } = view
  const { address } = useAccount()
  const { data } = useQuery(nftQuery(app, { nft, owner: address }), queryClientOf(app))
  // In the view itself, so that nothing is lost when one comes back from the next.
  const change = (typed: { amount?: string; receiver?: Receiver }) => {
    const top = app.store.getState().modal.history.at(-1)
    if (top?.name === 'SendNft') replaceView(app, { ...top, ...typed })
  }
  const { status, retry } = useReceiver({
    receiver,
    onResolved: (resolved) => change({ receiver: resolved }),
  })
  if (data === undefined) return <SkeletonRows rows={3} label={t('shell.loading')} />

  const isMany = data.standard === 'erc1155'
  const isAmountRight = isWithin(amount, data.quantity)
  const step = !isAmountRight ? 'incorrectValue' : receiverStep(status)
  const isOwn = receiver.address.toLowerCase() === address?.toLowerCase()
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (step === 'preview') pushView(app, { name: 'SendNftPreview', nft, amount, receiver })
      }}
    >
      <FactRow
        start={
          <span className={sheet.small}>
            <NftPicture nft={data} />
          </span>
        }
        label={<bdi>{nftName(data)}</bdi>}
        detail={<bdi>{data.collection.name ?? data.collection.symbol}</bdi>}
      />
      {isMany && (
        <Quantity
          amount={amount}
          held={data.quantity}
          isWrong={!isAmountRight}
          onChange={(next) => change({ amount: next })}
        />
      )}
      <ReceiverField
        receiver={receiver}
        status={status}
        note={isOwn ? t('send.ownAddress') : ''}
        onChange={(next) => change({ receiver: next })}
        onRetry={retry}
      />
      <Button type="submit" aria-disabled={step !== 'preview' || undefined}>
        {step === 'resolving'
          ? t('receiver.wait')
          : step === 'unresolved'
            ? t('receiver.incomplete')
            : t(`send.${step}`)}
      </Button>
    </form>
  )
}

/** Whether a text is a whole number from 1 to what is held. */
const isWithin = (amount: string, held: string) =>
  /^\d{1,78}$/.test(amount) && BigInt(amount) > 0n && BigInt(amount) <= BigInt(held)

function Quantity({
  amount,
  held,
  isWrong,
  onChange,
}: {
  amount: string
  held: string
  isWrong: boolean
  onChange: (amount: string) => void
}) {
  const t = useHoldingsT()
  const id = useId()
  return (
    <div className={styles.field} data-wrong={isWrong || undefined}>
      <label className={styles.label} htmlFor={id}>
        {t('nft.quantity')}
      </label>
      <div className={styles.line}>
        <input
          id={id}
          className={styles.amount}
          inputMode="numeric"
          autoComplete="off"
          value={amount}
          aria-invalid={isWrong || undefined}
          aria-describedby={`${id}-note`}
          onChange={(event) => onChange(event.target.value.trim())}
        />
        <span className={styles.quiet}>
          {t('nft.quantityHeld', { count: held })}
          <button type="button" className={styles.max} onClick={() => onChange(held)}>
            {t('send.max')}
          </button>
        </span>
      </div>
      <p id={`${id}-note`} className={styles.error} role="status">
        {isWrong && t('nft.quantityWrong', { count: held })}
      </p>
    </div>
  )
}
