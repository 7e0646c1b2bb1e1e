import type { Limits, Protocol } from '@latchkey/wire'
import * as z from 'zod/mini'
import { picture } from '../picture/picture.ts'

const row = z.object({
  label: z.string(),
  value: z.optional(z.string()),
  /** The value of `value` by the operator's prices. */
  worth: z.optional(z.string()),
  address: z.optional(z.string()),
  /** This browser has not interacted with the address before. */
  isNew: z.optional(z.boolean()),
  /** Our own text. */
  note: z.optional(z.string()),
  /** Third-party text that must be read in full. */
  text: z.optional(z.string()),
  /** Data that is not human-readable. */
  data: z.optional(z.string()),
  /** Nested data as lines with a depth. */
  tree: z.optional(z.array(z.object({ depth: z.number(), label: z.string(), value: z.string() }))),
})
/** One row of the request. */
export type ApprovalRow = z.infer<typeof row>

const group = z.object({ label: z.string(), rows: z.array(row) })

/** The view of a request, as plain JSON. The frame or a popup renders it. */
const approvalView = z.object({
  title: z.string(),
  /** The effect of confirming: a verb. */
  action: z.string(),
  /** The personal picture, if the user has one. */
  picture: z.optional(picture),
  /** The verified origin. */
  origin: z.string(),
  /** The unverified name from the page. */
  claimedName: z.optional(z.string()),
  /**
   * The assets that can leave the wallet and who can take them, one group each, computed from the
   * signed bytes.
   */
  groups: z.array(group),
  warnings: z.array(
    z.object({
      /** `note`: nothing to be careful about. */
      level: z.enum(['danger', 'caution', 'note']),
      text: z.string(),
      /**
       * Others could take assets without a limit. Users with a passkey confirm such a request with
       * it.
       */
      isUnlimited: z.optional(z.boolean()),
    }),
  ),
  /** The parts of the signed data that the groups do not show. */
  rows: z.array(row),
  /**
   * The effects of each of several transactions. They are shown in turn, and the user has to see
   * all of them.
   */
  transactions: z.optional(z.array(z.object({ groups: z.array(group), rows: z.array(row) }))),
  /** Account, network and cost. */
  place: z.array(row),
  /**
   * The amount in the first row of the first group, which the user may lower; amounts are in
   * smallest units. `max`: the requested amount.
   */
  editable: z.optional(
    z.object({ amount: z.string(), max: z.string(), decimals: z.number(), symbol: z.string() }),
  ),
  /** Why the request cannot be approved. */
  blocked: z.optional(z.string()),
})
export type ApprovalView = z.infer<typeof approvalView>
export type EditableAmount = NonNullable<ApprovalView['editable']>
export type Warning = ApprovalView['warnings'][number]

/** The messages between the frame and its approval popup. Both have the frame's origin. */
export const approvalProtocol = {
  requests: {
    /**
     * Resolves when the user has decided, or has entered another amount (smallest units) and has to
     * see its effect.
     */
    DECIDE: {
      params: approvalView,
      result: z.object({ approved: z.boolean(), amount: z.optional(z.string()) }),
    },
  },
  events: {},
} as const satisfies Protocol

/** A view may be longer than the page's request, because it names each value. */
export const approvalLimits = { maxLength: 33_554_432, maxPending: 64 } as const satisfies Limits

/**
 * The messages to a popup that the page has cut off from the frame. It cannot change the amount.
 */
export const approvalTopic = {
  name: 'approval window',
  question: approvalView,
  answer: z.object({ approved: z.boolean() }),
}
