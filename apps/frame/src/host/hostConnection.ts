import type { FrameProtocol, ServedChannel } from '@latchkey/wire'

/** How the frame talks to the page around it, whichever language that speaks. */
export type HostLine = Pick<ServedChannel<FrameProtocol>, 'origin' | 'emit' | 'closed'>
