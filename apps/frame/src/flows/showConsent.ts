import { en } from '../locales/en.ts'
import { type ConsentProps, ConsentScreen } from '../screens/ConsentScreen.tsx'
import type { ScreenQueue } from '../screens/screenQueue.ts'
import { fetchRisks } from './fetchRisks.ts'

/**
 * Asks whether this page may see the account, with a warning if the operator's list has its site.
 * Throws USER_REJECTED.
 */
export async function showConsent(
  screenQueue: ScreenQueue,
  { signal, ...props }: Omit<ConsentProps, 'isListed'> & { signal: AbortSignal },
): Promise<void> {
  const { origin } = props
  const { listed } = await fetchRisks({ origin, addresses: [] })
  await screenQueue.show<ConsentProps, void>(
    {
      view: 'consent',
      title: en.consent.title,
      load: async () => ConsentScreen,
      props: { ...props, isListed: listed.includes(origin) },
    },
    signal,
  )
}
