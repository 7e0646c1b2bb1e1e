import { en } from '../locales/en.ts'
import { type ConsentProps, ConsentScreen } from '../screens/ConsentScreen.tsx'
import type { ScreenQueue } from '../screens/screenQueue.ts'

/** Asks whether this page may see the account. Throws USER_REJECTED. */
export const showConsent = (
  screenQueue: ScreenQueue,
  { signal, ...props }: ConsentProps & { signal: AbortSignal },
): Promise<void> =>
  screenQueue.show<ConsentProps, void>(
    {
      view: 'consent',
      title: en.consent.title,
      load: async () => ConsentScreen,
      props,
    },
    signal,
  )
