import { grantPermissions } from '@latchkey/core'
import { useAction } from '../../app/useAction.ts'

/** Asks the user to let this page act without asking again, within limits (ERC-7715); resolves to what was granted. */
export function useGrantPermissions() {
  const { run, ...progress } = useAction(grantPermissions)
  return { grantPermissions: run, ...progress }
}
