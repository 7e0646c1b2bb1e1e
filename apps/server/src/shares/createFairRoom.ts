/** The place of one waiting client. */
export type FairShare = {
  /** Changes how much the place takes. The place itself may have to leave. */
  weigh(weight: number): void
  /** Makes it the newest place, which leaves last. */
  renew(): void
  leave(): void
}

/** Places that many clients share, so that none of them can keep others out. */
export type FairRoom = {
  /**
   * Takes a place for `client`. `evict` is called at most once, if the place is needed for others.
   */
  enter(client: string, evict: () => void, weight?: number): FairShare
  /** The weight of all places, or of the places of one client. */
  weight(client?: string): number
  /**
   * Evicts the oldest place of the client that has most, if that is more than `least`. Returns
   * whether a place was evicted.
   */
  displace(least: number): boolean
}

type Guest = { readonly client: string; readonly evict: () => void; weight: number }
type Guests = { weight: number; readonly all: Set<Guest> }

/**
 * Creates a room for at most `total`, and `perClient` of it for one client. A newcomer always gets
 * in: above a client's share, the oldest place of this client leaves, and above the total, the
 * oldest place of the client that takes most.
 */
export function createFairRoom({
  total,
  perClient,
}: {
  readonly total: number
  readonly perClient: number
}): FairRoom {
  const byClient = new Map<string, Guests>()
  let all = 0

  function change(guest: Guest, weight: number): void {
    const guests = byClient.get(guest.client)
    if (!guests?.all.has(guest)) return
    all += weight - guest.weight
    guests.weight += weight - guest.weight
    guest.weight = weight
    while (guests.weight > perClient) evictOldest(guests)
    while (all > total) evictOldest(getHeaviest(byClient))
  }
  function leave(guest: Guest): void {
    const guests = byClient.get(guest.client)
    if (!guests?.all.delete(guest)) return
    all -= guest.weight
    guests.weight -= guest.weight
    if (guests.all.size === 0) byClient.delete(guest.client)
  }
  function evictOldest(guests: Guests | undefined): void {
    const [oldest] = guests?.all ?? []
    if (oldest === undefined) return
    leave(oldest)
    oldest.evict()
  }
  return {
    enter(client, evict, weight = 1) {
      const guests = byClient.get(client) ?? { weight: 0, all: new Set<Guest>() }
      byClient.set(client, guests)
      const guest: Guest = { client, evict, weight: 0 }
      guests.all.add(guest)
      change(guest, weight)
      return {
        weigh: (next) => change(guest, next),
        renew() {
          if (guests.all.delete(guest)) guests.all.add(guest)
        },
        leave: () => leave(guest),
      }
    },
    displace(least) {
      const heaviest = getHeaviest(byClient)
      if (heaviest === undefined || heaviest.weight <= least) return false
      evictOldest(heaviest)
      return true
    },
    weight: (client) => (client === undefined ? all : (byClient.get(client)?.weight ?? 0)),
  }
}

function getHeaviest(byClient: ReadonlyMap<string, Guests>): Guests | undefined {
  let heaviest: Guests | undefined
  for (const guests of byClient.values())
    if (heaviest === undefined || guests.weight > heaviest.weight) heaviest = guests
  return heaviest
}
