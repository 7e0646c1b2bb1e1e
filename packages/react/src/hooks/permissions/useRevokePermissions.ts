import { revokePermissions } from '@latchkey/core'
import { useAccountAction } from '../../app/useAction.ts'

/** Revokes the permissions of a page. A grant is identified by its `context`. */
export function useRevokePermissions() {
  const action = useAccountAction(revokePermissions)
  return { ...action, revokePermissions: action.mutate, revokePermissionsAsync: action.mutateAsync }
}
