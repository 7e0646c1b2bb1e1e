import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const waiting = new WeakMap<Socket, Set<() => void>>()

/**
 * Calls `done` once, when a response has been sent or its connection has ended. Node does not
 * notify a response that waits behind another one on the same connection, so one listener on the
 * connection serves all of them.
 */
export function onResponseEnd(response: ServerResponse, done: () => void): void {
  const { socket } = response.req
  if (socket.destroyed) {
    done()
    return
  }
  const ends = waiting.get(socket) ?? listen(socket)
  const end = () => {
    if (ends.delete(end)) done()
  }
  ends.add(end)
  response.once('close', end)
}

function listen(socket: Socket): Set<() => void> {
  const ends = new Set<() => void>()
  waiting.set(socket, ends)
  socket.once('close', () => {
    for (const end of ends) end()
  })
  return ends
}
