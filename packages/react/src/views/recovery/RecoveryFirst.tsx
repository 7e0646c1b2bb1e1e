import { askRecovery, findUnrecoverable } from '@latchkey/core/internal'
import { isError } from '@latchkey/wire'
import { type ReactNode, useEffect } from 'react'
import { useAction } from '../../app/useAction.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { useT } from '../../locales/useT.ts'
import { enBackup } from '../../locales/wallet/enBackup.ts'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'

/**
 * Draws its children, which show how the account receives money. If the account on the selected
 * network is an embedded wallet without a way of recovery, the secure frame first prompts the user
 * to set up a way, once a visit.
 */
export function RecoveryFirst({ children }: { children: ReactNode }) {
  const app = useApp()
  const getMessage = useErrorMessage()
  const t = useT(enBackup)
  const address = useAppState(() => findUnrecoverable(app))
  const { mutate, status, error, variables } = useAction(askRecovery)
  useEffect(() => {
    if (address !== undefined) mutate({ address })
  }, [address, mutate])
  const isAnswered = status === 'success' && variables?.address === address
  if (address === undefined || isAnswered) return children
  if (status !== 'error') return <SkeletonRows rows={4} label={t('backup.asking')} />
  const isLeft = isError(error, 'USER_REJECTED')
  return (
    <EmptyState
      icon="alert"
      role="alert"
      title={t(isLeft ? 'backup.left' : 'backup.failed')}
      action={<Button onClick={() => mutate({ address })}>{t('action.tryAgain')}</Button>}
    >
      {isLeft ? t('backup.leftHint') : `${t('backup.failedHint')} ${getMessage(error)}`}
    </EmptyState>
  )
}
