import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { MemoryReservation } from '../http/createResponseMemory.ts'

/**
 * While more bytes than this are on their way to a client, messages from its mailbox wait: half of
 * the limit, but at most this.
 */
const drainedMaxBytes = 1024 * 1024

/**
 * Sends frames, and closes the socket if its client reads too slowly; undelivered messages stay in
 * the mailbox. Frames of one turn of the event loop are sent in one system call, which is most of
 * the cost of a frame. `ws` would make two buffers of each.
 */
export function createWriter(
  { socket, stream }: { readonly socket: WebSocket; readonly stream: Duplex },
  {
    backlogBytes,
    reservation,
    afterTurn,
    onOverflow,
  }: {
    backlogBytes: number
    /** Accounts for the bytes on their way. */
    reservation: Pick<MemoryReservation, 'hold' | 'release'>
    afterTurn: (run: () => void) => void
    onOverflow: () => void
  },
) {
  const drainedBytes = Math.min(drainedMaxBytes, backlogBytes / 2)
  // Whole frames, one character per byte.
  let pending = ''
  let waiters: (() => void)[] = []
  const wake = () => {
    const wakened = waiters
    waiters = []
    for (const wakeOne of wakened) wakeOne()
  }
  const backlog = () => pending.length + stream.writableLength
  const onWritten = () => {
    reservation.hold(backlog())
    if (waiters.length > 0 && backlog() <= drainedBytes) wake()
  }
  const flush = () => {
    // No frame may follow a close frame.
    if (pending !== '' && socket.readyState === socket.OPEN && stream.writable)
      stream.write(pending, 'latin1', onWritten)
    pending = ''
  }
  const close = (code: number, reason: string) => {
    flush()
    socket.close(code, reason)
  }
  return {
    send(text: string) {
      if (socket.readyState !== socket.OPEN) return
      const frame = encodeFrame(text)
      if (backlog() > backlogBytes || !reservation.hold(backlog() + frame.length)) {
        onOverflow()
        return close(1013, 'Too many unread messages for this client')
      }
      if (pending === '') afterTurn(flush)
      pending += frame
    },
    drained() {
      if (socket.readyState !== socket.OPEN || backlog() <= drainedBytes) return
      return new Promise<void>((resolve) => waiters.push(resolve))
    },
    /** Runs after everything sent so far. */
    close,
    closed() {
      reservation.release()
      wake()
    },
  }
}

/**
 * A complete WebSocket text message (RFC 6455 §5.2), one character per byte. Servers do not mask.
 */
function encodeFrame(text: string): string {
  const isAscii = Buffer.byteLength(text) === text.length
  const payload = isAscii ? text : Buffer.from(text).toString('latin1')
  const { length } = payload
  if (length < 126) return `\x81${String.fromCharCode(length)}${payload}`
  if (length < 65_536) return `\x81\x7e${String.fromCharCode(length >> 8, length & 255)}${payload}`
  const size = [24, 16, 8, 0].map((shift) => (length >>> shift) & 255)
  return `\x81\x7f\0\0\0\0${String.fromCharCode(...size)}${payload}`
}

/** Runs the callback after the event loop has read all pending input. */
export function createTurn() {
  let waiting: (() => void)[] = []
  const end = () => {
    const due = waiting
    waiting = []
    for (const run of due) run()
  }
  return (run: () => void) => {
    if (waiting.length === 0) setImmediate(end)
    waiting.push(run)
  }
}
