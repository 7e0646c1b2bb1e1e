import type { ReactNode } from 'react'
import { useT } from '../locales/useT.ts'
import { Button } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'

/** Fills an area whose data did not load: what failed, why, and a button that tries again. */
export function FailedState({
  title,
  children,
  retry,
}: {
  title: string
  children?: ReactNode
  retry: () => unknown
}) {
  const t = useT()
  return (
    <EmptyState
      icon="alert"
      role="alert"
      title={title}
      action={
        <Button variant="quiet" icon="retry" onClick={() => retry()}>
          {t('action.tryAgain')}
        </Button>
      }
    >
      {children}
    </EmptyState>
  )
}
