import type { FramePage, FramePageFacts, SocialProvider } from '@latchkey/wire'
import type { LoginSession } from '../auth/loginSession.ts'
import type { StepUp } from '../flows/stepUp/confirmWithCode.ts'
import type { KeyClient } from '../openKeys.ts'
import type { ReadChain } from '../readChain.ts'
import type { KeyStore } from '../wallet/keyStore.ts'

/** The props of the settings pages. `problem`: the error of their last task. */
export type PageProps = {
  session: LoginSession
  keys: KeyClient
  store: KeyStore
  read: ReadChain
  facts: FramePageFacts
  projectId: string
  /** The origin of the page that embeds the frame. */
  origin: string
  problem: unknown
  /** Providers of social login. */
  socials: readonly SocialProvider[]
}

/**
 * How a page ends: it is closed, leads to another page, adds a sign-in or a passkey, shows a kit
 * that opens the wallet too or alone, lets the user choose a picture, brings a wallet by its realm
 * into this browser, or runs work that returns to it and may need a code first.
 */
export type PageEnd =
  | { to: Exclude<FramePage, 'back-up'> }
  | { link: SocialProvider }
  | { add: 'passkey' }
  | { kit: 'too' | 'alone' }
  | { choose: 'picture' }
  | { bring: string }
  | { run: () => Promise<void>; code?: StepUp }
  | undefined

export type PageEnding = { done: (end: PageEnd) => void }
