import type { FrameProtocol, ServedChannel } from '@latchkey/wire'

/** How the frame talks to the page around it, whichever language that speaks. */
export type HostConnection = Pick<ServedChannel<FrameProtocol>, 'origin' | 'emit' | 'closed'>
