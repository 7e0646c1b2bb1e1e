import type { BrowserContext } from 'playwright-core'

const refusal = {
  code: -32501,
  message: 'Not sponsored: the limit of this account is reached for today',
}

/**
 * Responds to the paymaster requests of pages and the frame on a network like a server whose limit
 * for the account is reached. Only signed operations count towards a limit, so requests cannot
 * reach it. Returns a function that ends this.
 */
export async function refuseSponsorship(
  context: BrowserContext,
  chainId: string,
): Promise<() => Promise<void>> {
  const isOfBundler = (url: URL) =>
    url.pathname === `/rpc/${chainId}/bundler` ||
    (url.pathname === '/v1/bundler' && url.searchParams.get('chainId') === chainId)
  await context.route(isOfBundler, async (route) => {
    const asked = route.request().postDataJSON() as { id: number; method: string } | null
    if (!asked?.method.startsWith('pm_')) return route.fallback()
    await route.fulfill({ json: { jsonrpc: '2.0', id: asked.id, error: refusal } })
  })
  return () => context.unroute(isOfBundler)
}
