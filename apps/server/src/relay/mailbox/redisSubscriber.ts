import type { Redis } from 'ioredis'

const chunk = 1_000

/**
 * Keeps `redis` subscribed to the followed channels, also after lost connections. Calls `missed`
 * before it subscribes again, because messages may have been lost in the meantime. Commands and
 * subscriptions share one connection, so that results and announcements arrive in the order in
 * which Redis produced them.
 */
export function createRedisSubscriber(
  redis: Redis,
  { onMessage, onMissed }: { onMessage(channel: string, payload: string): void; onMissed(): void },
) {
  // Each channel with the pending SUBSCRIBE that it waits for.
  const followed = new Map<string, Promise<unknown>>()

  async function subscribe(channels: readonly string[]): Promise<void> {
    const done = subscribeInChunks(redis, channels)
    for (const channel of channels) followed.set(channel, done)
    try {
      await done
    } catch (error) {
      // Every new connection subscribes to all channels again.
      if (redis.status === 'ready') redis.disconnect(true)
      throw error
    }
  }
  redis.on('message', onMessage)
  redis.on('ready', () => {
    if (followed.size === 0) return
    // If this connection is lost too, the next one tries again.
    subscribe([...followed.keys()]).catch(() => {})
    onMissed()
  })
  return {
    /** Resolves when everything that is published from now on will be received. */
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

// Send all at once, so that a later unsubscribe is not overtaken.
function subscribeInChunks(redis: Redis, channels: readonly string[]): Promise<unknown> {
  const sent: Promise<unknown>[] = []
  for (let at = 0; at < channels.length; at += chunk)
    sent.push(redis.subscribe(...channels.slice(at, at + chunk)))
  return Promise.all(sent)
}
