import type { Redis } from 'ioredis'

const chunk = 1_000

/**
 * Keeps `redis` subscribed to the channels that are followed, over lost connections too. `missed` is called when it is
 * about to follow again: messages may have passed meanwhile. One connection for this and all else, so that what Redis did in
 * order is heard in order.
 */
export function createRedisSubscriber(
  redis: Redis,
  { heard, missed }: { heard(channel: string, payload: string): void; missed(): void },
) {
  // Each with the subscribing that it waits for.
  const followed = new Map<string, Promise<unknown>>()

  async function subscribe(channels: readonly string[]): Promise<void> {
    const done = subscribeInChunks(redis, channels)
    for (const channel of channels) followed.set(channel, done)
    try {
      await done
    } catch (error) {
      // A new connection subscribes to everything again.
      if (redis.status === 'ready') redis.disconnect(true)
      throw error
    }
  }
  redis.on('message', heard)
  redis.on('ready', () => {
    if (followed.size === 0) return
    // A connection that is lost again is followed by another.
    subscribe([...followed.keys()]).catch(() => {})
    missed()
  })
  return {
    /** Resolves when what is published from now on will be heard. */
    async follow(channels: readonly string[]): Promise<void> {
      const fresh = channels.filter((channel) => !followed.has(channel))
      if (fresh.length > 0) await subscribe(fresh)
      for (const channel of channels) await followed.get(channel)
    },
    unfollow(channels: readonly string[]): void {
      for (const channel of channels) followed.delete(channel)
      redis.unsubscribe(...channels).catch(() => {})
    },
  }
}

// All are sent at once, so that what is unfollowed later stays so.
function subscribeInChunks(redis: Redis, channels: readonly string[]): Promise<unknown> {
  const sent: Promise<unknown>[] = []
  for (let at = 0; at < channels.length; at += chunk)
    sent.push(redis.subscribe(...channels.slice(at, at + chunk)))
  return Promise.all(sent)
}
