import type { SignatureReview, TransactionReview } from '@latchkey/core'
import { findLookalike, listAddresses, parseChainId } from '@latchkey/wire'
import { useMemo } from 'react'
import { useAppState } from '../../app/useAppState.ts'
import { enReview } from '../../locales/review/enReview.ts'
import { useT } from '../../locales/useT.ts'
import { useKnownAddresses } from '../send/useLookalike.ts'
import styles from './ReviewTransaction.module.css'

type Review = SignatureReview | TransactionReview
type Lookalike = { address: string; known: string }

/** The addresses in a review that could be mistaken for addresses that the user knows. */
export function useLookalikes(review: Review): readonly Lookalike[] {
  const { namespace } = parseChainId(review.chainId)
  const connection = useAppState((state) => state.connections[namespace])
  const account = 'account' in connection ? connection.account.address : ''
  const known = useKnownAddresses(account, review.chainId)
  const addresses = useMemo(() => [...new Set(listOthers(review))], [review])
  return useMemo(
    () =>
      addresses.flatMap((address) => {
        const alike = findLookalike(address, known)
        return alike === undefined ? [] : [{ address, known: alike }]
      }),
    [addresses, known],
  )
}

/** A warning for each of them. */
export function Lookalikes({ found }: { found: readonly Lookalike[] }) {
  const t = useT(enReview)
  if (found.length === 0) return null
  return (
    <ul className={styles.dangers} aria-label={t('review.warnings')}>
      {found.map(({ address, known }) => (
        <li key={address} data-grave>
          {t('review.lookalike', { address, known })}
        </li>
      ))}
    </ul>
  )
}

/** Names and addresses that a review mentions: receivers, typed data, messages and call data. */
function listTexts(review: Review): string[] {
  if (!('kind' in review)) return []
  if (review.kind === 'message') return [review.text]
  if (review.kind === 'typedData') return [...review.domain, ...review.rows].map(readValue)
  const { to = '', call, data = '', accessList } = review
  return [to, data, ...[...(call?.rows ?? []), ...accessList].map(readValue)]
}

const readValue = ({ value }: { value: string }) => value

const listOthers = (review: Review): string[] => [
  ...listTexts(review).flatMap(listAddresses),
  ...('kind' in review
    ? []
    : review.outputs.flatMap(({ address, isOwn }) => (isOwn || !address ? [] : address))),
]
