import type { WebSocket } from 'ws'
import type { Lease } from './createAnswers.ts'

type Limits = {
  readonly lease: Lease
  /** Bytes a slow reader may let pile up. */
  readonly backlogBytes: number
}

/**
 * Sends text on a socket. What its client has not taken is held by the lease; the socket ends where that is too much, or more
 * than there is.
 */
export function createSender(socket: WebSocket, { lease, backlogBytes }: Limits) {
  const note = () => {
    if (socket.readyState === socket.OPEN && !lease.hold(socket.bufferedAmount)) socket.terminate()
  }
  socket.once('close', () => lease.release())
  return (text: string): void => {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > backlogBytes) socket.terminate()
    else socket.send(text, note)
    note()
  }
}
