import type { OpenDatabase } from './db/openDatabase.ts'
import type { HotAnswers } from './http/hotAnswers.ts'
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
