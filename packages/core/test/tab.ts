import { vi } from 'vitest'
import type { App, Config, Environment } from '../src/app.ts'
import { searchWallets } from '../src/connection/searchWallets.ts'
import { createApp } from '../src/createApp.ts'
import { latchkeyOne, latchkeyTwo } from '../src/networks.ts'
import type { StorageArea } from '../src/storage.ts'

/**
 * The storage and locks of one browser with several tabs: a change notifies every tab except its
 * origin.
 */
export function createBrowser() {
  const entries = new Map<string, string>()
  let last: Promise<unknown> = Promise.resolve()
  const tabs: { area: StorageArea; events: EventTarget }[] = []
  return {
    entries,
    /** Web Locks, which Node.js 20 does not have; all names are one here. */
    locks: {
      async request(_name: string, { signal }: { signal: AbortSignal }, hold: () => Promise<void>) {
        signal.throwIfAborted()
        const before = last
        const granted = new Promise<void>((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
          void before.then(() => resolve())
        })
        const done = granted.then(hold)
        last = Promise.allSettled([before, done])
        return done
      },
    },
    openTab() {
      const events = new EventTarget()
      const tell = (key: string) => {
        for (const tab of tabs)
          if (tab.events !== events)
            tab.events.dispatchEvent(Object.assign(new Event('storage'), { key }))
      }
      const area: StorageArea = {
        key: (index) => [...entries.keys()][index] ?? null,
        get length() {
          return entries.size
        },
        getItem: (key) => entries.get(key) ?? null,
        setItem(key, value) {
          entries.set(key, value)
          tell(key)
        },
        removeItem(key) {
          if (entries.delete(key)) tell(key)
        },
      }
      const tab = { area, events }
      tabs.push(tab)
      return tab
    },
  }
}

/**
 * An app on the two local networks, on a page that lists wallets. Collects warnings, and fetches
 * nothing unless a `fetch` is given.
 */
export function openApp(...parameters: Parameters<typeof openQuietApp>) {
  const app = openQuietApp(...parameters)
  void searchWallets(app)
  return app
}

/** Like {@link openApp}, on a page that lists no wallets yet. */
export function openQuietApp(
  environment: Partial<Environment> = {},
  config: Partial<Config> = {},
): App & { warnings: string[] } {
  const warnings: string[] = []
  const app = createApp(
    {
      projectId: 'local',
      apiUrl: 'http://127.0.0.1:1',
      networks: [latchkeyOne, latchkeyTwo],
      ...config,
      wallets: { walletConnect: false, ...config.wallets },
    },
    {
      fetch: () => Promise.reject(new Error('No fetch in this test')),
      warn: (message) => warnings.push(message),
      logFrame: () => {},
      ...environment,
    },
  )
  return Object.assign(app, { warnings })
}

/**
 * Runs everything that is ready, including messages between ports and lazily loaded parts: some
 * turns of the event loop, however long they take.
 */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5))
  for (let turn = 0; turn < 20; turn++) {
    await vi.dynamicImportSettled()
    await new Promise((resolve) => setImmediate(resolve))
  }
}
