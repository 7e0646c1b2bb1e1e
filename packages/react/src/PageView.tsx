import type { View } from '@latchkey/core'
import { useLazyImport } from './app/useLazyImport.ts'
import { useThemeRoot } from './app/useThemeRoot.ts'
import { useT } from './locales/useT.ts'
import { FailedState } from './parts/FailedState.tsx'
import { SkeletonRows } from './parts/Skeleton.tsx'
import surface from './views/surface.module.css'

/** The views of the modal that a page can show in itself. */
export type PageViewName =
  | 'AccountSettings'
  | 'Allowances'
  | 'Buy'
  | 'ConnectedWallets'
  | 'Names'
  | 'SignIns'
  | 'SmartSessionList'
  | 'Swap'
  | 'Transactions'

const loadSwitch = () => import('./modal/ViewSwitch.tsx').then(({ ViewSwitch }) => ViewSwitch)

/**
 * A view of the modal as a part of the page. The views that follow it open in the modal, over the
 * page; going back from the first of them closes the modal.
 */
export function PageView({ view }: { view: Extract<View, { name: PageViewName }> }) {
  const t = useT()
  const { ref, 'data-lk-theme': mode } = useThemeRoot()
  const { value: ViewSwitch, status, retry } = useLazyImport(loadSwitch, true)
  return (
    <div ref={ref} className={surface.root} data-lk-theme={mode} data-lk-page="">
      {ViewSwitch && <ViewSwitch view={view} />}
      {status === 'loading' && <SkeletonRows rows={4} label={t('shell.loading')} />}
      {status === 'failed' && (
        <FailedState title={t('shell.viewFailed')} retry={retry}>
          {t('shell.viewFailedHint')}
        </FailedState>
      )}
    </div>
  )
}
