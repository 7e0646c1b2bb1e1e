import type { FrameProtocol, Handlers } from '@latchkey/wire'
import { canVerifyVisibility } from '../approval/createVisibilityGuard.ts'
import type { FrameContext } from '../context.ts'
import { showPasskeyLogin } from '../flows/loginWithPasskey.ts'
import type { FrameAccount } from './createAccount.ts'

type Answers = Handlers<FrameProtocol>

/** Login with a passkey alone. */
export const passkeyHandler =
  (
    context: FrameContext,
    account: FrameAccount,
    { origin, getUser }: { readonly origin: string; readonly getUser: Answers['APP_GET_USER'] },
  ): Answers['APP_CONNECT_PASSKEY'] =>
  (_, served) =>
    context.screenQueue.during(async () => {
      await showPasskeyLogin(context, { origin, signal: served.signal })
      const { email } = await account.bindUser()
      // The screen listed what is shared with the page. If something may have covered it, the user
      // is prompted later.
      if (canVerifyVisibility(context.window as Window & typeof globalThis))
        await account.grantConsent({ withEmail: email !== null })
      await account.getAddresses(served.signal)
      return getUser({}, served)
    })
