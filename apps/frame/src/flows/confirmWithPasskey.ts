import {
  listIdentitiesRoute,
  reportLostPasskeyRoute,
  type StepUpAction,
  startPasskeyRoute,
  verifyPasskeyRoute,
} from '@latchkey/wire'
import type { LoginSession } from '../auth/loginSession.ts'
import type { FrameContext } from '../context.ts'
import { fill } from '../locales/en.ts'
import { passkey as t } from '../locales/passkey.en.ts'
import { hasPasskeySupport } from '../passkey.ts'
import type { Passkeys } from '../passkeysHere.ts'
import type { CodeScreenPurpose } from '../screens/CodeScreen.tsx'
import type { PasskeyProps } from '../screens/PasskeyScreen.tsx'
import type { PasskeyOrigin } from './makePasskey.ts'

type PasskeyContext = Pick<FrameContext, 'session' | 'screenQueue'>
type ConfirmationParameters = PasskeyOrigin & {
  readonly action: StepUpAction
  readonly about: CodeScreenPurpose
  readonly signal?: AbortSignal | undefined
}
/**
 * `none`: the user has no passkey that can confirm. `lost`: the user cannot use the passkey, and a
 * code is not enough.
 */
export type Confirmation = 'confirmed' | 'none' | 'code' | 'lost'

type AssertionParameters = { readonly challenge: string; readonly credentialIds: readonly string[] }

/**
 * Confirms one action with a passkey, if the user has a passkey that the server verifies. Throws
 * USER_REJECTED, ABORTED.
 */
export async function confirmWithPasskey(
  { session, screenQueue }: PasskeyContext,
  { action, about, projectId, origin, signal }: ConfirmationParameters,
): Promise<Confirmation> {
  if (!hasPasskeySupport(window)) return 'none'
  const start = (at = origin) =>
    session.call(startPasskeyRoute, { purpose: 'step-up', action, projectId, origin: at })
  const first = await start()
  if (first.credentialIds.length === 0) return 'none'
  const other = { label: t.cannot, result: first.isCodeEnough ? 'code' : 'lost' } as const
  const hasOther = await hasOtherSignIn(session)
  return screenQueue.show<PasskeyProps<Confirmation>, Confirmation>(
    {
      view: 'passkey',
      title: t.title,
      load: async () => (await import('../screens/PasskeyScreen.tsx')).PasskeyScreen as never,
      props: {
        ...about,
        label: t.use,
        work: async (passkeys) => {
          // A challenge is valid once and for minutes, but the screen may be open for longer.
          const { challenge, credentialIds } = await start(passkeys.origin)
          await sign(session, passkeys, { challenge, credentialIds })
          return 'confirmed'
        },
        ...(hasOther && { other }),
      },
    },
    signal,
  )
}

/** Whether anything but a passkey can confirm: a mailbox, or a sign-in at a provider. */
async function hasOtherSignIn(session: LoginSession): Promise<boolean> {
  if ((await session.read())?.email) return true
  const { identities } = await session.call(listIdentitiesRoute, {})
  return identities.length > 0
}

async function sign(session: LoginSession, passkeys: Passkeys, using: AssertionParameters) {
  const { answer } = await passkeys.sign(using)
  const { challenge } = using
  await session.saveTokens(await session.call(verifyPasskeyRoute, { challenge, answer }))
}

/** Reports the loss after the user has entered the code, and shows from when codes are enough. */
export async function reportLoss(
  { session, screenQueue }: PasskeyContext,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { codesFromMs } = await session.call(reportLostPasskeyRoute, {})
  const when = new Date(codesFromMs).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })
  await screenQueue.show<PasskeyProps<void>, void>(
    {
      view: 'passkey',
      title: t.lost,
      load: async () => (await import('../screens/PasskeyScreen.tsx')).PasskeyScreen as never,
      props: { text: fill(t.lostText, { when }), label: t.understood, work: async () => {} },
    },
    signal,
  )
}
