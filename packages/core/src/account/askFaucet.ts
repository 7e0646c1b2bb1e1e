import { type ChainId, faucet } from '@latchkey/wire'
import type { App } from '../app.ts'
import { callApi } from '../server/callApi.ts'

/**
 * Has the test network's faucet send money to an account. It resolves once the faucet has accepted;
 * the money arrives with a later block. Throws RATE_LIMITED if the account was paid a moment ago,
 * HTTP_FAILED if the faucet does not answer, and what `callApi` throws.
 */
export async function askFaucet(
  app: App,
  { address, chainId }: { address: string; chainId: ChainId },
): Promise<void> {
  await callApi(app, { route: faucet, body: { account: `${chainId}:${address}` } })
}
