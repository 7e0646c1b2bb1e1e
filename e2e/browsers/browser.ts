/** A window, or the frame in it whose address contains `frame`. */
export type FrameLocation = { window: string; frame?: string | undefined }

/** A step of a pointer or of the keyboard, in the form of WebDriver and WebDriver BiDi. */
export type Step =
  | { type: 'pointerMove'; x: number; y: number }
  | { type: 'pointerDown' | 'pointerUp'; button: 0 }
  | { type: 'keyDown' | 'keyUp'; value: string }

/**
 * A browser that is driven by a standard protocol. Input is like a user's: with focus, and within a
 * click.
 */
export type Browser = {
  /** Ids of all windows and tabs. */
  windows(): Promise<string[]>
  open(window: string, url: string): Promise<void>
  /** Opens an empty tab. */
  openTab(): Promise<string>
  close(window: string): Promise<void>
  /**
   * The value of a JavaScript expression in a page, as JSON; undefined if the place does not exist.
   */
  evaluate(place: FrameLocation, expression: string): Promise<unknown>
  /** Does steps of one device, in the place's own coordinates. */
  perform(place: FrameLocation, steps: readonly Step[]): Promise<void>
  /** A picture of a window as PNG in base64. */
  screenshot(window: string): Promise<string>
  /** Errors that pages logged so far, and hosts of other machines that the browser requested. */
  complaints(): readonly string[]
  stop(): Promise<void>
}

/** The input source that performs these steps. */
export const toActions = (steps: readonly Step[]) => [
  steps.every(({ type }) => type.startsWith('key'))
    ? { type: 'key', id: 'keyboard', actions: steps }
    : { type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions: steps },
]
