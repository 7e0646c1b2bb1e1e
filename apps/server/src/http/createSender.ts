import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'
import type { AnswerMemory, Lease } from './createResponseMemory.ts'

type Limits = {
  readonly lease: Lease
  readonly answers: Pick<AnswerMemory, 'follow'>
  /** The request that opened the socket. */
  readonly request: IncomingMessage
  /** The most bytes that may wait for a slow reader. */
  readonly backlogBytes: number
}

/**
 * Sends text on a socket. The lease accounts for unsent bytes. The socket is closed if they exceed
 * the backlog or the memory limit, or if the client reads too slowly.
 */
export function createSender(socket: WebSocket, { lease, answers, request, backlogBytes }: Limits) {
  answers.follow(request.socket, lease)
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
