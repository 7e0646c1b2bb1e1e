import type { FramePage } from '@latchkey/wire'
import type { StepUp } from './withStepUp.ts'

/** A page ends by being closed, by leading to another, or with work that comes back to it and may need a code of its own first. */
export type PageEnd = { to: FramePage } | { run: () => Promise<void>; code?: StepUp } | undefined
