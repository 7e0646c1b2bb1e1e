import type { App } from '@latchkey/core'
import { createContext, useContext } from 'react'
import type { Messages } from '../locales/createT.ts'

/** The provider's context: the app, the language, and the loading state of the modal's code. */
export type Latchkey = {
  app: App
  locale: string
  messages: Messages
  modalStatus: 'idle' | 'loading' | 'ready' | 'failed'
  /** Loads the modal's code ahead of its first opening. */
  loadModal: () => void
  /**
   * The same for a user who is about to connect: also requests the first wallets from the server.
   */
  prefetch: () => void
}

export const LatchkeyContext = createContext<Latchkey | undefined>(undefined)

/** The context of the nearest provider. Throws if a hook is used outside of one. */
export function useLatchkey(): Latchkey {
  const latchkey = useContext(LatchkeyContext)
  if (latchkey === undefined) throw new Error('Latchkey hooks need <LatchkeyProvider> above them')
  return latchkey
}
