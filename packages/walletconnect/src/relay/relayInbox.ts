import type { RelayMessage } from './relayClient.ts'

/**
 * Maximum characters of waiting messages. Further messages are not accepted, so the relay sends
 * them again.
 */
const maxLength = 32 * 1024 * 1024
/** The size of a message beyond its content. */
const overhead = 1_000
const maxDuplicates = 16

/**
 * Delivers messages, one after another for each topic, and acknowledges each message after it is
 * handled, including copies that arrive meanwhile. `onFailed` gets the topic of a message that
 * failed.
 */
export function createRelayInbox(parameters: {
  onMessage: (message: RelayMessage) => Promise<void>
  onFailed: (topic: string) => void
}): (message: RelayMessage, acknowledge: () => void) => void {
  const underway = new Map<string, (() => void)[]>()
  const tails = new Map<string, Promise<void>>()
  let length = 0

  return (message, acknowledge) => {
    const { topic } = message
    const key = topic + message.message
    const size = key.length + overhead
    const acknowledges = underway.get(key)
    if (acknowledges) {
      if (acknowledges.length < maxDuplicates) acknowledges.push(acknowledge)
      return
    }
    if (length + size > maxLength) return parameters.onFailed(topic)
    length += size
    underway.set(key, [acknowledge])

    const handle = async () => {
      const isHandled = await parameters.onMessage(message).then(
        () => true,
        () => false,
      )
      const waiting = underway.get(key) ?? []
      underway.delete(key)
      length -= size
      if (tails.get(topic) === tail) tails.delete(topic)
      if (!isHandled) parameters.onFailed(topic)
      else for (const acknowledge of waiting) acknowledge()
    }
    const tail = (tails.get(topic) ?? Promise.resolve()).then(handle)
    tails.set(topic, tail)
  }
}
