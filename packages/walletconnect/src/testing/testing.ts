import type { CreateRelay } from '../relay/relayClient.ts'
import { createTestClient, dial, everyone } from './testingClient.ts'
import type { Hub } from './testingMail.ts'
import type { Published, TestRelaySettings } from './testRelaySettings.ts'

/** A relay in this process, without sockets. */
export type TestRelay = {
  /** For any number of clients; those with one identity share a mailbox. */
  createRelay: CreateRelay
  settings: TestRelaySettings
  /** All published messages, oldest first. */
  published: readonly Published[]
  /**
   * Cuts the connections of one client (by its public key), or of all. They come back with
   * `connect`.
   */
  disconnect(clientId?: string): void
  connect(clientId?: string): void
  /** Refuses all clients with `error` until `accept` is called and they `revive`. */
  refuse(error: Error): void
  accept(): void
}

/**
 * A relay for tests. `now` is the relay's clock in milliseconds: its clients learn how far theirs
 * is off.
 */
export function createTestRelay({ now }: { now: () => number }): TestRelay {
  const settings: TestRelaySettings = {
    isOlder: false,
    pushDelayMs: 0,
    pushesFirst: false,
    reorders: false,
    duplicates: false,
    losesAcks: false,
  }
  const hub: Hub = {
    now,
    settings,
    published: [],
    mail: new Map(),
    clients: new Set(),
    cut: new Set(),
    refusal: undefined,
  }
  const refresh = () => {
    for (const client of hub.clients) dial(client)
  }
  return {
    createRelay: (parameters) => createTestClient(hub, parameters),
    settings,
    published: hub.published,
    disconnect(clientId = everyone) {
      hub.cut.add(clientId)
      refresh()
    },
    connect(clientId) {
      if (clientId === undefined) hub.cut.clear()
      else hub.cut.delete(clientId)
      refresh()
    },
    refuse(error) {
      hub.refusal = error
      refresh()
    },
    accept() {
      hub.refusal = undefined
    },
  }
}
