import { grantPermissions } from '@latchkey/core'
import { useAccountAction } from '../../app/useAction.ts'

/**
 * Requests the user's permission for this page to act within limits without further prompts
 * (ERC-7715). The result is what the user granted.
 */
export function useGrantPermissions() {
  const action = useAccountAction(grantPermissions)
  return { ...action, grantPermissions: action.mutate, grantPermissionsAsync: action.mutateAsync }
}
