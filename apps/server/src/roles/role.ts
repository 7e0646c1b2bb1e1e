import type { OpenDatabase } from '../db/openDatabase.ts'
import type { CachedAnswers } from '../http/cachedAnswers.ts'
import type { BaseServices, Services, SocketRoute } from '../services.ts'

type Fetch = (request: Request, env?: object) => Response | Promise<Response>

/** What a server of one role answers with. */
export type Serving = {
  readonly fetch: Fetch
  /**
   * Answers a request from the cache before `fetch` is called; false if the answer is not cached.
   */
  readonly hot?: CachedAnswers['answer']
  /** Headers of every response, unless its area sets others. */
  readonly headers: Readonly<Record<string, string>>
  readonly routes: Readonly<Record<string, SocketRoute>>
  /** The secure frame's origin, on a listener of its own. */
  readonly frame?: Fetch
  /** Runs once a second. */
  tick?(): Promise<void>
  /** Answers everyone who waits and stops background work. */
  stop?(): void | Promise<void>
}

/** What a server of one role has besides the relay. */
export type Role = Partial<Pick<OpenDatabase, 'postgres'>> & {
  readonly database: Pick<Services, 'db' | 'projects'> | undefined
  serve(services: BaseServices): Promise<Serving>
  close(): Promise<void>
}
