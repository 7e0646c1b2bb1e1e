const connectTimeoutMs = 15_000
/** Relays ping at least this often; only Node reports pings. */
const pingTimeoutMs = 35_000

/** One socket. It reports nothing more once either side has closed it. */
export type RelayTransport = {
  /** Does nothing before the socket is open. */
  send(text: string): void
  close(): void
}

/** Node's sockets report pings and can be ended without a closing handshake. */
type NodeSocket = WebSocket & {
  on?(event: 'ping', listener: () => void): void
  terminate?(): void
}

/**
 * Opens a socket. Also calls `onClose`, with code 1006, if the socket does not open within 15 s or,
 * in Node, if no ping or frame arrives for 35 s. Throws the platform's errors.
 */
export function openRelayTransport(parameters: {
  address: string
  WebSocket: typeof WebSocket
  onOpen(): void
  onFrame(data: unknown): void
  onClose(code: number, reason: string): void
}): RelayTransport {
  const socket: NodeSocket = new parameters.WebSocket(parameters.address)
  let isClosed = false
  let timer: ReturnType<typeof setTimeout>

  const close = () => {
    isClosed = true
    clearTimeout(timer)
    if (socket.terminate) socket.terminate()
    else socket.close()
  }
  const closed = (code: number, reason: string) => {
    if (isClosed) return
    close()
    parameters.onClose(code, reason)
  }
  const expectWithin = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => closed(1006, ''), ms)
  }
  const alive = () => {
    clearTimeout(timer)
    if (!isClosed && socket.on) expectWithin(pingTimeoutMs)
    return !isClosed
  }

  expectWithin(connectTimeoutMs)
  socket.addEventListener('open', () => alive() && parameters.onOpen())
  socket.addEventListener('message', ({ data }) => alive() && parameters.onFrame(data))
  socket.addEventListener('close', ({ code, reason }) => closed(code, reason))
  // Node requires a listener; the close event follows.
  socket.addEventListener('error', () => {})
  socket.on?.('ping', alive)
  return {
    send: (text) => {
      // 1: open.
      if (!isClosed && socket.readyState === 1) socket.send(text)
    },
    close,
  }
}
