import { createAccountRoute, startPasskeyRoute } from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import { fill } from '../locales/en.ts'
import { passkey as t } from '../locales/passkey.en.ts'
import type { PasskeySecret } from '../passkey.ts'
import type { Passkeys } from '../passkeysHere.ts'
import type { PasskeyProps } from '../screens/PasskeyScreen.tsx'
import { describeNow, type PasskeyOrigin } from './makePasskey.ts'

type AccountContext = Pick<FrameContext, 'session' | 'keys'>

type NewAccount = {
  readonly origin: string
  /** The wallet may begin before the passkey recovers it, so one prompt is enough. */
  readonly isRecoveryLater: boolean
  readonly signal: AbortSignal
}

/**
 * The passkey of a new account: its secret, `unfit` if it cannot recover a wallet, or `unproven` if
 * that is not known yet.
 */
export type FirstPasskey = PasskeySecret | 'unfit' | 'unproven'

/**
 * Creates a passkey and an account without an email address, and signs in to it. The server binds
 * the challenge and the session to this browser's key. Throws LOGIN_THROTTLED, PASSKEY_REFUSED, and
 * the errors of `passkeys`.
 */
async function beginPasskeyAccount(
  { session, keys }: AccountContext,
  { projectId, origin: pageOrigin, isProven }: PasskeyOrigin & { readonly isProven: boolean },
  passkeys: Passkeys,
): Promise<FirstPasskey> {
  const { origin = pageOrigin } = passkeys
  const { challenge, userHandle = '' } = await session.call(
    startPasskeyRoute,
    { purpose: 'account', projectId, origin },
    { as: 'proof' },
  )
  const label = describeNow()
  const { secret, passkey } = await passkeys.begin({
    name: fill(t.newName, { when: label }),
    challenge,
    userHandle,
    credentialIds: [],
    isProven,
  })
  keys.close()
  const begun = await session.call(createAccountRoute, { challenge, passkey }, { as: 'proof' })
  await session.saveTokens(begun)
  if (!isProven) return 'unproven'
  return secret ? { ...secret, label } : 'unfit'
}

/**
 * Begins an account with a passkey on a screen of the frame, which names the page that the user
 * signs in to. A page cannot begin an account alone: the user presses a button in this screen.
 * Throws USER_REJECTED, ABORTED.
 */
export const showNewAccount = (
  context: AccountContext & Pick<FrameContext, 'screenQueue' | 'facts'>,
  { origin, isRecoveryLater, signal }: NewAccount,
): Promise<FirstPasskey> => {
  const place = { projectId: context.facts.projectId, origin, isProven: !isRecoveryLater }
  return context.screenQueue.show<PasskeyProps<FirstPasskey>, FirstPasskey>(
    {
      view: 'passkey',
      title: t.new,
      load: async () => (await import('../screens/PasskeyScreen.tsx')).PasskeyScreen as never,
      props: {
        text: isRecoveryLater ? t.newHereText : t.newText,
        target: origin,
        label: t.make,
        work: (passkeys) => beginPasskeyAccount(context, place, passkeys),
      },
    },
    signal,
  )
}
