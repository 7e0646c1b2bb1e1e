import { Component, type ReactNode } from 'react'

type Props = {
  /** What is drawn in the place of what threw; `retry` draws that again. */
  fallback: (retry: () => void) => ReactNode
  children: ReactNode
}

/** Keeps a fault in what is drawn below it from taking the app's page away. A class: React has no other way. */
export class Boundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    const { fallback, children } = this.props
    return this.state.failed ? fallback(() => this.setState({ failed: false })) : children
  }
}
