import { type ChainId, faucetRoute } from '@latchkey/wire'
import type { App } from '../app.ts'
import { callRoute } from '../server/callRoute.ts'

/**
 * Requests test money for an account from the test network's faucet. Resolves when the faucet has
 * accepted; the money arrives with a later block. Throws RATE_LIMITED if the account was paid a
 * moment ago, HTTP_FAILED if the faucet does not respond, and the errors of `callRoute`.
 */
export async function askFaucet(
  app: App,
  { address, chainId }: { address: string; chainId: ChainId },
): Promise<void> {
  await callRoute(app, { route: faucetRoute, body: { account: `${chainId}:${address}` } })
}
