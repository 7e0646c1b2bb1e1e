import type { FramePage } from '@latchkey/wire'

/** A page ends by being closed, by leading to another, or with work that may need a code first and comes back to it. */
export type PageEnd = { to: FramePage } | { run: () => Promise<void> } | undefined
