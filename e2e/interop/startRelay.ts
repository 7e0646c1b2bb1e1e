import { startServer } from '@latchkey/server'
import { onTestFinished } from 'vitest'

/** A relay on a real port. */
export type TestRelay = {
  url: string
  /** Replaces the relay with an empty one on the same port. */
  restart(): Promise<void>
}

/**
 * Starts our relay, which ends with the test. `audiences`: the addresses of proxies, which clients
 * behind a proxy name in their tokens. `pushDelayMs`: how long the relay waits before each push.
 */
export async function startRelay({
  pushDelayMs = 0,
  audiences = [],
  clock = Date.now,
}: {
  pushDelayMs?: number
  audiences?: readonly string[]
  clock?: () => number
} = {}): Promise<TestRelay> {
  const start = (port: string) =>
    startServer(
      {
        ROLE: 'relay',
        PORT: port,
        LOG_LEVEL: 'silent',
        RELAY_AUDIENCES: audiences.join(','),
        RELAY_RATE_BURST: '100000',
      },
      { relayPushDelayMs: pushDelayMs, clock },
    )
  let server = await start('0')
  onTestFinished(() => server.stop())
  const url = server.url.replace('http', 'ws')
  return {
    url,
    async restart() {
      await server.stop()
      server = await start(new URL(url).port)
    },
  }
}
