import * as z from 'zod/mini'

const row = z.object({
  label: z.string(),
  value: z.optional(z.string()),
  address: z.optional(z.string()),
  /** Nobody this browser dealt with before is at the address. */
  isNew: z.optional(z.boolean()),
  /** What is to be read in full. */
  text: z.optional(z.string()),
  /** What nobody can read. */
  data: z.optional(z.string()),
  /** Nested data as lines with a depth. */
  tree: z.optional(z.array(z.object({ depth: z.number(), label: z.string(), value: z.string() }))),
})
/** A line of what is asked. */
export type ApprovalRow = z.infer<typeof row>

/** What a person sees of a request, as plain JSON: the frame draws it, or a window of its own does. */
export const approvalView = z.object({
  title: z.string(),
  /** What confirming does, as a verb. */
  action: z.string(),
  /** Verified. */
  origin: z.string(),
  /** Claimed by the page. */
  claimedName: z.optional(z.string()),
  /** What can leave the wallet and who can take it, one group each, by the bytes that are signed. */
  groups: z.array(z.object({ label: z.string(), rows: z.array(row) })),
  warnings: z.array(z.object({ level: z.enum(['danger', 'caution']), text: z.string() })),
  /** What is signed, as far as the groups do not say it. */
  rows: z.array(row),
  /** For which account, on which network, at what cost. */
  place: z.array(row),
  /** Why it cannot be approved at all. */
  blocked: z.optional(z.string()),
})
export type ApprovalView = z.infer<typeof approvalView>
export type Warning = ApprovalView['warnings'][number]
