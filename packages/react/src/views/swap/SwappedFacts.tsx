import type { SwappedAmounts } from '@latchkey/core/internal'
import { enSwap } from '../../locales/enSwap.ts'
import { useT } from '../../locales/useT.ts'
import { Amount } from '../../parts/Amount.tsx'
import { Fact } from '../send/FeeRow.tsx'
import preview from '../send/SendPreview.module.css'

/** The amounts of a swap. If it failed, nothing was received. */
export function SwappedFacts({
  swapped: { paid, received },
  status,
}: {
  swapped: SwappedAmounts
  status: 'waiting' | 'done' | 'failed'
}) {
  const t = useT(enSwap)
  const isDone = status === 'done'
  return (
    <dl className={preview.facts}>
      <Fact name={t(isDone ? 'swapped.paid' : 'swap.pay')}>
        <Amount {...paid} />
      </Fact>
      {status !== 'failed' && (
        <Fact name={t(isDone ? 'swapped.received' : 'swap.receive')}>
          <Amount {...received} />
        </Fact>
      )}
    </dl>
  )
}
