import { type FrameProtocol, type Handlers, LatchkeyError } from '@latchkey/wire'
import { canVerifyVisibility } from '../approval/createVisibilityGuard.ts'
import type { FrameContext } from '../context.ts'
import { type FirstPasskey, showNewAccount } from '../flows/beginPasskeyAccount.ts'
import { showPasskeyLogin } from '../flows/loginWithPasskey.ts'
import { readStorageLife } from '../host/readStorageLife.ts'
import type { FrameAccount } from './createAccount.ts'

type Answers = Handlers<FrameProtocol>
type Page = {
  readonly origin: string
  /** The page uses the plain envelope, and hides the frame. */
  readonly isPlain: boolean
  readonly getUser: Answers['APP_GET_USER']
}

/**
 * Login with a passkey alone, to an account that exists or to a new one. A page that hides the
 * frame cannot begin an account.
 */
export const passkeyHandler =
  (
    context: FrameContext,
    account: FrameAccount,
    { origin, isPlain, getUser }: Page,
  ): Answers['APP_CONNECT_PASSKEY'] =>
  ({ create = false }, served) =>
    context.screenQueue.during(async () => {
      const { signal } = served
      if (create && (isPlain || context.facts.passkeyAccounts !== true))
        throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method: 'create' } })
      let made: FirstPasskey | undefined
      if (create) {
        const isRecoveryLater = await mayRecoverLater(context, origin)
        made = await showNewAccount(context, { origin, isRecoveryLater, signal })
      } else await showPasskeyLogin(context, { origin, signal })
      const { email } = await account.bindUser()
      // The screen listed what is shared with the page. If something may have covered it, the user
      // is prompted later.
      if (canVerifyVisibility(context.window as Window & typeof globalThis))
        await account.grantConsent({ withEmail: email !== null })
      await account.getAddresses(signal, made)
      return getUser({}, served)
    })

/**
 * Whether a wallet for this page may begin without recovery. `ensureWallet` decides the same again:
 * it offers recovery first if the answer has changed.
 */
const mayRecoverLater = async (
  { facts, store, window }: FrameContext,
  origin: string,
): Promise<boolean> =>
  facts.recoveryLater?.includes(origin) === true &&
  store.durable &&
  (await readStorageLife(window, origin)) === 'lasting'
