import { authHandle, authToken, type Protocol } from '@latchkey/wire'
import * as z from 'zod/mini'

/**
 * The messages from a frame to the window of a social login. Both have our own origin; a window of
 * another login refuses.
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
