import {
  fromSmallestUnit,
  type Network,
  networkImageUrl,
  type SignatureReview,
} from '@latchkey/core/internal'
import type { Balance } from '@latchkey/wire'
import type { ReactNode } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useBalances } from '../../hooks/useBalances.ts'
import { enReviewSignature } from '../../locales/review/enReviewSignature.ts'
import { useT } from '../../locales/useT.ts'
import { Amount, formatWhole } from '../../parts/Amount.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { SkeletonLine } from '../../parts/Skeleton.tsx'
import send from '../send/SendPreview.module.css'
import { getTokenKey, isSameToken } from '../send/sendDraft.ts'

type Transaction = Extract<SignatureReview, { kind: 'transaction' }>

/**
 * The first facts of a transaction: the amounts that leave the account. If none is known, the
 * function that it calls.
 */
export function Headline({ review, network }: { review: Transaction; network: Network }) {
  const app = useApp()
  const t = useT(enReviewSignature)
  const { valueWei, call } = review
  const sent = call?.sent
  const { token, isLoading } = useSentToken(review)
  const { nativeCurrency, name } = network
  const paysNative = valueWei > 0n || call === undefined
  return (
    <>
      {isLoading && (
        <Side label={t('sign.pays')}>
          <SkeletonLine />
        </Side>
      )}
      {sent !== undefined && token && (
        <Side
          label={t('sign.pays')}
          picture={<Picture src={token.iconUrl} name={token.symbol} round />}
        >
          <Amount
            value={formatWhole(fromSmallestUnit(sent, Number(token.quantity.decimals)))}
            unit={token.symbol}
          />
        </Side>
      )}
      {paysNative && (
        <Side
          label={t('sign.pays')}
          picture={<Picture src={networkImageUrl(app, network)} name={name} round />}
        >
          <Amount
            value={fromSmallestUnit(valueWei, nativeCurrency.decimals)}
            unit={nativeCurrency.symbol}
          />
        </Side>
      )}
      {call && !token && !isLoading && !paysNative && (
        <Side label={t('sign.calls')}>{call.name}</Side>
      )}
    </>
  )
}

/** A fact of the headline, with its label. */
export const Side = ({
  label,
  picture,
  children,
}: {
  label: string
  picture?: ReactNode
  children: ReactNode
}) => (
  <div className={send.side}>
    <div>
      <p className={send.label}>{label}</p>
      <p className={send.amount} translate="no">
        {children}
      </p>
    </div>
    {picture}
  </div>
)

/** The token that a transfer sends, from the account's balances. */
function useSentToken({ chainId, address, to, call }: Transaction): {
  token: Balance | undefined
  isLoading: boolean
} {
  const enabled = call?.sent !== undefined
  const { data, isLoading } = useBalances({ address, chainId, query: { enabled } })
  const token = enabled
    ? data?.find((balance) => isSameToken(getTokenKey(balance), `${chainId}:${to}`))
    : undefined
  return { token, isLoading }
}
