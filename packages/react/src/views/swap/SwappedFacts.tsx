import { enSwap } from '../../locales/enSwap.ts'
import { useT } from '../../locales/useT.ts'
import { Fact } from '../send/FeeRow.tsx'
import preview from '../send/SendPreview.module.css'

/** The amounts of a swap, with their symbols; `received` is absent if nothing was received. */
export function SwappedFacts({ paid, received }: { paid: string; received: string | undefined }) {
  const t = useT(enSwap)
  return (
    <dl className={preview.facts}>
      <Fact name={t('swap.pay')}>
        <bdi translate="no">{paid}</bdi>
      </Fact>
      {received !== undefined && (
        <Fact name={t('swap.receive')}>
          <bdi translate="no">{received}</bdi>
        </Fact>
      )}
    </dl>
  )
}
