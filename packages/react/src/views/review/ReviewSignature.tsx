import {
  fromSmallestUnit,
  type Network,
  type ReviewRow,
  type SignatureReview,
} from '@latchkey/core/internal'
import { sanitizeText } from '@latchkey/wire'
import { memo, type ReactNode, useEffect, useState } from 'react'
import { enReviewSignature } from '../../locales/review/enReviewSignature.ts'
import { useT } from '../../locales/useT.ts'
import { Amount } from '../../parts/Amount.tsx'
import { AddressGroups } from '../detail/AddressGroups.tsx'
import { Fact } from '../send/FeeRow.tsx'
import send from '../send/SendPreview.module.css'
import { Headline } from './Headline.tsx'
import { Lookalikes, useLookalikes } from './Lookalikes.tsx'
import { Question } from './Question.tsx'
import { ReviewButtons } from './ReviewButtons.tsx'
import styles from './ReviewTransaction.module.css'

type Of<Kind> = Extract<SignatureReview, { kind: Kind }>

/**
 * The review of a signature on a device with little output: shows everything before the device
 * prompts.
 */
export function ReviewSignature({
  review,
  network,
  approve,
}: {
  review: SignatureReview
  network: Network
  approve: () => void
}) {
  const t = useT(enReviewSignature)
  const [isAsked, setAsked] = useState(false)
  const lookalikes = useLookalikes(review)
  const isGrave =
    lookalikes.length > 0 ||
    (review.kind === 'transaction' && review.call?.isUnlimited === true) ||
    (review.kind === 'typedData' && review.isUnlimited)
  const alike = <Lookalikes found={lookalikes} />
  return (
    <div className={send.view}>
      {review.kind === 'transaction' && (
        <Transaction review={review} network={network}>
          {alike}
        </Transaction>
      )}
      {review.kind === 'message' && (
        <>
          <div className={send.what}>
            <Question
              text={() => t(review.isText ? 'sign.signsMessage' : 'sign.signsBytes')}
              parts={{}}
            />
          </div>
          <Block title={t(review.isText ? 'sign.message' : 'sign.bytes')} text={review.text} />
          {alike}
        </>
      )}
      {review.kind === 'typedData' && <TypedData review={review}>{alike}</TypedData>}
      <section className={styles.parts} aria-label={t('sign.account')}>
        <h3>{t('sign.account')}</h3>
        <p className={styles.own} translate="no">
          <AddressGroups address={review.address} />
        </p>
      </section>
      <dl className={send.facts}>
        <Fact name={t('preview.network')}>{network.name}</Fact>
        {review.kind === 'transaction' && (
          <Fact name={t('sign.maxFee')}>
            <Amount {...toAmount(review.maxFeeWei, network)} />
          </Fact>
        )}
      </dl>
      <p className={send.warning} role={isAsked ? 'status' : undefined}>
        {t(isAsked ? 'sign.onDevice' : 'sign.note')}
      </p>
      <ReviewButtons
        refuse={t('sign.refuse')}
        approve={t(isGrave ? 'sign.anyway' : 'sign.continue')}
        isGrave={isGrave}
        isAsked={isAsked}
        onApprove={() => {
          approve()
          setAsked(true)
        }}
      />
    </div>
  )
}

function Transaction({
  review,
  network,
  children,
}: {
  review: Of<'transaction'>
  network: Network
  children: ReactNode
}) {
  const t = useT(enReviewSignature)
  const { to, data, call, nonce, accessList } = review
  const warning = call?.isUnlimited
    ? t('sign.unlimited')
    : call?.changesRights
      ? t('sign.rights')
      : data && !call
        ? t(to ? 'sign.unread' : 'sign.creates')
        : undefined
  return (
    <>
      <div className={send.what}>
        <Headline review={review} network={network} />
        <div className={send.side}>
          <div>
            <p className={send.label}>{t(data ? 'sign.contract' : 'sign.receiver')}</p>
            <p className={send.address} translate="no">
              {to ? <AddressGroups address={to} /> : t('sign.newContract')}
            </p>
          </div>
        </div>
      </div>
      {children}
      <Warnings
        grave={call?.isUnlimited ? warning : undefined}
        others={[
          ...(warning && !call?.isUnlimited ? [warning] : []),
          ...(nonce ? [t('sign.nonce', nonce)] : []),
        ]}
      />
      {call && <Rows title={t('sign.function', { name: call.name })} rows={call.rows} />}
      {accessList.length > 0 && <Rows title={t('sign.accessList')} rows={accessList} />}
      {data && <Block title={t('sign.data')} text={data} />}
    </>
  )
}

function TypedData({ review, children }: { review: Of<'typedData'>; children: ReactNode }) {
  const t = useT(enReviewSignature)
  const { domain, primaryType, rows, isUnlimited, domainHash, messageHash } = review
  const hashes = [
    { name: t('sign.domainHash'), value: domainHash },
    { name: t('sign.messageHash'), value: messageHash },
  ]
  return (
    <>
      <div className={send.what}>
        <Question
          text={(fill) => t('sign.signsType', fill)}
          parts={{ type: <bdi translate="no">{shortenType(sanitizeText(primaryType))}</bdi> }}
        />
      </div>
      {children}
      <Warnings
        grave={isUnlimited ? t('sign.unlimited') : undefined}
        others={[t('sign.untyped')]}
      />
      <Rows title={sanitizeText(primaryType)} rows={rows} />
      <Rows title={t('sign.domain')} rows={domain} />
      <Rows title={t('sign.hashes')} rows={hashes} />
    </>
  )
}

/** A name of the page that is too short to push the warnings out of sight. */
const shortenType = (name: string) => (name.length > 40 ? `${name.slice(0, 39)}…` : name)

function Warnings({ grave, others }: { grave: string | undefined; others: readonly string[] }) {
  const t = useT(enReviewSignature)
  return (
    (grave !== undefined || others.length > 0) && (
      <ul className={styles.dangers} aria-label={t('sign.warnings')}>
        {grave !== undefined && <li data-grave>{grave}</li>}
        {others.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    )
  )
}

/**
 * How many rows are drawn in a frame: typed data may have tens of thousands, which would block the
 * page.
 */
const partLength = 300

/** Names and values of strangers: nothing is omitted, and invisible characters are written out. */
function Rows({ title, rows }: { title: string; rows: readonly ReviewRow[] }) {
  const [count, setCount] = useState(partLength)
  const isDrawn = count >= rows.length
  useEffect(() => {
    if (isDrawn) return
    const frame = requestAnimationFrame(() => setCount(count + partLength))
    return () => cancelAnimationFrame(frame)
  }, [count, isDrawn])
  const starts = Array.from({ length: Math.ceil(count / partLength) }, (_, at) => at * partLength)
  return (
    <section className={styles.parts} aria-label={title} aria-busy={!isDrawn}>
      <h3>{title}</h3>
      <ol>
        {starts.map((start) => (
          <Part key={start} rows={rows} start={start} />
        ))}
      </ol>
    </section>
  )
}

const Part = memo(({ rows, start }: { rows: readonly ReviewRow[]; start: number }) =>
  rows.slice(start, start + partLength).map(({ name, value }) => (
    <li key={name}>
      <bdi translate="no" className={styles.name}>
        {sanitizeText(name)}
      </bdi>
      <bdi translate="no" className={styles.text}>
        {sanitizeText(value)}
      </bdi>
    </li>
  )),
)

const Block = ({ title, text }: { title: string; text: string }) => (
  <section className={styles.parts} aria-label={title}>
    <h3>{title}</h3>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
    <pre className={styles.block} tabIndex={0}>
      {sanitizeText(text)}
    </pre>
  </section>
)

const toAmount = (value: bigint, { nativeCurrency }: Network) => ({
  value: fromSmallestUnit(value, nativeCurrency.decimals),
  unit: nativeCurrency.symbol,
})
