import { type Inbox, startInbox } from '@latchkey/dev'
import type { ServerOptions } from '../../src/startServer.ts'
import { startTestServer, type TestServer } from '../startTestServer.ts'

/** A server that sends mail to its own inbox and uses a clock that the test moves. */
export type AuthServer = {
  readonly server: TestServer
  readonly inbox: Inbox
  readonly time: { nowMs: number }
  stop(): Promise<void>
}

/**
 * Starts both. The server trusts the address that a client sends, so that each client has its own.
 */
export async function startAuthServer(
  env: Record<string, string> = {},
  options: Omit<ServerOptions, 'clock'> = {},
  mail: { readonly offersUtf8?: boolean } = {},
): Promise<AuthServer> {
  const time = { nowMs: Date.parse('2026-11-21T12:00:00Z') }
  const inbox = await startInbox({ smtpPort: 0, port: 0, ...mail })
  const given = {
    SMTP_URL: inbox.smtpUrl,
    TRUST_PROXY: '1',
    RATE_LIMIT_BURST: '1000000',
    RATE_LIMIT_PER_SECOND: '1000000',
    ...env,
  }
  const server = await startTestServer(given, { ...options, clock: () => time.nowMs })
  return {
    server,
    inbox,
    time,
    async stop() {
      await server.stop()
      await inbox.stop()
    },
  }
}
