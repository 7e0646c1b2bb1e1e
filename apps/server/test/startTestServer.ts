import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDatabase } from '@latchkey/dev'
import { startServer } from '../src/index.ts'
import type { ServerOptions } from '../src/startServer.ts'
import { metricsToken } from './readMetrics.ts'

/** A directory for one test, which the database's own user can pass through. */
export async function makeTestDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'latchkey-server-'))
  await chmod(dir, 0o755)
  return dir
}

/** A running server, its database included. */
export type TestServer = Awaited<ReturnType<typeof startTestServer>>

/** A whole server on a free port with its own database; `stop` removes its files. */
export async function startTestServer(
  env: Record<string, string> = {},
  options: ServerOptions = {},
) {
  const dir = await makeTestDir()
  const given = {
    PORT: '0',
    DATA_DIR: dir,
    WEB_DIST: join(dir, 'web'),
    LOG_LEVEL: 'silent',
    DATABASE_URL: env.DATABASE_URL ?? (await makeDatabase()),
    METRICS_TOKEN: metricsToken,
    // Tests share a busy machine. The tests of the deadline itself set their own timeout.
    DATABASE_TIMEOUT_SECONDS: '30',
    ...env,
  }
  const server = await startServer(given, options)
  const { frameUrl } = server
  const { db, projects } = server.services
  if (!db || !projects || !frameUrl) throw new Error('A whole server has a database and a frame')
  return {
    ...server,
    frameUrl,
    services: { ...server.services, db, projects },
    async stop() {
      await server.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
