import { useLoginT } from '../../locales/useLoginT.ts'
import { SkeletonRows } from '../../parts/Skeleton.tsx'

/** A placeholder until the secure frame above shows the request. */
export function ApproveTransaction() {
  const t = useLoginT()
  return <SkeletonRows rows={5} label={t('approve.preparing')} />
}
