import type { FramePage } from '@latchkey/wire'
import type { StepUp } from './withStepUp.ts'

/** How a page ends: it is closed, leads to another page, or runs work that returns to it and may need a code first. */
export type PageEnd = { to: FramePage } | { run: () => Promise<void>; code?: StepUp } | undefined
