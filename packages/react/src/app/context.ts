import type { App } from '@latchkey/core'
import { createContext, useContext } from 'react'
import type { Messages } from '../locales/createT.ts'

/** What the provider hands down: the app, the language, and how far the modal's code is. */
export type Latchkey = {
  app: App
  locale: string
  messages: Messages
  modalStatus: 'idle' | 'loading' | 'ready' | 'failed'
  /** Loads the modal's code ahead of its first opening. */
  loadModal: () => void
  /** The same for one who is about to connect: the server is asked for its first wallets too. */
  prefetch: () => void
}

export const LatchkeyContext = createContext<Latchkey | undefined>(undefined)

/** The nearest provider's context; a hook outside of one is a mistake of the app. */
export function useLatchkey(): Latchkey {
  const latchkey = useContext(LatchkeyContext)
  if (latchkey === undefined) throw new Error('Latchkey hooks need <LatchkeyProvider> above them')
  return latchkey
}
