import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack } from '@latchkey/dev'
import { type ClientStorage, createDapp, type Dapp } from '@latchkey/walletconnect'
import { chromium } from 'playwright-core'
import { WebSocket as NodeSocket } from 'ws'

/** A storage of one app that lives as long as its map. */
const memoryStorage = (map: Map<string, string>): ClientStorage => ({
  get: (key) => map.get(key),
  set: (key, value) => void map.set(key, value),
  remove: (key) => void map.delete(key),
  keys: () => [...map.keys()],
  subscribe: () => () => {},
})

/** Starts the built wallet, its chains, a server with a relay, and a browser, all on free ports. */
export async function startConnected() {
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-wallet-'))
  const stack = await startStack({
    mode: 'production',
    ports: 'free',
    dataDir,
    log: () => {},
    parts: ['chains', 'bitcoin', 'server', 'wallet'],
  })
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  const relayUrl = stack.urls.web.replace('http:', 'ws:')
  return {
    browser,
    urls: { ...stack.urls, relay: relayUrl },
    /** An app in this process; with the same `kept` it is the same app after a restart. */
    openApp: (kept = new Map<string, string>()): Promise<Dapp> =>
      createDapp({
        relayUrl,
        projectId: 'local',
        metadata: {
          name: 'Test App',
          description: 'An app under test',
          url: 'https://app.example',
          icons: [],
        },
        storage: memoryStorage(kept),
        WebSocket: NodeSocket as unknown as typeof WebSocket,
      }),
    async stop() {
      await browser.close()
      await stack.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
