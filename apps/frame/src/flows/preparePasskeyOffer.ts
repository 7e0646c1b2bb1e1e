import { canVerifyVisibility } from '../approval/createGate.ts'
import type { FrameContext } from '../context.ts'
import { canOfferPasskeys } from '../passkey.ts'
import { PasskeyOffer, type PasskeyOfferProps } from '../screens/parts/PasskeyOffer.tsx'
import { createPasskeyOffer } from './loginWithPasskey.ts'

type Offer = Pick<PasskeyOfferProps, 'target' | 'offer'> & { readonly Part: typeof PasskeyOffer }

/**
 * Login with a passkey in the field of a login's code, in place of the code; undefined where the
 * browser offers none in fields. `share` shows the page the account, and `bind` only the login: the
 * user is asked later where the browser does not vouch that nothing covered what the page would
 * see.
 */
export async function preparePasskeyOffer(
  context: Pick<FrameContext, 'session' | 'keys' | 'facts'>,
  {
    origin,
    bind,
    share,
  }: {
    readonly origin: string
    readonly bind: () => Promise<unknown>
    readonly share: () => Promise<unknown>
  },
): Promise<Offer | undefined> {
  if (!(await canOfferPasskeys(window))) return undefined
  const { projectId } = context.facts
  const offer = createPasskeyOffer(context, { projectId, origin })
  return {
    Part: PasskeyOffer,
    target: origin,
    offer: async (signal) => {
      const signIn = await offer(signal)
      return async () => {
        await signIn()
        await (canVerifyVisibility(window) ? share() : bind())
      }
    },
  }
}
