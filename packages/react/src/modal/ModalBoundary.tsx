import { type App, forceCloseModal } from '@latchkey/core/internal'
import { Component, type ReactNode } from 'react'

type Props = { app: App; children: ReactNode }

/**
 * Keeps an error in the modal from unmounting the page around it: closes the modal, and draws it
 * again when it is opened next. A class, because React offers no other way.
 */
export class ModalBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }
  private stop: (() => void) | undefined

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch(error: unknown) {
    const { app } = this.props
    app.environment.warn('The modal could not be drawn', error)
    forceCloseModal(app)
    this.stop?.()
    this.stop = app.store.subscribe(({ modal }, before) => {
      if (modal.open && !before.modal.open) this.setState({ failed: false })
    })
  }

  override componentWillUnmount() {
    this.stop?.()
  }

  override render() {
    return this.state.failed ? null : this.props.children
  }
}
