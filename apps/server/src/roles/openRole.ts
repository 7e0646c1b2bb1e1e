import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { secureHeaders } from '../http/headers.ts'
import { openProjects } from '../projects/openProjects.ts'
import type { Role } from './role.ts'

/** Opens the database and loads only the code that the configured role needs. */
export async function openRole(config: Config, log: Logger): Promise<Role> {
  if (config.role === 'relay' && config.databaseUrl === undefined)
    return openRelayRole(undefined, async () => {})
  const { openDatabase } = await import('../db/openDatabase.ts')
  const opened = await openDatabase(config, log)
  const { db, postgres } = opened
  const database = { db, projects: openProjects({ db, log }) }
  if (config.role === 'relay') return { ...(await openRelayRole(database, opened.close)), postgres }
  const { composeServer } = await import('./composeServer.ts')
  return { ...composeServer(opened, database), postgres }
}

async function openRelayRole(database: Role['database'], close: Role['close']): Promise<Role> {
  const { createRelayServer } = await import('../relay/relayServer.ts')
  return {
    database,
    close,
    async serve(services) {
      const app = createRelayServer({ ...services, ...database })
      const headers = secureHeaders(services.config)
      return { fetch: (request, env) => app.fetch(request, env), headers, routes: {} }
    },
  }
}
