import { useT } from '../hooks/useT.ts'
import { SkeletonRows } from '../parts/Skeleton.tsx'

/** What stands until the secure frame shows what there is to decide, above this. */
export function ApproveTransaction() {
  const t = useT()
  return <SkeletonRows rows={5} label={t('approve.preparing')} />
}
