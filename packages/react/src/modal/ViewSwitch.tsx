import type { View, ViewName } from '@latchkey/core'
import { Component, type ComponentType, Fragment, memo, type ReactNode, useCallback } from 'react'
import { useLazyImport } from '../app/useLazyImport.ts'
import { useT } from '../locales/useT.ts'
import { Button } from '../parts/Button.tsx'
import { EmptyState } from '../parts/EmptyState.tsx'
import { SkeletonRows } from '../parts/Skeleton.tsx'
import type { ViewProps } from '../views/viewProps.ts'
import { views } from './views.ts'

/**
 * Draws a view, and loads its code first if necessary. A view that throws shows an error in its own
 * place.
 */
export const ViewSwitch = memo(function ViewSwitch({ view }: { view: View }) {
  const t = useT()
  const broken = (retry: () => void) => (
    <EmptyState
      icon="alert"
      role="alert"
      title={t('shell.viewBroke')}
      action={<Button onClick={retry}>{t('action.tryAgain')}</Button>}
    >
      {t('shell.viewBrokeHint')}
    </EmptyState>
  )
  return (
    <Boundary key={view.name} fallback={broken}>
      <Drawn view={view} />
    </Boundary>
  )
}, isSame)

/**
 * Whether a view need not be drawn again. The list of wallets that is drawn ahead is another object
 * than the list that opens.
 */
function isSame({ view: now }: { view: View }, { view: next }: { view: View }): boolean {
  return now === next || (now.name === 'Connect' && next.name === 'Connect')
}

function Drawn({ view }: { view: View }) {
  const entry = views[view.name].view
  // The table pairs each name with a component that takes exactly this view; TypeScript cannot
  // follow the pair.
  if ('load' in entry) return <LazyView view={view} load={entry.load as Load} />
  const Ready = entry as ComponentType<ViewProps<ViewName>>
  return <Ready view={view} />
}

type Load = () => Promise<Record<ViewName, ComponentType<ViewProps<ViewName>>>>

function LazyView({ view, load }: { view: View; load: Load }) {
  const t = useT()
  const {
    status,
    value: Loaded,
    retry,
  } = useLazyImport(
    useCallback(async () => (await load())[view.name], [load, view.name]),
    true,
  )
  if (Loaded) return <Loaded view={view} />
  if (status === 'failed') {
    return (
      <EmptyState
        icon="alert"
        role="alert"
        title={t('shell.viewFailed')}
        action={<Button onClick={retry}>{t('action.tryAgain')}</Button>}
      >
        {t('shell.viewFailedHint')}
      </EmptyState>
    )
  }
  return <SkeletonRows rows={4} label={t('shell.loading')} />
}

type Props = {
  /** The replacement for the failed children; `retry` draws them again. */
  fallback: (retry: () => void) => ReactNode
  children: ReactNode
}

/** How often a view is drawn again automatically. */
const maxRedraws = 3

type State = { failed: boolean; redraws: number }

/**
 * Keeps an error in its children from unmounting the app's page, and draws them again if the
 * browser's translation has moved nodes that React wanted to change. A class, because React offers
 * no other way.
 */
class Boundary extends Component<Props, State> {
  override state: State = { failed: false, redraws: 0 }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch(error: unknown) {
    const { redraws } = this.state
    const isMoved = error instanceof DOMException && error.name === 'NotFoundError'
    if (isMoved && redraws < maxRedraws) this.setState({ failed: false, redraws: redraws + 1 })
  }

  override render() {
    const { fallback, children } = this.props
    const { failed, redraws } = this.state
    if (failed) return fallback(() => this.setState({ failed: false }))
    return <Fragment key={redraws}>{children}</Fragment>
  }
}
