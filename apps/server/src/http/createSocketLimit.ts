import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'
import type { Config } from '../config.ts'
import { clientAddress, getOrigin } from './clientAddress.ts'
import type { Failure } from './failure.ts'

/** Counts open sockets of one kind, in total and by client address. */
export function createSocketLimit({
  trustedProxies,
  sockets: limits,
}: Pick<Config, 'trustedProxies' | 'sockets'>) {
  const open = new Map<string, number>()
  let all = 0
  return {
    /** Returns a failure if this client may not open another socket, otherwise a function that counts the socket until it closes. */
    admit(request: IncomingMessage): Failure | ((socket: WebSocket) => void) {
      const client = clientAddress(getOrigin(request), trustedProxies)
      if (all >= limits.total) return tooMany('Too many sockets are open')
      if ((open.get(client) ?? 0) >= limits.perClient)
        return tooMany('Too many sockets are open from your address')
      return (socket) => {
        all++
        open.set(client, (open.get(client) ?? 0) + 1)
        socket.once('close', () => {
          all--
          const count = (open.get(client) ?? 1) - 1
          if (count > 0) open.set(client, count)
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
