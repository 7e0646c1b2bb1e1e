import { type ChainId, LatchkeyError, listSessionsRoute, type SessionEntry } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { getActiveWallet } from '../connection/getActiveWallet.ts'
import { getAction } from '../namespaces/actions.ts'
import type { Grant, GrantRequest } from '../namespaces/permissions.ts'
import { callRoute } from '../server/callRoute.ts'

/**
 * Requests the user's permission for this page to act without further prompts, within limits
 * (ERC-7715). Throws NOT_CONNECTED, UNSUPPORTED_METHOD if the wallet has no permissions,
 * USER_REJECTED, and SIGNING_REFUSED for calls that cannot be limited.
 */
export const grantPermissions = (app: App, request: GrantRequest): Promise<Grant> =>
  attempt(async () => {
    const { actions, connection, request: wallet, assertSame } = await getActiveWallet(app)
    const permissions = await getAction(actions, 'loadPermissions')()
    assertSame()
    const { account, chainId } = connection
    return permissions.grant({ wallet, address: account.address, chainId, request })
  })

/**
 * Revokes a page's permissions, on the chain and at the server. Throws NOT_CONNECTED,
 * USER_REJECTED.
 */
export const revokePermissions = (app: App, { context }: { context: string }): Promise<void> =>
  attempt(async () => {
    const { actions, request: wallet } = await getActiveWallet(app)
    await (await getAction(actions, 'loadPermissions')()).revoke({ wallet, context })
  })

/**
 * The smart sessions of this app for an account, newest first. Throws the errors of `callRoute`.
 */
export const getSessions = (
  app: App,
  {
    address,
    chainId,
    signal,
  }: { address: string; chainId: ChainId; signal?: AbortSignal | undefined },
): Promise<readonly SessionEntry[]> =>
  attempt(async () => {
    if (address === '') throw new LatchkeyError('NOT_CONNECTED')
    const params = { address: `${chainId}:${address}` }
    return (await callRoute(app, { route: listSessionsRoute, params, signal })).pcis
  })
