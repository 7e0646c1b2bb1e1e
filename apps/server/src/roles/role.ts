import type { OpenDatabase } from '../db/openDatabase.ts'
import type { ResponseCache } from '../http/responseCache.ts'
import type { BaseServices, Services, SocketRoute } from '../services.ts'

type Fetch = (request: Request, env?: object) => Response | Promise<Response>

/** The handlers of a server's role. */
export type Serving = {
  readonly fetch: Fetch
  /**
   * Answers a request from the cache before `fetch` is called; false if the response is not cached.
   */
  readonly answerFromCache?: ResponseCache['answer']
  /** The headers of every response, unless its area sets others. */
  readonly headers: Readonly<Record<string, string>>
  readonly routes: Readonly<Record<string, SocketRoute>>
  /** The handler for the secure frame's origin, which has a separate listener. */
  readonly frame?: Fetch
  /** Runs once a second. */
  tick?(): Promise<void>
  /** Answers all waiting requests and stops background work. */
  stop?(): void | Promise<void>
}

/** The parts of a server that depend on its role, without the relay. */
export type Role = Partial<Pick<OpenDatabase, 'postgres'>> & {
  readonly database: Pick<Services, 'db' | 'projects'> | undefined
  serve(services: BaseServices): Promise<Serving>
  close(): Promise<void>
}
