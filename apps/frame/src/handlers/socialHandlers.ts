import {
  anySignal,
  type FrameProtocol,
  type Handlers,
  LatchkeyError,
  type SocialProvider,
} from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import type { HostConnection } from '../host/hostConnection.ts'
import { savePending, takePending } from '../social/pendingReturn.ts'
import { type ProviderLogin, resumeLogin, startAtProvider } from '../social/socialLogin.ts'
import type { FrameAccount } from './createAccount.ts'

export type SocialHandlers = Pick<
  Handlers<FrameProtocol>,
  | 'APP_GET_SOCIAL_REDIRECT_URI'
  | 'APP_RETURN_SOCIAL'
  | 'APP_CONNECT_SOCIAL'
  | 'APP_GET_FARCASTER_URI'
  | 'APP_CONNECT_FARCASTER'
>

/** Login at a provider, in a window that the page opens, or in the page's own tab. */
export function socialHandlers(
  context: FrameContext,
  account: FrameAccount,
  { origin, closed, emit }: HostConnection,
  getUser: Handlers<FrameProtocol>['APP_GET_USER'],
): SocialHandlers {
  const { window, facts, session, store, keys, screenQueue } = context
  const { projectId } = facts
  let login: (ProviderLogin & { readonly hasReturned?: true }) | undefined
  let previous: AbortController | undefined

  /**
   * This frame did not see the returning login on its way, so the user confirms that it is theirs.
   */
  const confirmName = async (signal: AbortSignal) => {
    const { email, userName } = await account.bindUser()
    const hasEmail = email !== null
    const { showConsent } = await import('../flows/showConsent.ts')
    try {
      await showConsent(screenQueue, { session, origin, hasEmail, userName, signal })
    } catch (error) {
      await session.end({})
      throw error
    }
    await account.grantConsent({ withEmail: hasEmail })
  }

  const start = async (provider: SocialProvider) => {
    previous?.abort()
    const own = new AbortController()
    previous = own
    const ended = anySignal([closed, own.signal])
    const begun = await startAtProvider(
      { window, session },
      { provider, projectId, origin, closed: ended },
    )
    login = begun
    return begun
  }
  /** Waits for the answer to the login that was begun last, and until its wallet is ready. */
  const finish = async (signal: AbortSignal) => {
    const own = login
    login = undefined
    if (own === undefined) throw new LatchkeyError('LOGIN_ENDED')
    const result = await own.wait(signal, () => emit('FRAME_SOCIAL_STRAY', {}))
    if ('refused' in result)
      throw new LatchkeyError(result.refused === 'not allowed' ? 'USER_REJECTED' : 'LOGIN_ENDED')
    keys.close()
    await session.saveTokens(result.tokens)
    if (own.hasReturned) await confirmName(signal)
    // A provider may sign in without a prompt, so the frame prompts for consent to show the page
    // the account.
    await account.bindUser()
    await account.getAddresses(signal)
  }

  return {
    APP_GET_SOCIAL_REDIRECT_URI: async ({ provider, returnUrl, inTab = false }) => {
      if (returnUrl !== undefined && getOrigin(returnUrl) !== origin)
        throw new LatchkeyError('INVALID_PARAMS', { data: { reason: 'returnUrl' } })
      if (inTab && !store.durable)
        throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method: 'inTab' } })
      if (provider === 'farcaster')
        throw new LatchkeyError('INVALID_PARAMS', { data: { reason: 'provider' } })
      const begun = await start(provider)
      if (returnUrl === undefined) return { uri: begun.uri }
      await savePending(store, { tx: begun.tx, origin, projectId, inTab }, Date.now())
      login = { ...begun, uri: `${begun.uri}.${encodeURIComponent(returnUrl)}` }
      return { uri: login.uri }
    },
    APP_RETURN_SOCIAL: async ({ challenge }) => {
      const { tx, inTab } = await takePending(
        { store, session },
        { challenge, origin, projectId },
        Date.now(),
      )
      if (!inTab) return {}
      login = { ...resumeLogin({ window, session }, tx), hasReturned: true }
      return { uri: login.uri }
    },
    APP_CONNECT_SOCIAL: async ({ uri }, served) => {
      if (login?.uri !== uri) throw new LatchkeyError('LOGIN_ENDED')
      return screenQueue.during(async () => {
        await finish(served.signal)
        return getUser({}, served)
      })
    },
    APP_GET_FARCASTER_URI: async () => ({ url: (await start('farcaster')).uri }),
    APP_CONNECT_FARCASTER: (_, { signal }) =>
      screenQueue.during(async () => {
        await finish(signal)
        return { userName: (await account.requireUser()).userName ?? '' }
      }),
  }
}

function getOrigin(url: string): string | undefined {
  try {
    return new URL(url).origin
  } catch {
    return undefined
  }
}
