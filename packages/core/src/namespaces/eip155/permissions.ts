import { grantAnswer, LatchkeyError } from '@latchkey/wire'
import type { PermissionActions } from '../permissions.ts'

/** Permissions for pages (ERC-7715), requested from the connected wallet. */
export const permissions: PermissionActions = {
  async grant({ wallet, address, chainId, request }) {
    const asked = {
      ...request,
      address,
      chainId: `0x${Number(chainId.slice('eip155:'.length)).toString(16)}`,
      policies: [],
      version: 2,
    }
    const answer = grantAnswer.safeParse(await wallet('wallet_grantPermissions', [asked]))
    if (!answer.success) throw new LatchkeyError('WALLET_ANSWER_INVALID')
    return answer.data
  },
  async revoke({ wallet, context }) {
    await wallet('wallet_revokePermissions', [{ context }])
  },
}
