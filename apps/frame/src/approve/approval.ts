import * as z from 'zod/mini'

/** A line of what is asked. `tree`: nested data as lines with a depth. */
type Row = {
  label: string
  value?: string | undefined
  address?: string | undefined
  text?: string | undefined
  tree?: { depth: number; label: string; value: string }[] | undefined
}

const row = z.object({
  label: z.string(),
  value: z.optional(z.string()),
  address: z.optional(z.string()),
  text: z.optional(z.string()),
  tree: z.optional(z.array(z.object({ depth: z.number(), label: z.string(), value: z.string() }))),
})
export type ApprovalRow = Row

/** What a person sees of a request, as plain JSON: the frame draws it, or a window of its own does. */
export const approvalView = z.object({
  title: z.string(),
  /** What confirming does, as a verb. */
  action: z.string(),
  /** Verified. */
  origin: z.string(),
  /** Claimed by the page. */
  claimedName: z.optional(z.string()),
  rows: z.array(row),
  /** One a call, where there are several. */
  groups: z.array(z.object({ label: z.string(), rows: z.array(row) })),
  warnings: z.array(z.object({ level: z.enum(['danger', 'caution']), text: z.string() })),
  /** Why it cannot be approved at all. */
  blocked: z.optional(z.string()),
})
export type ApprovalView = z.infer<typeof approvalView>
export type Warning = ApprovalView['warnings'][number]
