import { enLogin } from '../../locales/enLogin.ts'
import { useT } from '../../locales/useT.ts'
import { SkeletonRows } from '../../parts/Skeleton.tsx'

/** A placeholder until the secure frame above shows the request. */
export function ApproveTransaction() {
  const t = useT(enLogin)
  return <SkeletonRows rows={5} label={t('approve.preparing')} />
}
