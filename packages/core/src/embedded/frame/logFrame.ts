import { isError } from '@latchkey/wire'
import type { App } from '../../app.ts'
import type { SecureFrame } from './frame.ts'
import type { OnFrameEvent } from './openFrame.ts'

type Logged = {
  readonly onEvent: OnFrameEvent
  /** Returns the frame with its requests logged. */
  wrap(frame: SecureFrame): SecureFrame
}

/**
 * Logs the name of each message to and from the secure frame, and the outcome and duration of each
 * request. The contents of messages and error messages are never logged.
 */
export function logFrame({ environment }: App, onEvent: OnFrameEvent): Logged {
  // biome-ignore lint/suspicious/noConsole: a log for developers (`login.logMessages`)
  const { now, logFrame: log = (line: string) => console.debug(line) } = environment
  return {
    onEvent: ((name: string, data: never) => {
      log(`Latchkey frame: ${name}`)
      ;(onEvent as (name: string, data: never) => void)(name, data)
    }) as OnFrameEvent,
    wrap: (frame) => ({
      closed: frame.closed,
      async request(method, params, options) {
        const startMs = now()
        const logOutcome = (end: string) =>
          log(`Latchkey frame: ${method} ${end} (${now() - startMs} ms)`)
        log(`Latchkey frame: ${method}`)
        try {
          const result = await frame.request(method, params, options)
          logOutcome('succeeded')
          return result
        } catch (error) {
          logOutcome(`failed: ${isError(error) ? error.code : 'INTERNAL'}`)
          throw error
        }
      },
    }),
  }
}
