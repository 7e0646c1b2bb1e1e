import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Services, SocketRoute } from './services.ts'

/** What a server of one role has besides the relay. */
export type Role = {
  readonly db: Services['db'] | undefined
  serve(services: Omit<Services, 'db'>): {
    fetch(request: Request, env?: object): Response | Promise<Response>
    readonly routes: Readonly<Record<string, SocketRoute>>
  }
  close(): Promise<void>
}

/** Opens the database and loads the code that the configured role needs, and no more. */
export async function openRole(config: Config, log: Logger): Promise<Role> {
  if (config.role === 'relay' && config.databaseUrl === undefined)
    return openRelayRole(undefined, async () => {})
  const { openDatabase } = await import('./db/openDatabase.ts')
  const { db, close } = await openDatabase(config, log)
  if (config.role === 'relay') return openRelayRole(db, close)
  const { openWholeRole } = await import('./wholeRole.ts')
  return openWholeRole(db, close)
}

async function openRelayRole(db: Role['db'], close: Role['close']): Promise<Role> {
  const { createRelayServer } = await import('./relay/relayServer.ts')
  return {
    db,
    close,
    serve(services) {
      const app = createRelayServer(db ? { ...services, db } : services)
      return { fetch: (request, env) => app.fetch(request, env), routes: {} }
    },
  }
}
