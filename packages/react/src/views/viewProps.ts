import type { View, ViewName } from '@latchkey/core'

/** The props that the modal passes to a view. */
export type ViewProps<Name extends ViewName> = { view: Extract<View, { name: Name }> }
