import { connect, createServer, type Socket } from 'node:net'

/**
 * `pass` forwards everything. `hang` keeps all connections and sends nothing more. `mute` does so
 * with new connections and ends the existing ones. `reset` resets both. With `refuse` the port is
 * closed.
 */
export type ProxyMode = 'pass' | 'hang' | 'mute' | 'reset' | 'refuse'

/** A TCP proxy in front of `target` with the failures of its mode. */
export async function startProxy(target: URL) {
  let mode: ProxyMode = 'pass'
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer((near) => {
    keep(near)
    if (mode === 'reset') return void near.resetAndDestroy()
    if (mode !== 'pass') return void near.resume()
    const far = connect(Number(target.port), target.hostname)
    keep(far)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (chunk) => mode !== 'hang' && to.write(chunk))
      from.on('close', () => mode !== 'hang' && to.destroy())
    }
  })
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const url = new URL(target)
  url.host = `127.0.0.1:${port}`
  const drop = (how: 'destroy' | 'resetAndDestroy') => {
    for (const socket of sockets) socket[how]()
  }
  return {
    url: url.href,
    async fail(next: ProxyMode) {
      // A connection that dropped data cannot be used again.
      if (mode === 'hang' || next !== 'hang') drop(next === 'reset' ? 'resetAndDestroy' : 'destroy')
      if (mode === 'refuse' && next !== 'refuse') await listen(port)
      if (mode !== 'refuse' && next === 'refuse') server.close()
      mode = next
    },
    async stop() {
      drop('destroy')
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
