import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { OpenDatabase } from './db/openDatabase.ts'
import type { HotAnswers } from './http/hotAnswers.ts'
import { secureHeaders } from './http/secureHeaders.ts'
import { openProjects } from './projects/openProjects.ts'
import type { BaseServices, Services, SocketRoute } from './services.ts'

type Fetch = (request: Request, env?: object) => Response | Promise<Response>

/** What a server of one role answers with. */
export type Serving = {
  readonly fetch: Fetch
  /** Answers, before `fetch` is asked, what it has answered just before; false where it is not such. */
  readonly hot?: HotAnswers['answer']
  /** Of every response whose area says nothing else. */
  readonly headers: Readonly<Record<string, string>>
  readonly routes: Readonly<Record<string, SocketRoute>>
  /** The secure frame's origin, on a listener of its own. */
  readonly frame?: Fetch
  /** What happens by itself once a second. */
  tick?(): Promise<void>
  /** Lets go whoever waits, and ends what runs by itself. */
  stop?(): void | Promise<void>
}

/** What a server of one role has besides the relay. */
export type Role = Partial<Pick<OpenDatabase, 'postgres'>> & {
  readonly database: Pick<Services, 'db' | 'projects'> | undefined
  serve(services: BaseServices): Promise<Serving>
  close(): Promise<void>
}

/** Opens the database and loads the code that the configured role needs, and no more. */
export async function openRole(config: Config, log: Logger): Promise<Role> {
  if (config.role === 'relay' && config.databaseUrl === undefined)
    return openRelayRole(undefined, async () => {})
  const { openDatabase } = await import('./db/openDatabase.ts')
  const opened = await openDatabase(config, log)
  const { db, postgres } = opened
  const database = { db, projects: openProjects({ db, log }) }
  if (config.role === 'relay') return { ...(await openRelayRole(database, opened.close)), postgres }
  const { openWholeRole } = await import('./openWholeRole.ts')
  return { ...openWholeRole(opened, database), postgres }
}

async function openRelayRole(database: Role['database'], close: Role['close']): Promise<Role> {
  const { createRelayServer } = await import('./relay/relayServer.ts')
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
