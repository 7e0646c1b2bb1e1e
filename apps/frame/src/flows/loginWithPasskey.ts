import { startPasskey, verifyPasskey } from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import { passkey as t } from '../locales/passkey.en.ts'
import { type PasskeySecret, signWithPasskey } from '../passkey.ts'
import type { PasskeyProps } from '../screens/PasskeyScreen.tsx'
import type { PasskeyPlace } from './makePasskey.ts'

type LoginContext = Pick<FrameContext, 'session' | 'keys'>
type PasskeyLogin = PasskeyPlace & {
  /** What the login confirms besides. */
  readonly action?: 'export'
  readonly mediation?: 'conditional'
  readonly signal?: AbortSignal
}

/** Signs in with whichever passkey the user chooses, and opens the wallet with it where this browser does not hold it yet. */
export async function loginWithPasskey(
  { session, keys }: LoginContext,
  { projectId, origin, action, ...options }: PasskeyLogin,
): Promise<void> {
  const body = { purpose: 'login' as const, projectId, origin, ...(action && { action }) }
  const { challenge } = await session.call(startPasskey, body, { as: 'proof' })
  const { answer, secret } = await signWithPasskey({ challenge, credentialIds: [], ...options })
  keys.close()
  const verified = await session.call(verifyPasskey, { challenge, answer }, { as: 'proof' })
  await session.saveTokens(verified)
  if (secret) await openWith(keys, secret)
}

async function openWith(keys: LoginContext['keys'], secret: PasskeySecret): Promise<void> {
  try {
    const { status } = await keys.do('getStatus', {})
    if (status === 'ready' || status === 'none') return
    await keys.do('recover', { secret })
  } catch {
    // Whatever failed, the next screen says so and offers every way to recover.
  }
}

/** The same on a screen of the frame, which names the page that the user signs in to. Throws USER_REJECTED, ABORTED. */
export const showPasskeyLogin = (
  context: LoginContext & Pick<FrameContext, 'screenQueue' | 'facts'>,
  { origin, signal }: { readonly origin: string; readonly signal: AbortSignal },
): Promise<void> =>
  context.screenQueue.show<PasskeyProps<void>, void>(
    {
      view: 'passkey',
      title: t.login,
      load: async () => (await import('../screens/PasskeyScreen.tsx')).PasskeyScreen as never,
      props: {
        text: t.loginText,
        target: origin,
        label: t.use,
        work: () => loginWithPasskey(context, { projectId: context.facts.projectId, origin }),
      },
    },
    signal,
  )
