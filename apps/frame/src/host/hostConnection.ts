import type { FrameProtocol, ServedChannel } from '@latchkey/wire'

/** The frame's connection to the host page, whichever protocol that uses. */
export type HostConnection = Pick<ServedChannel<FrameProtocol>, 'origin' | 'emit' | 'closed'>
