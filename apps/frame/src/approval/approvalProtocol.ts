import type { Protocol } from '@latchkey/wire'
import * as z from 'zod/mini'
import { approvalView } from './approvalView.ts'

/** What the frame and the window that approves for it say to each other, both of our own origin. */
export const approvalProtocol = {
  requests: {
    /** Resolves when the person decided. */
    DECIDE: { params: approvalView, result: z.object({ approved: z.boolean() }) },
  },
  events: {},
} as const satisfies Protocol
