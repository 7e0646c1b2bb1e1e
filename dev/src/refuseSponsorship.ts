import type { BrowserContext } from 'playwright-core'

const refusal = {
  code: -32501,
  message: 'Not sponsored: the limit of this account is reached for today',
}

/**
 * Answers what pages and the frame of this context ask the operator's paymaster on a network as the
 * server does when the limit of the account is reached. Only signed operations count towards a
 * limit, so no request can reach it. The result ends it.
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
