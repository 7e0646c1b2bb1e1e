import { parseBoundedJson } from '@latchkey/wire'
import { commitment } from './nodeResponses.ts'

/** Messages that a node may send before it has said anything of the transaction. */
const maxMessages = 10

/**
 * Asks a node to say when a transaction is confirmed. Its message is only a reason to look:
 * `onNews` is called once, when it arrives or when the socket is lost. `isListening` is whether it
 * has promised to speak.
 */
export function watchSignature({
  hash,
  socket,
  onNews,
}: {
  hash: string
  socket: WebSocket | undefined
  onNews: () => void
}): { isListening(): boolean; stop(): void } {
  let isListening = false
  let messages = 0
  const stop = () => {
    isListening = false
    if (!socket) return
    socket.onopen = socket.onmessage = socket.onclose = null
    // Later errors are ignored; `ws` would throw them without a listener.
    socket.onerror = () => {}
    socket.close()
  }
  const end = () => {
    stop()
    onNews()
  }
  if (socket) {
    socket.onopen = () => {
      const params = [hash, { commitment }]
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'signatureSubscribe', params }))
    }
    socket.onmessage = ({ data }) => {
      messages += 1
      if (isPromise(data) && messages < maxMessages) isListening = true
      else end()
    }
    socket.onclose = end
    socket.onerror = end
  }
  return { isListening: () => isListening, stop }
}

/**
 * Whether a message confirms the subscription. Any other ends it: the news, a refusal, or nonsense.
 */
function isPromise(data: unknown): boolean {
  try {
    const { id, result } = parseBoundedJson(String(data)) as { id?: unknown; result?: unknown }
    return id === 1 && typeof result === 'number'
  } catch {
    return false
  }
}
