import { useLoginT } from '../../locales/useLoginT.ts'
import { SkeletonRows } from '../../parts/Skeleton.tsx'

/** What stands until the secure frame shows what there is to decide, above this. */
export function ApproveTransaction() {
  const t = useLoginT()
  return <SkeletonRows rows={5} label={t('approve.preparing')} />
}
