import { startServer } from '@latchkey/server'
import { onTestFinished } from 'vitest'

/** A relay on a real port. */
export type TestRelay = {
  url: string
  /** Ends it and starts another on the same port that remembers nothing. */
  restart(): Promise<void>
}

/**
 * Starts our relay; it ends with the test. Clients that come by a proxy name that in their tokens:
 * `audiences` are such addresses. `pushDelayMs`: so long it waits before each push.
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
