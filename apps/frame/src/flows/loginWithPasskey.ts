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
}
type Choosing = PasskeyLogin & {
  readonly mediation?: 'conditional'
  readonly signal?: AbortSignal
}

// A challenge is valid for five minutes, and a screen that offers passkeys may be open for longer.
const renewMs = 4 * 60_000

/** Signs in with whichever passkey the user chooses, and opens the wallet with it where this browser does not hold it yet. */
export async function loginWithPasskey(context: LoginContext, login: PasskeyLogin): Promise<void> {
  const signIn = await choosePasskey(context, login)
  await signIn()
}

/**
 * Offers passkeys in a field of this document whose `autocomplete` has `webauthn`, until `signal` aborts. Once the user has
 * chosen one, resolves to what signs in with it. The offer ends with an error where the browser does not make it.
 */
export async function offerPasskeys(
  context: LoginContext,
  { signal, ...login }: PasskeyLogin & { readonly signal: AbortSignal },
): Promise<() => Promise<void>> {
  for (;;) {
    const renewed = AbortSignal.timeout(renewMs)
    const ends = AbortSignal.any([signal, renewed])
    try {
      return await choosePasskey(context, { ...login, mediation: 'conditional', signal: ends })
    } catch (error) {
      if (signal.aborted || !renewed.aborted) throw error
    }
  }
}

async function choosePasskey(
  { session, keys }: LoginContext,
  { projectId, origin, action, ...options }: Choosing,
): Promise<() => Promise<void>> {
  const { signal } = options
  const body = { purpose: 'login' as const, projectId, origin, ...(action && { action }) }
  const { challenge } = await session.call(startPasskey, body, { as: 'proof', signal })
  const { answer, secret } = await signWithPasskey({ challenge, credentialIds: [], ...options })
  return async () => {
    keys.close()
    const verified = await session.call(verifyPasskey, { challenge, answer }, { as: 'proof' })
    await session.saveTokens(verified)
    if (secret) await openWith(keys, secret)
  }
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
