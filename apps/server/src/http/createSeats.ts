import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'
import type { Config } from '../config.ts'
import { clientAddress, originOf } from './clientAddress.ts'
import type { Failure } from './failure.ts'

/** Counts the open sockets of one kind, by the address of their client. */
export function createSeats({
  trustedProxies,
  sockets: limits,
}: Pick<Config, 'trustedProxies' | 'sockets'>) {
  const open = new Map<string, number>()
  let all = 0
  return {
    /** Why one more socket of this client is not let in; else what takes the seat until the socket closes. */
    find(request: IncomingMessage): Failure | ((socket: WebSocket) => void) {
      const client = clientAddress(originOf(request), trustedProxies)
      if (all >= limits.total) return tooMany('Too many sockets are open')
      if ((open.get(client) ?? 0) >= limits.perClient)
        return tooMany('Too many sockets are open from here')
      return (socket) => {
        all++
        open.set(client, (open.get(client) ?? 0) + 1)
        socket.once('close', () => {
          all--
          const left = (open.get(client) ?? 1) - 1
          if (left > 0) open.set(client, left)
          else open.delete(client)
        })
      }
    },
  }
}

const tooMany = (description: string): Failure => ({
  status: 429,
  field: 'rate_limited',
  description,
  retryAfterSeconds: 10,
})
