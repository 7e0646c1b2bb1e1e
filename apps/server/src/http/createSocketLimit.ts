import type { IncomingMessage } from 'node:http'
import { type Awaitable, whenReady } from '../awaitable.ts'
import type { Services } from '../services.ts'
import { clientAddress, getOrigin } from './clientAddress.ts'
import type { Failure } from './failure.ts'

/** Counts open sockets of one kind on all processes, in total and by client address. */
export function createSocketLimit(
  kind: string,
  { kv, config: { trustedProxies, sockets } }: Pick<Services, 'kv' | 'config'>,
) {
  return {
    /** Counts the socket until its connection ends, or returns a failure if this client may not open another one. */
    admit(request: IncomingMessage): Awaitable<Failure | undefined> {
      const ofClient = `${kind}:${clientAddress(getOrigin(request), trustedProxies)}`
      const places = [
        { key: kind, most: sockets.total },
        { key: ofClient, most: sockets.perClient },
      ]
      return whenReady(kv.enter(places), (full) => {
        if (full === kind) return tooMany('Too many sockets are open')
        if (full === ofClient) return tooMany('Too many sockets are open from your address')
        whenClosed(request, () => kv.leave([kind, ofClient]))
        return undefined
      })
    },
  }
}

/** Calls `done` once, when the connection of an upgrade has ended, even if it never became a socket. */
export function whenClosed({ socket }: IncomingMessage, done: () => void): void {
  if (socket.destroyed) done()
  else socket.once('close', done)
}

const tooMany = (description: string): Failure => ({
  status: 429,
  field: 'rate_limited',
  description,
  retryAfterSeconds: 10,
})
