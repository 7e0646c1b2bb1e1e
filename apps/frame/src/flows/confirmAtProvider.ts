import {
  type LoginTokens,
  listIdentitiesRoute,
  type SocialProvider,
  type StepUpAction,
} from '@latchkey/wire'
import type { LoginSession } from '../auth/loginSession.ts'
import type { FrameContext } from '../context.ts'
import { fill } from '../locales/en.ts'
import { social } from '../locales/social.en.ts'
import type { CodeScreenPurpose } from '../screens/CodeScreen.tsx'
import type { SocialProps } from '../screens/SocialScreen.tsx'
import { allowProviderPopup } from '../social/providerPopup.ts'
import { beginAtProvider } from '../social/socialLogin.ts'

type ProviderContext = Pick<FrameContext, 'session' | 'screenQueue'> & {
  readonly facts: { readonly projectId: string }
}
type ProviderParameters = {
  readonly providers: readonly SocialProvider[]
  readonly purpose?: 'step-up' | 'link'
  readonly action?: StepUpAction
  readonly title: string
  readonly text: string
  readonly origin: string
  readonly signal?: AbortSignal | undefined
}

/**
 * Has the user sign in at a provider, and keeps the tokens. A first login begins before
 * the screen, so that the server's requirements are known before the user presses. Throws
 * STEP_UP_NEEDED, USER_REJECTED, and the errors of the login.
 */
export async function confirmAtProvider(
  { session, screenQueue, facts }: ProviderContext,
  { providers, purpose, action, title, text, origin, signal }: ProviderParameters,
): Promise<void> {
  const begin = (provider: SocialProvider) =>
    beginAtProvider(session, {
      provider,
      projectId: facts.projectId,
      origin,
      ...(purpose && { purpose }),
      ...(action && { action }),
    })
  const [only] = providers
  let first = providers.length === 1 && only ? await begin(only) : undefined
  const tokens = await screenQueue.show<SocialProps, LoginTokens>(
    {
      view: 'social',
      title,
      load: async () => (await import('../screens/SocialScreen.tsx')).SocialScreen,
      props: {
        text,
        providers,
        visit: async (provider, { rendezvous, signal, onMeet }) => {
          const login = first ?? (await begin(provider))
          first = undefined
          await allowProviderPopup(session, {
            login,
            provider,
            origin,
            purpose,
            rendezvous,
            signal,
          })
          onMeet()
          return login.wait(signal)
        },
      },
    },
    signal,
  )
  await session.saveTokens(tokens)
}

/** How a user can confirm an action without a passkey. */
export type ConfirmationMethods = {
  /** The oldest sign-in first. */
  readonly providers: readonly SocialProvider[]
  readonly isCodeEnough: boolean
}

/**
 * Lists the ways to confirm an action. Removing the email address, or a sign-in that is older than
 * the address, can only be confirmed by such an older sign-in: the server refuses the others. If an
 * older server does not report which sign-ins these are, all are offered.
 */
export async function listConfirmationMethods(
  session: LoginSession,
  action: StepUpAction,
): Promise<ConfirmationMethods> {
  const { identities, providers } = await session.call(listIdentitiesRoute, {})
  const older = identities.filter(({ precedesEmail }) => precedesEmail !== false)
  const needsOlder =
    action === 'unlink email' || older.some(({ provider }) => action === `unlink ${provider}`)
  const able = new Set((needsOlder ? older : identities).map(({ provider }) => provider))
  return {
    providers: [...able].filter((provider) => providers.includes(provider)),
    isCodeEnough: !needsOlder,
  }
}

type OwnProviderParameters = {
  readonly ways: ConfirmationMethods
  readonly action: StepUpAction
  readonly about: CodeScreenPurpose
  readonly origin: string
  readonly signal?: AbortSignal | undefined
}

/** Has the user confirm one action by signing in again at a provider of the account. */
export async function confirmAtOwnProvider(
  context: ProviderContext,
  { ways: { providers, isCodeEnough }, about, ...visit }: OwnProviderParameters,
): Promise<void> {
  const what = about.target ? `${about.text} ${about.target}` : about.text
  const text = isCodeEnough ? what : fill(social.older, { what })
  const { title } = social
  await confirmAtProvider(context, { ...visit, providers, purpose: 'step-up', title, text })
}
