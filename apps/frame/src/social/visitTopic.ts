import { authHandle, authToken, socialProvider, socialPurpose } from '@latchkey/wire'
import * as z from 'zod/mini'

/**
 * Where a window of ours has to go that a frame has opened for a sign-in: to the provider of a
 * login, or to Farcaster's page. It answers the challenge of its report, with which the frame lets
 * it through.
 */
export const visitTopic = {
  name: 'sign-in window',
  question: z.union([
    z.object({
      tx: authHandle,
      provider: socialProvider,
      origin: z.string(),
      /** For the words of the window. A frame from before does not say it. */
      purpose: z._default(socialPurpose, 'login'),
    }),
    z.object({ url: z.string().check(z.regex(/^https?:\/\//)) }),
  ]),
  answer: z.object({ challenge: z.optional(authToken) }),
}
