import type { Warning } from '../approval/approvalView.ts'

/** What could take something from the user. */
export const danger = (text: string): Warning => ({ level: 'danger', text })
/** Of what others could take without a limit, which a passkey confirms. */
export const unlimited = (text: string): Warning => ({ ...danger(text), isUnlimited: true })
/** What the user should know before deciding. */
export const caution = (text: string): Warning => ({ level: 'caution', text })

/** A list without what it says twice. */
export const unique = <T>(list: readonly T[]): T[] => [
  ...new Map(list.map((one) => [JSON.stringify(one), one])).values(),
]
