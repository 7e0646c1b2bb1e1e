import type { FrameProtocol, ServedChannel } from '@latchkey/wire'

/** The frame's connection to the host page, in either protocol. */
export type HostConnection = Pick<ServedChannel<FrameProtocol>, 'origin' | 'emit' | 'closed'> & {
  /**
   * The page uses the plain envelope. Such a page does not support requests to show the frame, and
   * hides the frame except for approvals.
   */
  readonly isPlain?: true
}
