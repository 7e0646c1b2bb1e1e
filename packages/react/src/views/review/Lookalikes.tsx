import type { SignatureReview, TransactionReview } from '@latchkey/core'
import { findLookalike, parseChainId } from '@latchkey/wire'
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
  const addresses = useMemo(() => listAddresses(review), [review])
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

/** All addresses to which a review could lead: receivers, the addresses in texts and typed data, and those within call data. */
function listAddresses(review: Review): string[] {
  if (!('kind' in review))
    return unique(
      review.outputs.flatMap(({ address, isOwn }) => (isOwn || !address ? [] : address)),
    )
  if (review.kind === 'message') return listWithin(review.text)
  if (review.kind === 'typedData')
    return listWithin([...review.domain, ...review.rows].map(({ value }) => value).join(' '))
  const { to = '', call, data = '', accessList } = review
  const values = [...(call?.rows ?? []), ...accessList].map(({ value }) => value)
  return unique([...listWithin([to, ...values].join(' ')), ...listInData(data)])
}

const listWithin = (text: string) => unique(text.match(/0x[0-9a-f]{40}(?![0-9a-f])/gi) ?? [])

/** The words of call data that can be addresses, also within calls of its own, which begin at any byte. */
function listInData(data: string): string[] {
  const words = data.slice(10).match(/.{64}/g) ?? []
  const found = [
    ...words.flatMap((word) => (word.startsWith(zeros) ? word.slice(24) : [])),
    ...[...data.matchAll(inner)].map(([, address = '']) => address),
  ]
  return unique(found.map((address) => `0x${address}`))
}

const zeros = '0'.repeat(24)
const inner = /0{24}(?!0)([0-9a-f]{40})/gi
const unique = (addresses: readonly string[]) => [...new Set(addresses)]
