import type { PageEnd } from '../flows/pageEnd.ts'
import type { Keys } from '../openKeys.ts'
import type { Session } from '../session/session.ts'
import type { KeyStore } from '../wallet/keyStore.ts'

/** The props of the settings pages. `problem`: the error of their last task. */
export type PageProps = {
  session: Session
  keys: Keys
  store: KeyStore
  projectId: string
  problem: unknown
}
export type PageEnding = { done: (end: PageEnd) => void }
