import { enHoldings } from '../../locales/enHoldings.ts'
import { useT } from '../../locales/useT.ts'
import { FailedState } from '../../parts/FailedState.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'

/** Shown while an NFT is loading, or if it could not be loaded. */
export function NftUnknown({
  query: { isPending, refetch },
}: {
  query: { isPending: boolean; refetch: () => unknown }
}) {
  const t = useT(enHoldings)
  if (isPending) return <SkeletonRows rows={5} label={t('shell.loading')} />
  return <FailedState title={t('nft.detailFailed')} retry={() => refetch()} />
}
