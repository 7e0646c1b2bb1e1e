import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

/** While more is on its way to a client, messages of its mailbox wait: half of what is allowed, but no more. */
const drainedMaxBytes = 1024 * 1024

/** Sends frames; ends the socket when its client lets too much pile up. What it did not get waits in its mailbox. */
export function createWriter(
  socket: WebSocket,
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
    if (waiters.length > 0 && socket.bufferedAmount <= drainedBytes) wake()
  }
  return {
    send(text: string) {
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > backlogBytes) {
        onOverflow()
        return socket.close(1013, 'Too much is waiting for you')
      }
      beforeWrite()
      socket.send(text, onWritten)
    },
    drained() {
      if (socket.readyState !== socket.OPEN || socket.bufferedAmount <= drainedBytes) return
      return new Promise<void>((resolve) => waiters.push(resolve))
    },
    closed: wake,
  }
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
