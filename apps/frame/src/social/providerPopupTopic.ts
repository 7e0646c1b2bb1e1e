import { authHandle, authToken, socialProvider, socialPurpose } from '@latchkey/wire'
import * as z from 'zod/mini'

/**
 * The topic of a window that a frame has opened for a sign-in. The frame sends its destination: the
 * provider of a login, or Farcaster's page. The window answers with the challenge of its report,
 * and the frame then lets it through.
 */
export const providerPopupTopic = {
  name: 'sign-in window',
  question: z.union([
    z.object({
      tx: authHandle,
      provider: socialProvider,
      origin: z.string(),
      /** Chooses the copy of the window. Missing from older frames. */
      purpose: z._default(socialPurpose, 'login'),
    }),
    z.object({ url: z.string().check(z.regex(/^https?:\/\//)) }),
  ]),
  answer: z.object({ challenge: z.optional(authToken) }),
}
