import type { App } from '../../app.ts'
import type { SecureFrame } from './frame.ts'

/** The secure frame; loads it if it is missing or was removed. Throws FRAME_NOT_LOADED. */
export function getFrame(app: App): Promise<SecureFrame> {
  const { runtime } = app
  if (runtime.frame) return runtime.frame
  const frame = import('./loadFrame.ts').then(({ loadFrame }) => loadFrame(app))
  runtime.frame = frame
  const lose = () => {
    if (runtime.frame === frame) runtime.frame = undefined
  }
  frame.then(({ closed }) => closed.addEventListener('abort', lose), lose)
  return frame
}
