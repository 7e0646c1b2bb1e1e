import { isError, type LatchkeyError } from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import { passkey as t } from '../locales/passkey.en.ts'
import type { PasskeySecret } from '../passkey.ts'
import type { Passkeys } from '../passkeysHere.ts'
import type { PasskeyProps } from '../screens/PasskeyScreen.tsx'
import {
  finishRegistration,
  makePasskey,
  proveFirstPasskey,
  readFirstPasskey,
  startRegistration,
} from './makePasskey.ts'

type CreationResult = PasskeySecret | LatchkeyError

/**
 * Adds a passkey to the wallet, on a screen with a button, because browsers require a press for
 * this. The passkey that began the account is offered first, if it does not recover the wallet yet.
 * Throws the errors of `makePasskey`.
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
  const show = <Other = never>(props: PasskeyProps<CreationResult | Other>) =>
    screenQueue.show<PasskeyProps<CreationResult | Other>, CreationResult | Other>(
      {
        view: 'passkey',
        title: t.add,
        load: async () => (await import('../screens/PasskeyScreen.tsx')).PasskeyScreen as never,
        props: { ...props, work: (passkeys) => props.work(passkeys).catch(endByFailure) },
      },
      signal,
    )
  const make = (passkeys: Passkeys) =>
    // The challenge of the page around the frame does not count in a window.
    passkeys.origin === undefined
      ? finishRegistration(session, started, passkeys)
      : makePasskey(session, { projectId, origin }, passkeys)
  const first = await readFirstPasskey(session)
  const chosen =
    first === undefined
      ? 'another'
      : await show<'another'>({
          text: t.firstText,
          label: t.use,
          work: (passkeys) => proveFirstPasskey(passkeys, first),
          other: { label: t.another, result: 'another' },
        })
  const factor =
    chosen === 'another' ? await show({ text: t.addText, label: t.add, work: make }) : chosen
  if (isError(factor)) throw factor
  await keys.do('addFactor', { factor })
}

/**
 * A passkey that cannot recover the wallet ends the screen: each further attempt would leave a
 * useless passkey in the browser.
 */
function endByFailure(error: unknown): LatchkeyError {
  if (isError(error, 'RECOVERY_FAILED')) return error
  throw error
}
