import type { Channel, FrameProtocol } from '@latchkey/wire'

/** The secure frame, loaded and connected. */
export type SecureFrame = Pick<Channel<FrameProtocol>, 'request' | 'closed'>

/** The window that receives the frame's first message. */
type Here = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>

/** The frame's window, as far as a page of another origin can access it. */
type There = {
  readonly closed: boolean
  postMessage(text: string, targetOrigin: string, transfer?: Transferable[]): void
}

export type FrameContainerParameters = {
  /** The frame's origin. */
  origin: string
  /** The user dismisses the frame: Escape, or a press outside it. */
  onDismiss: () => void
}

/** The frame's element in the page. It is never moved, because a browser would reload it. */
export type FrameContainer = {
  readonly here: Here
  /** Holds header and frame; absent outside of a browser. */
  readonly dialog: HTMLDialogElement | undefined
  /** The page's own header above the frame, to be drawn into. */
  readonly header: HTMLElement | undefined
  /**
   * Loads the frame's document, or reloads it. `loaded` resolves when the browser has rendered
   * something, an error page included.
   */
  load(address: string): { there: There; loaded: Promise<void> }
  /**
   * Shows the dialog on top of everything; `height` is the frame's height in CSS px, 0 while it is
   * unknown.
   */
  show(parameters: { title: string; height: number }): void
  /** Moves the dialog above a dialog that was opened later. */
  raise(): void
  hide(): void
  remove(): void
}
