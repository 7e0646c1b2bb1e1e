import type { Warning } from '../approval/approvalView.ts'

/** A warning that the user could lose something. */
export const danger = (text: string): Warning => ({ level: 'danger', text })
/** A warning that others could take assets without a limit. A passkey confirms such a request. */
export const unlimited = (text: string): Warning => ({ ...danger(text), isUnlimited: true })
/** A warning that the user should read before deciding. */
export const caution = (text: string): Warning => ({ level: 'caution', text })

/** Removes duplicates from a list. */
export const unique = <T>(list: readonly T[]): T[] => [
  ...new Map(list.map((one) => [JSON.stringify(one), one])).values(),
]
