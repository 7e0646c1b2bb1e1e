import type { App } from '../../app.ts'
import type { FrameContainer } from './frame.ts'

/**
 * The element of the page that contains the secure frame. It exists once the state's `frame` is
 * set.
 */
export const getFrameContainer = (app: App): FrameContainer | undefined => app.runtime.framePlace
