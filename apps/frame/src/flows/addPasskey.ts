import { isError, type LatchkeyError } from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import { passkey as t } from '../locales/passkey.en.ts'
import type { PasskeySecret } from '../passkey.ts'
import type { Passkeys } from '../passkeysHere.ts'
import type { PasskeyProps } from '../screens/PasskeyScreen.tsx'
import { finishRegistration, makePasskey, startRegistration } from './makePasskey.ts'

type CreationResult = PasskeySecret | LatchkeyError

/**
 * Adds a passkey to the wallet, on a screen with a button, because browsers require a press for
 * this. Throws the errors of `makePasskey`.
 */
export async function addPasskey(
  {
    session,
    keys,
    screenQueue,
    facts,
  }: Pick<FrameContext, 'session' | 'keys' | 'screenQueue' | 'facts'>,
  { origin, signal }: { readonly origin: string; readonly signal: AbortSignal },
): Promise<void> {
  const { projectId } = facts
  const started = await startRegistration(session, { projectId, origin })
  // A passkey that cannot recover the wallet ends the screen: each further attempt would leave a
  // useless passkey in the browser.
  const make = async (passkeys: Passkeys) => {
    try {
      // The challenge of the page around the frame does not count in a window.
      return passkeys.origin === undefined
        ? await finishRegistration(session, started, passkeys)
        : await makePasskey(session, { projectId, origin }, passkeys)
    } catch (error) {
      if (isError(error, 'RECOVERY_FAILED')) return error
      throw error
    }
  }
  const factor = await screenQueue.show<PasskeyProps<CreationResult>, CreationResult>(
    {
      view: 'passkey',
      title: t.add,
      load: async () => (await import('../screens/PasskeyScreen.tsx')).PasskeyScreen as never,
      props: { text: t.addText, label: t.add, work: make },
    },
    signal,
  )
  if (isError(factor)) throw factor
  await keys.do('addFactor', { factor })
}
