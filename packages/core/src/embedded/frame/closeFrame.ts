import type { App } from '../../app.ts'

/** Closes the frame's view after the user dismissed it; the frame ends its request. */
export function closeFrame(app: App): void {
  if (!app.store.getState().frame?.frameView) return
  hideFrame(app)
  const { runtime } = app
  runtime.frameCloses += 1
  runtime.frame
    ?.then((frame) => frame.request('APP_CLOSE', {}))
    .catch(() => {})
    .finally(() => {
      runtime.frameCloses -= 1
    })
}

/** Hides the frame; its work continues. */
export function hideFrame(app: App): void {
  if (!app.store.getState().frame?.frameView) return
  // First, so that the focus moves to the element below.
  app.store.setState({ frame: { frameView: undefined } })
  app.runtime.framePlace?.hide()
}
