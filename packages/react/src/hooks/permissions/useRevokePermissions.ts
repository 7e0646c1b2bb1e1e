import { revokePermissions } from '@latchkey/core'
import { useAction } from '../../app/useAction.ts'

/** Ends what a page may do without asking, by the `context` of its grant. */
export function useRevokePermissions() {
  const { run, ...progress } = useAction(revokePermissions)
  return { revokePermissions: run, ...progress }
}
