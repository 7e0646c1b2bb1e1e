import { findExcess } from '../encoding/findExcess.ts'
import { isTooDeep, jsonMaxDepth } from '../encoding/parseBoundedJson.ts'
import { LatchkeyError } from '../errors/errors.ts'
import type { Limits, LocalWindow, RemoteWindow } from './channel.ts'
import {
  type ChannelMessage,
  type Draft,
  type Greeting,
  greeting,
  message,
  parseText,
} from './channelProtocol.ts'

const greetingMaxLength = 200

/** One end of the private connection between two windows. */
export type Port = {
  readonly closed: AbortSignal
  /**
   * Throws MESSAGE_TOO_LARGE, and INVALID_PARAMS or INTERNAL for what cannot be written as JSON. A
   * closed port sends nothing.
   */
  send(draft: Draft): void
  close(): void
  /** Counts a message as invalid, which closes the port in the end (`Limits.maxInvalid`). */
  countInvalid(): void
}

/**
 * Numbers, limits and parses the messages of `port`, and closes it once, with a notification to the
 * other end.
 */
export function openPort(parameters: {
  port: MessagePort
  here: LocalWindow
  limits: Limits
  onMessage: (received: ChannelMessage) => void
}): Port {
  const { port, here, limits, onMessage } = parameters
  const closing = new AbortController()
  let sent = 0
  let lastSequence = 0
  let invalid = 0
  const send = (draft: Draft) => {
    if (closing.signal.aborted) return
    const text = writeText(draft, { sequence: sent + 1, maxLength: limits.maxLength })
    if (text.length > limits.maxLength) throw new LatchkeyError('MESSAGE_TOO_LARGE')
    sent += 1
    port.postMessage(text)
  }
  const end = () => {
    if (closing.signal.aborted) return
    here.removeEventListener('pagehide', onPageHide)
    port.close()
    closing.abort()
  }
  const sayBye = () => port.postMessage(JSON.stringify({ kind: 'bye', sequence: sent + 1 }))
  const close = () => {
    if (closing.signal.aborted) return
    sayBye()
    end()
  }
  const countInvalid = () => {
    invalid += 1
    if (limits.maxInvalid !== undefined && invalid >= limits.maxInvalid) close()
  }
  // A page in the back/forward cache keeps its ports. In a page that is being left, the timer never
  // fires, so that the page does not handle the end of the connection as a failure of the other
  // window.
  const onPageHide = (event: Event) => {
    if ((event as PageTransitionEvent).persisted) return
    sayBye()
    setTimeout(end)
  }
  port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (closing.signal.aborted) return
    const readable = typeof data === 'string' && data.length <= limits.maxLength
    const received = readable ? parseText(message, data) : undefined
    if (!received || received.sequence <= lastSequence) return countInvalid()
    lastSequence = received.sequence
    if (received.kind === 'bye') end()
    else onMessage(received)
  })
  port.addEventListener('close', end)
  here.addEventListener('pagehide', onPageHide)
  port.start()
  return { closed: closing.signal, send, close, countInvalid }
}

/** Sends the first message to another window, which receives it only while it is at `origin`. */
export function greet(
  there: RemoteWindow,
  origin: string,
  word: Greeting,
  transfer: Transferable[] = [],
): void {
  there.postMessage(JSON.stringify(word), origin, transfer)
}

/**
 * Calls `onWord` for each first message of exactly `there`, or of `any` window, at exactly
 * `origin`. Returns a function that stops it.
 */
export function onGreeting(
  { here, there, origin }: { here: LocalWindow; there: RemoteWindow | 'any'; origin: string },
  onWord: (word: Greeting, ports: readonly MessagePort[], from: RemoteWindow) => void,
): () => void {
  const listener = (event: Event) => {
    const { source, origin: from, data, ports } = event as MessageEvent<unknown>
    if (!source || from !== origin || (there !== 'any' && source !== there)) return
    if (typeof data !== 'string' || data.length > greetingMaxLength) return
    const word = parseText(greeting, data)
    if (word) onWord(word, ports, source as RemoteWindow)
  }
  here.addEventListener('message', listener)
  return () => here.removeEventListener('message', listener)
}

// The bounds are checked before and after writing JSON, because a `toJSON` of the page can add to
// the value.
function writeText(
  draft: Draft,
  { sequence, maxLength }: { sequence: number; maxLength: number },
): string {
  const message = { ...draft, sequence }
  const refuse = (reason: string, cause?: unknown) =>
    draft.kind === 'request'
      ? new LatchkeyError('INVALID_PARAMS', { data: { reason }, cause })
      : new LatchkeyError('INTERNAL', { cause })
  const tooDeep = () => refuse(`more than ${jsonMaxDepth} levels of lists and objects`)
  const excess = findExcess(message, maxLength)
  if (excess === 'large') throw new LatchkeyError('MESSAGE_TOO_LARGE')
  if (excess === 'deep') throw tooDeep()
  let text: string
  try {
    text = JSON.stringify(message)
  } catch (cause) {
    // For example a bigint.
    throw refuse('not JSON', cause)
  }
  if (isTooDeep(text)) throw tooDeep()
  return text
}
