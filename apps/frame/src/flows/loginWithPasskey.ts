import { anySignal, startPasskeyRoute, verifyPasskeyRoute } from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import { passkey as t } from '../locales/passkey.en.ts'
import type { PasskeySecret } from '../passkey.ts'
import { type Passkeys, passkeysHere } from '../passkeysHere.ts'
import type { PasskeyProps } from '../screens/PasskeyScreen.tsx'
import type { PasskeyOrigin } from './makePasskey.ts'

type LoginContext = Pick<FrameContext, 'session' | 'keys'>
type PasskeyLogin = PasskeyOrigin & {
  /** An action that the login confirms in addition to signing in. */
  readonly action?: 'export'
}
type ChoosePasskeyParameters = {
  readonly challenge: string
  readonly mediation?: 'conditional'
  readonly signal?: AbortSignal
}

// A challenge is valid for five minutes, and a screen that offers passkeys may be open for longer.
const renewMs = 4 * 60_000

/**
 * Signs in with any passkey that the user chooses, and opens the wallet with it if this browser
 * does not hold the wallet yet.
 */
export async function loginWithPasskey(
  context: LoginContext,
  login: PasskeyLogin,
  passkeys: Passkeys,
): Promise<void> {
  const { origin = login.origin } = passkeys
  const { challenge } = await startLogin(context, { ...login, origin })
  const signIn = await choosePasskey(context, passkeys, { challenge })
  await signIn()
}

/**
 * Creates a function that offers passkeys in a field of this document whose `autocomplete` has
 * `webauthn`, each time the field comes into view, until `signal` aborts. Once the user has chosen
 * a passkey, it resolves to a function that signs in with it. Rejects if the browser makes no
 * offer.
 */
export function createPasskeyOffer(context: LoginContext, login: PasskeyLogin) {
  let kept: { challenge: Promise<string>; renewAtMs: number } | undefined
  // A browser gets only a few challenges per hour, so a field that comes and goes keeps its
  // challenge.
  const keep = () => {
    if (kept && Date.now() < kept.renewAtMs) return kept
    const challenge = startLogin(context, login).then((started) => started.challenge)
    const fresh = { challenge, renewAtMs: Date.now() + renewMs }
    challenge.catch(() => drop(fresh))
    kept = fresh
    return fresh
  }
  const drop = (used: typeof kept) => {
    if (kept === used) kept = undefined
  }
  return async (signal: AbortSignal): Promise<() => Promise<void>> => {
    for (;;) {
      const used = keep()
      const renewed = AbortSignal.timeout(Math.max(0, used.renewAtMs - Date.now()))
      const ends = anySignal([signal, renewed])
      try {
        const challenge = await used.challenge
        const options = { challenge, mediation: 'conditional', signal: ends } as const
        const signIn = await choosePasskey(context, passkeysHere, options)
        drop(used)
        return signIn
      } catch (error) {
        if (signal.aborted || !renewed.aborted) throw error
        drop(used)
      }
    }
  }
}

function startLogin({ session }: LoginContext, { projectId, origin, action }: PasskeyLogin) {
  const body = { purpose: 'login' as const, projectId, origin, ...(action && { action }) }
  return session.call(startPasskeyRoute, body, { as: 'proof' })
}

async function choosePasskey(
  { session, keys }: LoginContext,
  passkeys: Passkeys,
  { challenge, ...options }: ChoosePasskeyParameters,
): Promise<() => Promise<void>> {
  const { answer, secret } = await passkeys.sign({ challenge, credentialIds: [], ...options })
  return async () => {
    keys.close()
    const verified = await session.call(verifyPasskeyRoute, { challenge, answer }, { as: 'proof' })
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
    // On any failure, the next screen shows the error and offers every way to recover.
  }
}

/**
 * Signs in with a passkey on a screen of the frame, which names the page that the user signs in to.
 * Throws USER_REJECTED, ABORTED.
 */
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
        work: (passkeys) =>
          loginWithPasskey(context, { projectId: context.facts.projectId, origin }, passkeys),
      },
    },
    signal,
  )
