import type { App } from '../../app.ts'
import type { FramePlace } from './frame.ts'

/** The secure frame's place in the page, once the state's `frame` is set. */
export const getFramePlace = (app: App): FramePlace | undefined => app.work.framePlace
