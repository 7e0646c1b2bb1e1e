import type { View, ViewName } from '@latchkey/core'

/** What the modal hands to a view. */
export type ViewProps<Name extends ViewName> = { view: Extract<View, { name: Name }> }
