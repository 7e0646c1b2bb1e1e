import { en } from '../locales/en.ts'
import { ConsentScreen } from '../screens/ConsentScreen.tsx'
import type { ScreenQueue } from '../screens/screenQueue.ts'

/** Asks whether this page may see the account. Throws USER_REJECTED. */
export const showConsent = (
  screenQueue: ScreenQueue,
  { origin, signal }: { origin: string; signal: AbortSignal },
): Promise<void> =>
  screenQueue.show<{ origin: string }, void>(
    {
      view: 'consent',
      title: en.consent.title,
      load: async () => ConsentScreen,
      props: { origin },
    },
    signal,
  )
