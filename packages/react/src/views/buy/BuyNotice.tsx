import { enBuy } from '../../locales/enBuy.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { Notice } from '../../parts/Notice.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import type { useBuySelection } from './useBuySelection.ts'

/** What stands in the place of a form that cannot be shown: it loads, it failed, nothing is sold, or nobody is connected. */
export function BuyNotice({
  address,
  network,
  options,
  hasFailed,
  retry,
}: ReturnType<typeof useBuySelection>) {
  const t = useT(enBuy)
  if (address === undefined) return <Notice icon="wallet" title={t('account.gone')} />
  if (options)
    return (
      <Notice icon="coins" title={t('buy.nothing', { network: network.name })}>
        {t('buy.nothingHint')}
      </Notice>
    )
  if (!hasFailed) return <SkeletonRows rows={3} label={t('shell.loading')} />
  return (
    <Notice
      icon="alert"
      role="alert"
      title={t('buy.failed')}
      action={<Button onClick={() => retry()}>{t('action.tryAgain')}</Button>}
    />
  )
}
