import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

/** While more is on its way to a client, messages of its mailbox wait: half of what is allowed, but no more. */
const drainedMaxBytes = 1024 * 1024

/** Sends frames; ends the socket when its client lets too much pile up. What it did not get waits in its mailbox. */
export function createWriter(
  { socket, stream }: { readonly socket: WebSocket; readonly stream: Duplex },
  {
    backlogBytes,
    beforeWrite,
    onOverflow,
  }: { backlogBytes: number; beforeWrite: () => void; onOverflow: () => void },
) {
  const drainedBytes = Math.min(drainedMaxBytes, backlogBytes / 2)
  let waiters: (() => void)[] = []
  const wake = () => {
    const woken = waiters
    waiters = []
    for (const wakeOne of woken) wakeOne()
  }
  const onWritten = () => {
    if (waiters.length > 0 && stream.writableLength <= drainedBytes) wake()
  }
  return {
    send(text: string) {
      if (socket.readyState !== socket.OPEN) return
      if (stream.writableLength > backlogBytes) {
        onOverflow()
        return socket.close(1013, 'Too much is waiting for you')
      }
      beforeWrite()
      // `ws` would make two buffers of it; letters of one byte need none.
      if (Buffer.byteLength(text) === text.length)
        stream.write(textFrame(text), 'latin1', onWritten)
      else socket.send(text, onWritten)
    },
    drained() {
      if (socket.readyState !== socket.OPEN || stream.writableLength <= drainedBytes) return
      return new Promise<void>((resolve) => waiters.push(resolve))
    },
    closed: wake,
  }
}

/** A whole WebSocket message (RFC 6455 §5.2) of ASCII text, a byte for each letter. A server does not mask. */
function textFrame(text: string): string {
  const { length } = text
  if (length < 126) return `\x81${String.fromCharCode(length)}${text}`
  if (length < 65_536) return `\x81\x7e${String.fromCharCode(length >> 8, length & 255)}${text}`
  const size = [24, 16, 8, 0].map((shift) => (length >>> shift) & 255)
  return `\x81\x7f\0\0\0\0${String.fromCharCode(...size)}${text}`
}

/** What is written to a stream in one turn of the event loop leaves in one system call: most of what a frame costs. */
export function createGathering() {
  const corked = new Set<Duplex>()
  const release = () => {
    for (const stream of corked) stream.uncork()
    corked.clear()
  }
  return (stream: Duplex) => {
    if (corked.has(stream)) return
    if (corked.size === 0) setImmediate(release)
    corked.add(stream)
    stream.cork()
  }
}
