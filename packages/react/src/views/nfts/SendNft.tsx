import { isSameAddress, pushView, type Receiver, setSendDraft } from '@latchkey/core/internal'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { nftQuery } from '../../app/queries/nftQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enHoldings } from '../../locales/enHoldings.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FactRow } from '../../parts/Row.tsx'
import { AmountField, MaxButton } from '../send/AmountField.tsx'
import { ReceiverField, receiverTexts } from '../send/ReceiverField.tsx'
import styles from '../send/Send.module.css'
import { getNftDraft, getReceiverStep } from '../send/sendDraft.ts'
import { useReceiver } from '../send/useReceiver.ts'
import type { ViewProps } from '../viewProps.ts'
import { NftPicture } from './NftPicture.tsx'
import { NftUnknown } from './NftUnknown.tsx'
import { nftName } from './nftText.ts'
import sheet from './SendNft.module.css'

/**
 * The recipient of an NFT, and the quantity if there may be several. The input stays in the app's
 * state.
 */
export function SendNft({ view: { nft } }: ViewProps<'SendNft'>) {
  const app = useApp()
  const t = useT(enHoldings)
  const { address } = useAccount()
  const { network, networks } = useNetwork()
  const query = useQuery(nftQuery(app, { nft, owner: address }), getQueryClient(app))
  const { data } = query
  const { amount, receiver } = getNftDraft(
    useAppState((state) => state.sendDraft),
    nft,
  )
  // Keeps the input typed since the last render.
  const change = (typed: { amount?: string; receiver?: Receiver }) =>
    setSendDraft(app, { nft: { ...getNftDraft(app.store.getState().sendDraft, nft), ...typed } })
  const { status, reason, retry } = useReceiver({
    receiver,
    contract: nft.contract,
    onResolved: (resolved) => change({ receiver: resolved }),
  })
  if (network.caipNetworkId !== nft.chainId) {
    const home = networks.find(({ caipNetworkId }) => caipNetworkId === nft.chainId)
    return (
      <EmptyState
        icon="alert"
        title={t('nft.otherNetwork', { network: home?.name ?? nft.chainId })}
      />
    )
  }
  if (data === undefined) return <NftUnknown query={query} />
  if (data.quantity === '0') return <EmptyState icon="image" title={t('nft.notHeld')} />

  const isMany = data.standard === 'erc1155'
  const isAmountRight = isWithin(amount, data.quantity)
  const step = !isAmountRight ? 'incorrectValue' : getReceiverStep(status)
  const isOwn = isSameAddress({
    namespace: network.chainNamespace,
    one: receiver.address,
    other: address ?? '',
  })
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
        label={<bdi translate="no">{nftName(data)}</bdi>}
        detail={<bdi translate="no">{data.collection.name ?? data.collection.symbol}</bdi>}
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
        reason={reason}
        note={isOwn ? t('send.ownAddress') : ''}
        onChange={(next) => change({ receiver: next })}
        onRetry={retry}
      />
      <Button type="submit" aria-disabled={step !== 'preview' || undefined}>
        {step === 'resolving' || step === 'unresolved' ? t(receiverTexts[step]) : t(`send.${step}`)}
      </Button>
    </form>
  )
}

/** Whether a string is a whole number from 1 to the held quantity. */
const isWithin = (amount: string, balance: string) =>
  /^\d{1,78}$/.test(amount) && BigInt(amount) > 0n && BigInt(amount) <= BigInt(balance)

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
  const t = useT(enHoldings)
  const id = useId()
  return (
    <AmountField
      label={t('nft.quantity')}
      amount={amount}
      isWhole
      isWrong={isWrong}
      describedBy={id}
      onChange={onChange}
      end={
        <span className={styles.quiet}>
          {t('nft.quantityHeld', { count: held })}
          <MaxButton label={`${t('send.max')} ${held}`} onClick={() => onChange(held)} />
        </span>
      }
    >
      <p id={id} className={styles.error} role="status">
        {isWrong && t('nft.quantityWrong', { count: held })}
      </p>
    </AmountField>
  )
}
