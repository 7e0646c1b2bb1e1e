import type { WebSocket } from 'ws'
import type { Lease } from './createAnswerMemory.ts'

type Limits = {
  readonly lease: Lease
  /** The most bytes that may wait for a slow reader. */
  readonly backlogBytes: number
}

/**
 * Sends text on a socket. The lease accounts for unsent bytes. The socket is closed if they exceed the backlog or the memory
 * limit.
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
