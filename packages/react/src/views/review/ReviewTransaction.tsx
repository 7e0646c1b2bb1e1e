import {
  fromSmallestUnit,
  type Network,
  networkImageUrl,
  type ReviewDanger,
  type TransactionReview,
} from '@latchkey/core/internal'
import { parseChainId } from '@latchkey/wire'
import { useCallback, useState } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useLazyImport } from '../../app/useLazyImport.ts'
import { enReview } from '../../locales/review/enReview.ts'
import { useT } from '../../locales/useT.ts'
import { Amount } from '../../parts/Amount.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import { RemoteHint } from '../pairing/RemoteHint.tsx'
import { Fact } from '../send/FeeRow.tsx'
import send from '../send/SendPreview.module.css'
import type { ViewProps } from '../viewProps.ts'
import { Lookalikes, useLookalikes } from './Lookalikes.tsx'
import { Question } from './Question.tsx'
import { ReviewButtons } from './ReviewButtons.tsx'
import { ReviewParts } from './ReviewParts.tsx'
import { ReviewSignature } from './ReviewSignature.tsx'
import styles from './ReviewTransaction.module.css'

/** Dangers that need a second confirmation; the others are only shown. */
const grave: readonly ReviewDanger[] = [
  'outputsChangeable',
  'inputsAddable',
  'falseChange',
  'nothingBack',
  'feeHigh',
  'feeUnknown',
  'tokensMoved',
]

/** The review of a page's request, before the wallet prompts for it. */
export function ReviewTransaction({ view }: ViewProps<'ReviewTransaction'>) {
  // A request may replace another before the view is gone: do not show any state of the other for
  // it.
  const [current, setCurrent] = useState({ view, key: 0 })
  if (current.view !== view) setCurrent({ view, key: current.key + 1 })
  return current.view === view && <Reading key={current.key} view={view} />
}

function Reading({ view }: ViewProps<'ReviewTransaction'>) {
  const t = useT(enReview)
  const networks = useAppState((state) => state.networks)
  const { reading } = view
  const review = useLazyImport(
    useCallback(() => reading, [reading]),
    true,
  ).value
  const network = networks.find(({ caipNetworkId }) => caipNetworkId === review?.chainId)
  if (review && 'kind' in review && network)
    return <ReviewSignature review={review} network={network} approve={view.approve} />
  if (!review || 'kind' in review || !network)
    return <SkeletonRows rows={4} label={t('shell.loading')} />
  return <Review review={review} network={network} approve={view.approve} />
}

function Review({
  review,
  network,
  approve,
}: {
  review: TransactionReview
  network: Network
  approve: () => void
}) {
  const app = useApp()
  const t = useT(enReview)
  const [isAsked, setAsked] = useState(false)
  const { leaves, fee, feeRate, inputs, outputs, dangers } = review
  const lookalikes = useLookalikes(review)
  const isGrave = lookalikes.length > 0 || dangers.some((danger) => grave.includes(danger))
  const format = (value: bigint) => formatValue(value, network)
  const { namespace } = parseChainId(review.chainId)
  return (
    <div className={send.view}>
      <div className={send.what}>
        <Question
          text={(fill) => t(leaves < 0n ? 'review.brings' : 'review.takes', fill)}
          parts={{
            amount: (
              <Amount
                value={fromSmallestUnit(
                  leaves < 0n ? -leaves : leaves,
                  network.nativeCurrency.decimals,
                )}
                unit={network.nativeCurrency.symbol}
              />
            ),
          }}
          picture={<Picture src={networkImageUrl(app, network)} name={network.name} round />}
        />
      </div>
      <Lookalikes found={lookalikes} />
      <Warnings dangers={dangers} />
      <ReviewParts
        title={t('review.outputs', { count: outputs.length })}
        parts={outputs.map((part) => ({ ...part, tag: part.isOwn ? t('review.change') : '' }))}
        format={format}
      />
      <ReviewParts
        title={t('review.inputs', { count: inputs.length })}
        parts={inputs.map((part) => ({
          ...part,
          tag: t(part.isSigned ? 'review.signed' : part.isOwn ? 'review.yours' : 'review.others'),
        }))}
        format={format}
      />
      <dl className={send.facts}>
        <Fact name={t('preview.network')}>{network.name}</Fact>
        <Fact name={t(dangers.includes('unproven') ? 'review.feeClaimed' : 'review.fee')}>
          <span className={send.fee}>
            <bdi translate="no">{fee < 0n ? '–' : format(fee)}</bdi>
            {feeRate !== undefined && (
              <small>{t('review.rate', { rate: formatRate(feeRate) })}</small>
            )}
          </span>
        </Fact>
      </dl>
      <p className={send.warning}>{t('review.note')}</p>
      <ReviewButtons
        refuse={t('review.refuse')}
        approve={t(isGrave ? 'review.anyway' : 'review.continue')}
        isGrave={isGrave}
        isAsked={isAsked}
        onApprove={() => {
          approve()
          setAsked(true)
        }}
      >
        <RemoteHint namespace={namespace} />
      </ReviewButtons>
    </div>
  )
}

function Warnings({ dangers }: { dangers: readonly ReviewDanger[] }) {
  const t = useT(enReview)
  if (dangers.length === 0) return null
  return (
    <ul className={styles.dangers} aria-label={t('review.warnings')}>
      {dangers.map((danger) => (
        <li key={danger} data-grave={grave.includes(danger) || undefined}>
          {t(`danger.${danger}`)}
        </li>
      ))}
    </ul>
  )
}

const formatValue = (value: bigint, { nativeCurrency }: Network) =>
  `${fromSmallestUnit(value, nativeCurrency.decimals)} ${nativeCurrency.symbol}`

const formatRate = (rate: number) => String(Math.ceil(rate * 10) / 10)
