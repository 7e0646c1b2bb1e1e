import { revokePermissions } from '@latchkey/core'
import { useAccountAction } from '../../app/useAction.ts'

/** Ends what a page may do without asking. A grant is named by its `context`. */
export function useRevokePermissions() {
  const action = useAccountAction(revokePermissions)
  return { ...action, revokePermissions: action.mutate, revokePermissionsAsync: action.mutateAsync }
}
