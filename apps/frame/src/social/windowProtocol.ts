import { authHandle, authToken, type Protocol } from '@latchkey/wire'
import * as z from 'zod/mini'

/**
 * What a frame asks the window of a social login. Both have our own origin; the window that another
 * login opened refuses.
 */
export const windowProtocol = {
  requests: {
    /** The challenge of the window of exactly this login. Throws LOGIN_ENDED. */
    MEET: { params: z.object({ tx: authHandle }), result: z.object({ challenge: authToken }) },
    /** The challenge is confirmed: the window goes to the provider. */
    GO: { params: z.object({}), result: z.object({}) },
  },
  events: {},
} as const satisfies Protocol
