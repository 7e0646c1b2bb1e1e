import {
  fromSmallestUnit,
  type Network,
  networkImageUrl,
  type SignatureReview,
} from '@latchkey/core/internal'
import type { Balance } from '@latchkey/wire'
import { useApp } from '../../app/useApp.ts'
import { useBalances } from '../../hooks/useBalances.ts'
import { enReviewSignature } from '../../locales/review/enReviewSignature.ts'
import { useT } from '../../locales/useT.ts'
import { Amount, formatWhole } from '../../parts/Amount.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { SkeletonLine } from '../../parts/Skeleton.tsx'
import { getTokenKey, isSameToken } from '../send/sendDraft.ts'
import { Question } from './Question.tsx'

type Transaction = Extract<SignatureReview, { kind: 'transaction' }>

/**
 * The first line of a transaction: the amounts that leave the account. If none is known, the
 * function that it calls.
 */
export function Headline({ review, network }: { review: Transaction; network: Network }) {
  const app = useApp()
  const t = useT(enReviewSignature)
  const { valueWei, call } = review
  const { token, isLoading } = useSentToken(review)
  const { nativeCurrency, name } = network
  const paysNative = valueWei > 0n || call === undefined
  const native = paysNative && (
    <Amount
      value={fromSmallestUnit(valueWei, nativeCurrency.decimals)}
      unit={nativeCurrency.symbol}
    />
  )
  const sent = isLoading ? (
    <SkeletonLine />
  ) : (
    token &&
    call?.sent !== undefined && (
      <Amount
        value={formatWhole(fromSmallestUnit(call.sent, Number(token.quantity.decimals)))}
        unit={token.symbol}
      />
    )
  )
  const picture = token ? (
    <Picture src={token.iconUrl} name={token.symbol} round />
  ) : (
    native && <Picture src={networkImageUrl(app, network)} name={name} round />
  )
  if (sent && native)
    return (
      <Question
        text={(fill) => t('sign.takesBoth', fill)}
        parts={{ token: sent, native }}
        picture={picture}
      />
    )
  if (sent || native)
    return (
      <Question
        text={(fill) => t('sign.takes', fill)}
        parts={{ amount: sent || native }}
        picture={picture}
      />
    )
  return (
    <Question
      text={(fill) => t('sign.asksTo', fill)}
      parts={{ name: <bdi translate="no">{call?.name}</bdi> }}
    />
  )
}

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
