import { parseBoundedJson } from '@latchkey/wire'
import { commitment } from './nodeResponses.ts'

/** How many messages a node may send before it reports the transaction. */
const maxMessages = 10

/**
 * Subscribes to a node's notification of a confirmed transaction. The notification only triggers a
 * read: `onNews` is called once, when it arrives or the socket is lost. `isListening`: whether the
 * node has confirmed the subscription.
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
      if (isConfirmation(data) && messages < maxMessages) isListening = true
      else end()
    }
    socket.onclose = end
    socket.onerror = end
  }
  return { isListening: () => isListening, stop }
}

/**
 * Whether a message confirms the subscription. Any other message ends it: the notification, a
 * refusal, or an invalid message.
 */
function isConfirmation(data: unknown): boolean {
  try {
    const { id, result } = parseBoundedJson(String(data)) as { id?: unknown; result?: unknown }
    return id === 1 && typeof result === 'number'
  } catch {
    return false
  }
}
