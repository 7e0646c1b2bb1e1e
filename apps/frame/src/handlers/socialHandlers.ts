import { type FrameProtocol, type Handlers, LatchkeyError } from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import type { HostConnection } from '../host/hostConnection.ts'
import { type SocialLogin, startAtProvider } from '../social/socialLogin.ts'
import type { Account } from './createAccount.ts'

export type SocialHandlers = Pick<
  Handlers<FrameProtocol>,
  'APP_GET_SOCIAL_REDIRECT_URI' | 'APP_CONNECT_SOCIAL'
>

/** Login at a provider, in a window that the page opens. */
export function socialHandlers(
  context: FrameContext,
  account: Account,
  { origin, closed }: HostConnection,
  getUser: Handlers<FrameProtocol>['APP_GET_USER'],
): SocialHandlers {
  const { window, facts, session, keys, screenQueue } = context
  let login: SocialLogin | undefined
  let previous: AbortController | undefined

  return {
    APP_GET_SOCIAL_REDIRECT_URI: async ({ provider }) => {
      previous?.abort()
      const own = new AbortController()
      previous = own
      login = await startAtProvider(
        { window, session },
        {
          provider,
          projectId: facts.projectId,
          origin,
          closed: AbortSignal.any([closed, own.signal]),
        },
      )
      return { uri: login.uri }
    },
    APP_CONNECT_SOCIAL: async ({ uri }, served) => {
      const own = login
      if (own === undefined || own.uri !== uri) throw new LatchkeyError('LOGIN_ENDED')
      login = undefined
      const result = await own.wait(served.signal)
      if ('refused' in result)
        throw new LatchkeyError(result.refused === 'not allowed' ? 'USER_REJECTED' : 'LOGIN_ENDED')
      return screenQueue.during(async () => {
        keys.close()
        await session.saveTokens(result.tokens)
        // A provider may sign in without asking, so the user is asked whether the page may see the account.
        await account.bindUser()
        await account.getAddresses(served.signal)
        return getUser({}, served)
      })
    },
  }
}
