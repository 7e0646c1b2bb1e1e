import { canVerifyVisibility } from '../approval/createVisibilityGuard.ts'
import type { FrameContext } from '../context.ts'
import { canOfferPasskeys } from '../passkey.ts'
import { PasskeyOffer, type PasskeyOfferProps } from '../screens/parts/PasskeyOffer.tsx'
import { createPasskeyOffer } from './loginWithPasskey.ts'

type Offer = Pick<PasskeyOfferProps, 'target' | 'offer'> & { readonly Part: typeof PasskeyOffer }

/**
 * Prepares login with a passkey in the code field, in place of the code. Undefined if the browser
 * does not offer passkeys in form fields. `share` also shows the page the account. `bind` only
 * signs in and leaves consent for later: used if the browser cannot vouch that nothing covered the
 * list of what the page would see.
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
