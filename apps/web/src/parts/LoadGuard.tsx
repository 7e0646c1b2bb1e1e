import { Component, type ReactNode } from 'react'
import { text } from '../locales/text.ts'

/** Says so when a page's code cannot be loaded. A class, as React has no other way to catch that. */
export class LoadGuard extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }
  static getDerivedStateFromError() {
    return { failed: true }
  }
  override render() {
    if (!this.state.failed) return this.props.children
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
