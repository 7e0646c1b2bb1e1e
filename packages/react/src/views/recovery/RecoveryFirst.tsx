import { askRecovery } from '@latchkey/core/internal'
import { type ReactNode, useEffect, useState } from 'react'
import { useAction } from '../../app/useAction.ts'
import { useApp } from '../../app/useApp.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { useT } from '../../locales/useT.ts'
import { enBackup } from '../../locales/wallet/enBackup.ts'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'

/**
 * Draws its children, which show how the account receives money. If the embedded wallet has no way
 * of recovery, the secure frame first prompts the user to set up a way, once a visit.
 */
export function RecoveryFirst({ children }: { children: ReactNode }) {
  const app = useApp()
  const getMessage = useErrorMessage()
  const t = useT(enBackup)
  const [isAsked] = useState(() => app.store.getState().user?.isRecoverable === false)
  const { mutate, status, error } = useAction(askRecovery)
  useEffect(() => {
    if (isAsked) mutate(undefined)
  }, [isAsked, mutate])
  if (!isAsked || status === 'success') return children
  if (status !== 'error') return <SkeletonRows rows={4} label={t('backup.asking')} />
  return (
    <EmptyState
      icon="alert"
      role="alert"
      title={t('backup.failed')}
      action={<Button onClick={() => mutate(undefined)}>{t('action.tryAgain')}</Button>}
    >
      {`${t('backup.failedHint')} ${getMessage(error)}`}
    </EmptyState>
  )
}
