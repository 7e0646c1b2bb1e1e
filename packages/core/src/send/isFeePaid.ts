import { bundlerRoute } from '@latchkey/wire'
import type { App } from '../app.ts'
import type { ActiveWallet } from '../connection/getActiveWallet.ts'
import type { PaidCalls } from '../namespaces/batchCalls.ts'
import { getRpcClient } from '../network/getRpcClient.ts'
import { callRoute } from '../server/callRoute.ts'
import { isSponsored } from './isSponsored.ts'

/**
 * Whether the wallet's operator would pay now for these calls, sent as a batch; without calls, for
 * any call. Checks the operator's policy and the remainder of its daily limits. False if unknown,
 * so that the form keeps back a fee.
 */
export async function isFeePaid(
  app: App,
  wallet: ActiveWallet,
  paid: PaidCalls = {},
): Promise<boolean> {
  if (!(await isSponsored(wallet))) return false
  const { actions, connection } = wallet
  const { chainId, account } = connection
  const actionsOfCalls = await actions.loadCalls?.()
  const ask = async () => {
    const node = getRpcClient(app, chainId)
    const own = { node, address: account.address, chainId }
    const params = await actionsOfCalls?.draftSponsored({ ...own, ...paid })
    const query = { projectId: app.config.projectId, chainId }
    const body = { jsonrpc: '2.0', id: 1, method: 'pm_getPaymasterStubData', params }
    return (await callRoute(app, { route: bundlerRoute, query, body })).result !== undefined
  }
  return ask().catch(() => false)
}
