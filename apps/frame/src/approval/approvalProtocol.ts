import type { Protocol } from '@latchkey/wire'
import * as z from 'zod/mini'
import { approvalView } from './approvalView.ts'

/** The messages between the frame and the window that approves for it. Both have our own origin. */
export const approvalProtocol = {
  requests: {
    /** Resolves when the user has decided. */
    DECIDE: { params: approvalView, result: z.object({ approved: z.boolean() }) },
  },
  events: {},
} as const satisfies Protocol
