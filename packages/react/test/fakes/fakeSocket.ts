/** Sockets that open at once, and the messages that a server would send over them. */
export function createFakeSockets() {
  const open = new Set<FakeSocket>()
  class FakeSocket {
    readonly url: string
    onopen: (() => void) | null = null
    onmessage: ((event: { data: string }) => void) | null = null
    onclose: (() => void) | null = null
    onerror: (() => void) | null = null
    constructor(url: string) {
      this.url = url
      open.add(this)
      queueMicrotask(() => this.onopen?.())
    }
    close() {
      open.delete(this)
    }
  }
  return {
    webSocket: FakeSocket as unknown as typeof WebSocket,
    send(message: unknown) {
      for (const socket of open) socket.onmessage?.({ data: JSON.stringify(message) })
    },
  }
}
