import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'
import type { MemoryReservation, ResponseMemory } from './createResponseMemory.ts'

type Limits = {
  readonly reservation: MemoryReservation
  readonly responseMemory: Pick<ResponseMemory, 'follow'>
  /** The request that opened the socket. */
  readonly request: IncomingMessage
  /** The most bytes that may wait for a slow reader. */
  readonly backlogBytes: number
}

/**
 * Sends text on a socket. The reservation accounts for unsent bytes. The socket is closed if they
 * exceed the backlog or the memory limit, or if the client reads too slowly.
 */
export function createSender(
  socket: WebSocket,
  { reservation, responseMemory, request, backlogBytes }: Limits,
) {
  responseMemory.follow(request.socket, reservation)
  const note = () => {
    if (socket.readyState === socket.OPEN && !reservation.hold(socket.bufferedAmount))
      socket.terminate()
  }
  socket.once('close', () => reservation.release())
  return (text: string): void => {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > backlogBytes) socket.terminate()
    else socket.send(text, note)
    note()
  }
}
