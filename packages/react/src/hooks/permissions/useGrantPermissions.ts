import { grantPermissions } from '@latchkey/core'
import { useAccountAction } from '../../app/useAction.ts'

/**
 * Asks the user to let this page act within limits without asking again (ERC-7715). The result is
 * what the user granted.
 */
export function useGrantPermissions() {
  const action = useAccountAction(grantPermissions)
  return { ...action, grantPermissions: action.mutate, grantPermissionsAsync: action.mutateAsync }
}
