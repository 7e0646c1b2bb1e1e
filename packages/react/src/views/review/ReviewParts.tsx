import { enReview } from '../../locales/review/enReview.ts'
import { useT } from '../../locales/useT.ts'
import { Tag } from '../../parts/Row.tsx'
import { AddressGroups } from '../detail/AddressGroups.tsx'
import styles from './ReviewTransaction.module.css'

type ReviewedPart = {
  address: string | undefined
  data?: string
  value: bigint
  isOwn: boolean
  /** The owner of the address; empty if unknown. */
  tag: string
}

/** The inputs or the outputs of a transaction, all of them, each with its whole address. */
export function ReviewParts({
  title,
  parts,
  format,
}: {
  title: string
  parts: readonly ReviewedPart[]
  format: (value: bigint) => string
}) {
  const t = useT(enReview)
  return (
    <section className={styles.parts} aria-label={title}>
      <h3>{title}</h3>
      <ol>
        {parts.map(({ address, data, value, isOwn, tag }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is known by its place alone
          <li key={at}>
            <span className={styles.value}>
              <bdi translate="no">{format(value)}</bdi>
              {tag && <Tag tone={isOwn ? 'accent' : 'quiet'}>{tag}</Tag>}
            </span>
            <span className={styles.address} dir="ltr" translate="no">
              {address === undefined ? (
                `${t('review.noAddress')}: ${data ?? ''}`
              ) : (
                <AddressGroups address={address} />
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
