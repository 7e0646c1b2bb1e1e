import type { View, ViewName } from '@latchkey/core'
import { Component, type ComponentType, type ReactNode, useCallback } from 'react'
import { useLoaded } from '../app/useLoaded.ts'
import { useT } from '../locales/useT.ts'
import { Button } from '../parts/Button.tsx'
import { Notice } from '../parts/Notice.tsx'
import { SkeletonRows } from '../parts/Skeleton.tsx'
import type { ViewProps } from '../views/viewProps.ts'
import { views } from './views.ts'

/** Draws a view, loading its code first where it is not there yet. A view that breaks says so in its own place. */
export function ViewSwitch({ view }: { view: View }) {
  const t = useT()
  const broken = (retry: () => void) => (
    <Notice
      icon="alert"
      role="alert"
      title={t('shell.viewBroke')}
      action={<Button onClick={retry}>{t('action.tryAgain')}</Button>}
    >
      {t('shell.viewBrokeHint')}
    </Notice>
  )
  return (
    <Boundary key={view.name} fallback={broken}>
      <Drawn view={view} />
    </Boundary>
  )
}

function Drawn({ view }: { view: View }) {
  const entry = views[view.name].view
  // The table pairs each name with a component that takes exactly this view; TypeScript cannot follow the pair.
  if ('load' in entry) return <LazyView view={view} load={entry.load as Load} />
  const Ready = entry as ComponentType<ViewProps<ViewName>>
  return <Ready view={view} />
}

type Load = () => Promise<ComponentType<ViewProps<ViewName>>>

function LazyView({ view, load }: { view: View; load: Load }) {
  const t = useT()
  const {
    status,
    value: Loaded,
    retry,
  } = useLoaded(
    useCallback(() => load(), [load]),
    true,
  )
  if (Loaded) return <Loaded view={view} />
  if (status === 'failed') {
    return (
      <Notice
        icon="alert"
        role="alert"
        title={t('shell.viewFailed')}
        action={<Button onClick={retry}>{t('action.tryAgain')}</Button>}
      >
        {t('shell.viewFailedHint')}
      </Notice>
    )
  }
  return <SkeletonRows rows={4} label={t('shell.loading')} />
}

type Props = {
  /** What is drawn in the place of what threw; `retry` draws that again. */
  fallback: (retry: () => void) => ReactNode
  children: ReactNode
}

/** Keeps a fault in what is drawn below it from taking the app's page away. A class: React has no other way. */
class Boundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    const { fallback, children } = this.props
    return this.state.failed ? fallback(() => this.setState({ failed: false })) : children
  }
}
