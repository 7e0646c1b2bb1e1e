import {
  anySignal,
  type FrameProtocol,
  frameAddress,
  frameProtocol,
  isError,
  LatchkeyError,
  openChannel,
} from '@latchkey/wire'
import type { FrameContainer, SecureFrame } from './frame.ts'

/** How long the frame has to load and send its first message. */
const loadTimeoutMs = 20_000
/**
 * How long the frame has to send its first message after the browser has rendered something. An
 * error page never sends a message.
 */
const greetingTimeoutMs = 5_000

type Opening = Parameters<typeof openChannel<FrameProtocol>>[0]
export type OnFrameEvent = NonNullable<Opening['onEvent']>

/**
 * Loads the frame into its element and opens the channel to exactly its window and origin. Throws
 * FRAME_NOT_LOADED if it does not load: it is unreachable, or may not be shown on this page.
 */
export async function openFrame(parameters: {
  place: FrameContainer
  frameUrl: string
  projectId: string
  onEvent: OnFrameEvent
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  signal: AbortSignal
}): Promise<SecureFrame> {
  const { place, frameUrl, projectId, onEvent, sleep, signal } = parameters
  const done = new AbortController()
  const silent = new AbortController()
  // In the same task, because this window sends the first message.
  const { there, loaded } = place.load(frameAddress(frameUrl, projectId))
  void loaded
    .then(() => sleep(greetingTimeoutMs, done.signal))
    .then(() => done.signal.aborted || silent.abort())
  try {
    return await openChannel({
      window: place.here,
      target: there,
      targetOrigin: new URL(frameUrl).origin,
      protocol: frameProtocol,
      onEvent,
      signal: anySignal([signal, silent.signal]),
      timeoutMs: loadTimeoutMs,
    })
  } catch (cause) {
    if (signal.aborted && isError(cause, 'ABORTED')) throw cause
    throw new LatchkeyError('FRAME_NOT_LOADED', { cause, data: { host: new URL(frameUrl).host } })
  } finally {
    done.abort()
  }
}
