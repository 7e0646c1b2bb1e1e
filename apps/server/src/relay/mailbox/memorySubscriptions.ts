export type SubscriptionLimits = {
  readonly subscriptionsPerClient: number
  /**
   * The subscriptions of all clients. The client that was silent the longest is forgotten first.
   */
  readonly subscriptions: number
}

const ttlMs = 30 * 86_400_000

type Client = { readonly topics: Set<string>; readonly expiresAtMs: number }

/** Stores the subscriptions of each client for thirty days after it last subscribed. */
export function createMemorySubscriptions(parameters: {
  readonly now: () => number
  readonly limits: SubscriptionLimits
}) {
  const { now, limits } = parameters
  // Ordered by last use.
  const clients = new Map<string, Client>()
  let count = 0

  function forget(clientId: string): void {
    count -= clients.get(clientId)?.topics.size ?? 0
    clients.delete(clientId)
  }
  function getTopics(clientId: string): Set<string> {
    const client = clients.get(clientId)
    return client && client.expiresAtMs > now() ? client.topics : new Set()
  }
  return {
    /** Adds all topics or none. Returns false if the client would have too many. */
    add(clientId: string, topics: readonly string[]): boolean {
      const current = getTopics(clientId)
      const fresh = new Set(topics.filter((topic) => !current.has(topic)))
      const max = Math.min(limits.subscriptionsPerClient, limits.subscriptions)
      if (current.size + fresh.size > max) return false
      forget(clientId)
      for (const topic of fresh) current.add(topic)
      if (current.size === 0) return true
      clients.set(clientId, { topics: current, expiresAtMs: now() + ttlMs })
      count += current.size
      for (const [other] of clients) {
        if (count <= limits.subscriptions) break
        forget(other)
      }
      return true
    },
    remove(clientId: string, topics: readonly string[]): void {
      const client = clients.get(clientId)
      if (!client) return
      for (const topic of topics) if (client.topics.delete(topic)) count--
      if (client.topics.size === 0) clients.delete(clientId)
    },
    read: (clientId: string): readonly string[] => [...getTopics(clientId)],
    sweep(): void {
      for (const [clientId, { expiresAtMs }] of clients) {
        if (expiresAtMs > now()) break
        forget(clientId)
      }
    },
    size: () => ({ clients: clients.size, subscriptions: count }),
  }
}
