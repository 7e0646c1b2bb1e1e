import { LatchkeyError } from '@latchkey/wire'
import type { Engine } from '../engine.ts'

/**
 * Subscribes to a topic and resolves when its relay is connected, possibly before the relay has
 * confirmed it. Throws the errors of `subscribe`.
 */
export async function waitForRelay(
  { relays }: Engine,
  relayUrl: string,
  { topic, signal }: { topic: string; signal?: AbortSignal | undefined },
): Promise<void> {
  const held = relays.hold(relayUrl, [topic])
  held.catch(() => {})
  if (relays.status(relayUrl).status === 'connected') return
  const stops: (() => void)[] = []
  try {
    await new Promise<void>((resolve, reject) => {
      const abort = () => reject(new LatchkeyError('ABORTED'))
      signal?.addEventListener('abort', abort)
      stops.push(
        () => signal?.removeEventListener('abort', abort),
        relays.at(relayUrl).onStatus(({ status }) => {
          if (status === 'connected') resolve()
        }),
      )
      held.then(resolve, reject)
    })
  } finally {
    for (const stop of stops) stop()
  }
}
