import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../src/index.ts'

/** A directory for one test, which the database's own user can pass through. */
export async function makeTestDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'latchkey-server-'))
  await chmod(dir, 0o755)
  return dir
}

/** A running server, its database included. */
export type TestServer = Awaited<ReturnType<typeof startTestServer>>

/** A whole server on a free port with a database of its own; `stop` removes what it kept. */
export async function startTestServer(env: Record<string, string> = {}) {
  const dir = await makeTestDir()
  const server = await startServer({
    PORT: '0',
    DATA_DIR: dir,
    WEB_DIST: join(dir, 'web'),
    LOG_LEVEL: 'silent',
    ...env,
  })
  const { db } = server.services
  if (!db) throw new Error('A whole server has a database')
  return {
    ...server,
    services: { ...server.services, db },
    async stop() {
      await server.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
