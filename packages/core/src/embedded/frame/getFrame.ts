import type { App } from '../../app.ts'
import type { Frame } from './frame.ts'

/** The secure frame; loads it if it is missing or was removed. Throws FRAME_NOT_LOADED. */
export function getFrame(app: App): Promise<Frame> {
  const { work } = app
  if (work.frame) return work.frame
  const frame = import('./loadFrame.ts').then(({ loadFrame }) => loadFrame(app))
  work.frame = frame
  const lose = () => {
    if (work.frame === frame) work.frame = undefined
  }
  frame.then(({ closed }) => closed.addEventListener('abort', lose), lose)
  return frame
}
