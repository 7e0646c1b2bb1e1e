import { Component, Fragment, type ReactNode } from 'react'
import { text } from '../locales/text.ts'

/** How often a page is rendered again automatically. */
const maxRedraws = 3

type State = { failed: boolean; redraws: number }

/**
 * Renders a page again if the browser's translation has moved nodes that React wanted to change,
 * and otherwise shows that the page could not be loaded. A class, because React offers no other
 * way.
 */
export class LoadGuard extends Component<{ children: ReactNode }, State> {
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
    const { failed, redraws } = this.state
    if (!failed) return <Fragment key={redraws}>{this.props.children}</Fragment>
    return (
      <section className="card plain" role="alert">
        <h1>{text('page.failed')}</h1>
        <button type="button" className="button" onClick={() => location.reload()}>
          {text('app.retry')}
        </button>
      </section>
    )
  }
}
