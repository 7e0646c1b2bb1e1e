import type { FramePageFacts } from '@latchkey/wire'
import type { LoginSession } from './auth/loginSession.ts'
import type { KeyClient } from './openKeys.ts'
import type { ReadChain } from './readChain.ts'
import type { ScreenQueue } from './screens/screenQueue.ts'
import type { KeyStore } from './wallet/keyStore.ts'

/** The state that the handlers and screens of a frame share. */
export type FrameContext = {
  readonly window: Window
  readonly facts: FramePageFacts
  readonly store: KeyStore
  readonly session: LoginSession
  readonly keys: KeyClient
  readonly screenQueue: ScreenQueue
  readonly read: ReadChain
}
