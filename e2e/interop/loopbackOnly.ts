import { Socket } from 'node:net'
import { afterEach, expect } from 'vitest'

/** Hosts outside this machine that this process tried to reach since the last call. */
export const takeForeignHosts = (): string[] => foreign.splice(0)

const foreign: string[] = []
const loopback = new Set(['127.0.0.1', '::1', 'localhost'])

// Every client of Node, including fetch and TLS, connects through this method. A path is a Unix
// socket.
const connect = Socket.prototype.connect
Socket.prototype.connect = function (this: Socket, ...given: unknown[]) {
  const [first] = Array.isArray(given[0]) ? given[0] : given
  const { host = 'localhost', path } = (
    typeof first === 'object' && first !== null ? first : { host: given[1] }
  ) as { host?: string; path?: string }
  if (path !== undefined || loopback.has(host)) return Reflect.apply(connect, this, given)
  foreign.push(host)
  queueMicrotask(() => this.destroy(new Error(`${host} is not this machine`)))
  return this
} as typeof connect

afterEach(() => expect(takeForeignHosts()).toEqual([]))
