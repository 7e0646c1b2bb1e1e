import type { FrameProtocol, ServedChannel } from '@latchkey/wire'

/** The frame's connection to the host page, whichever protocol that uses. */
export type HostConnection = Pick<ServedChannel<FrameProtocol>, 'origin' | 'emit' | 'closed'> & {
  /** The page speaks the plain envelope: it does not know that the frame wants to be shown, and hides it except for approvals. */
  readonly isPlain?: true
}
