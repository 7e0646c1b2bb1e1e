import type { App } from '../../app.ts'
import type { FrameContainer } from './frame.ts'

/** The secure frame's place in the page, once the state's `frame` is set. */
export const getFrameContainer = (app: App): FrameContainer | undefined => app.runtime.framePlace
