import type { FrameContext } from '../context.ts'
import { canOfferPasskeys } from '../passkey.ts'
import { PasskeyOffer, type PasskeyOfferProps } from '../screens/parts/PasskeyOffer.tsx'
import { createPasskeyOffer } from './loginWithPasskey.ts'

type Offer = Pick<PasskeyOfferProps, 'target' | 'offer'> & { readonly Part: typeof PasskeyOffer }

/**
 * Login with a passkey in the field of a login's code, in place of the code; undefined where the browser offers none in fields. `after` runs
 * once the user is signed in.
 */
export async function preparePasskeyOffer(
  context: Pick<FrameContext, 'session' | 'keys' | 'facts'>,
  { origin, after }: { readonly origin: string; readonly after: () => Promise<void> },
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
        await after()
      }
    },
  }
}
