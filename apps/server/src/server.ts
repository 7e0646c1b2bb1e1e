import type { ChainId, SupportedChains, WebConfig } from '@latchkey/wire'
import { Hono } from 'hono'
import type { Activity } from './activity/activity.ts'
import { allowanceRoutes } from './allowances/routes.ts'
import { analyticsRoutes } from './analytics/routes.ts'
import type { openBalanceSources } from './balance/openBalanceSources.ts'
import { balanceRoutes } from './balance/routes.ts'
import { valueRoutes } from './balance/valueRoutes.ts'
import type { Bundlers } from './bundler/createBundlers.ts'
import { bundlerRoutes } from './bundler/routes.ts'
import { type Config, getPublicFrameUrl } from './config.ts'
import { convertRoutes } from './convert/routes.ts'
import { directoryRoutes } from './directory/routes.ts'
import { esploraRoutes } from './esplora/routes.ts'
import { faucetRoutes } from './faucet/routes.ts'
import { getNetworkFeatures } from './features/networkFeatures.ts'
import { gasRoutes } from './gas/routes.ts'
import { healthRoutes, helloRoute } from './health/routes.ts'
import type { AccountEvents } from './history/accountEvents.ts'
import { bitcoinHistory } from './history/bitcoin/bitcoinHistory.ts'
import { evmHistory } from './history/evmHistory.ts'
import { historyRoutes } from './history/routes.ts'
import { solanaHistory } from './history/solana/solanaHistory.ts'
import { answerTagged, makeTag } from './http/answerTagged.ts'
import { answerError, failureResponse, unknownPath, upgradeRequired } from './http/failure.ts'
import { preflight } from './http/headers.ts'
import { limitBody } from './http/limitBody.ts'
import { limitRate } from './http/limitRate.ts'
import { limitResponseMemory } from './http/limitResponseMemory.ts'
import { observe } from './http/observe.ts'
import type { ResponseCache } from './http/responseCache.ts'
import { allowedMethods } from './http/routeTemplate.ts'
import { identityRoutes } from './identity/routes.ts'
import { changeRoutes } from './names/changeRoutes.ts'
import { gatewayRoutes } from './names/gatewayRoutes.ts'
import { nameRoutes } from './names/routes.ts'
import { findNftNames } from './nfts/metadataRows.ts'
import { nftPicture } from './nfts/nftImage.ts'
import { createNfts } from './nfts/nfts.ts'
import { nftRoutes } from './nfts/routes.ts'
import type { Upstreams } from './nodes/upstreams.ts'
import { openProviders } from './onramp/openProviders.ts'
import { openPurchases } from './onramp/readPurchases.ts'
import { onrampRoutes } from './onramp/routes.ts'
import { webhookRoutes } from './onramp/webhookRoutes.ts'
import type { Outbound } from './outbound/createOutbound.ts'
import { priceHistoryRoutes } from './prices/historyRoutes.ts'
import { priceRoutes } from './prices/routes.ts'
import { requireProject } from './projects/requireProject.ts'
import { getRpcProtocol } from './rpc/getRpcProtocol.ts'
import { rpcRoutes } from './rpc/routes.ts'
import type { Services } from './services.ts'
import { hostedSiwxRoutes } from './siwx/hostedRoutes.ts'
import { siwxRoutes } from './siwx/routes.ts'
import { sessionRoutes } from './smartSessions/routes.ts'
import type { SmartSessionsDeps } from './smartSessions/session.ts'
import { walletRoutes } from './smartSessions/walletRoutes.ts'
import { serveWeb } from './web/serveWeb.ts'

/**
 * The parts that areas share: the chains, the activity of accounts, and the fetcher of untrusted
 * URLs.
 */
type ServerDependencies = {
  readonly upstreams: Upstreams
  readonly outbound: Outbound
  readonly activity: Activity
  /** The paths of WebSocket routes. */
  readonly socketPaths: readonly string[]
  readonly responseCache: ResponseCache
  readonly events: AccountEvents
  readonly bundlers: Bundlers
  readonly sessions: SmartSessionsDeps
  readonly sources: ReturnType<typeof openBalanceSources>
}

/**
 * The whole HTTP side of the server: `Request` in, `Response` out. A slash at the end of a path
 * changes nothing.
 */
export function createServer(services: Services, deps: ServerDependencies): Hono {
  const { config } = services
  const { upstreams, outbound, activity, sources } = deps
  const app = new Hono({ strict: false })
  app.use(observe(services))
  app.use(limitRate(services))
  app.use(limitResponseMemory(services))
  const maxBytes = config.bodyLimitBytes
  app.use(limitBody({ maxBytes, refuse: () => tooLarge(maxBytes) }))
  app.use(requireProject(services))

  app.route('/', healthRoutes(services))
  app.route('/', helloRoute())
  app.get('/config.json', (c) => c.json(getWebConfig(services)))
  const supportedChains = JSON.stringify(getSupportedChains(config))
  const etag = makeTag(supportedChains)
  app.get('/v1/supported-chains', (c) => {
    const headers = { etag, 'cache-control': 'public, max-age=300, s-maxage=300' }
    deps.responseCache.keep(c, () => supportedChains, headers)
    return answerTagged(c, supportedChains, headers)
  })
  const socials = { socials: [...config.socials.keys()] }
  app.get('/v1/socials', (c) => c.json(socials, 200, { 'cache-control': 'public, max-age=300' }))
  app.route('/', rpcRoutes(services, upstreams))
  app.route('/', bundlerRoutes(services, deps.bundlers))
  app.route('/', esploraRoutes(services, upstreams))
  app.route(
    '/',
    balanceRoutes({ ...sources, responseCache: deps.responseCache, events: deps.events }),
  )
  app.route('/', valueRoutes({ ...services, ...sources, activity }))
  app.route('/', priceRoutes(sources))
  app.route('/', priceHistoryRoutes({ ...services, ...sources }))
  app.route('/', gasRoutes(services, upstreams))
  app.route('/', convertRoutes({ ...sources, upstreams }))
  app.route('/', faucetRoutes(services))
  const onramp = { ...services, ...sources, providers: openProviders(services) }
  const readPurchases = openPurchases(onramp)
  app.route('/', onrampRoutes(onramp))
  app.route('/', webhookRoutes(services))
  app.route(
    '/',
    historyRoutes(services, {
      eip155: evmHistory(services, {
        ...{ ...sources, activity, readPurchases },
        findNftNames: (chainId, ids) => findNftNames(services, chainId, ids),
      }),
      solana: solanaHistory(services, { ...sources, readPurchases }),
      bip122: bitcoinHistory(services, sources),
    }),
  )
  app.route('/', allowanceRoutes({ ...sources, upstreams, activity }))
  const { getListed } = sources
  const nfts = createNfts(services, { upstreams, outbound, activity, getListed })
  app.route('/', nftRoutes(nfts))
  app.route(
    '/',
    identityRoutes(services, { ...nfts, nftPicture: nftPicture(nfts), names: services }),
  )
  app.route('/', nameRoutes(services))
  app.route('/', changeRoutes(services, upstreams))
  app.route('/', gatewayRoutes(services))
  app.route('/', siwxRoutes(services, upstreams))
  app.route('/', hostedSiwxRoutes(services, upstreams))
  app.route('/', sessionRoutes(services, deps.sessions))
  const hasSessions = Object.values(config.chains).some((chain) => chain.smartAccounts?.permissions)
  if (hasSessions) app.route('/', walletRoutes(services, deps.sessions))
  app.route('/', directoryRoutes(sources))
  app.route('/', analyticsRoutes(services))

  app.notFound(async (c) => {
    if (c.req.method === 'OPTIONS') return preflight()
    if (c.req.method === 'GET' && deps.socketPaths.includes(c.req.path)) return upgradeRequired()
    const allowed = allowedMethods(app, c.req.path)
    if (allowed.length > 0) return wrongMethod(c.req.method, allowed)
    return (await serveWeb(config, c.req)) ?? failureResponse(unknownPath)
  })
  app.onError(answerError)
  return app
}

function getSupportedChains(config: Config): SupportedChains {
  const chains = Object.keys(config.chains) as ChainId[]
  const features = Object.fromEntries(chains.map((id) => [id, getNetworkFeatures(config, id)]))
  return { http: chains, ws: chains.filter((id) => getRpcProtocol(id)), features }
}

function getWebConfig({ config }: Services): WebConfig {
  const { developmentWalletUrl, webRelay, webSignIn } = config
  const signIn = { signInPer: config.webSignInPer, signInKeep: config.webSignInKeep }
  const frameUrl = getPublicFrameUrl(config)
  const logins = {
    emailLogin: config.smtpUrl !== undefined,
    passkeyAccounts: config.passkeyAccounts !== 'off',
    socials: [...config.socials.keys()],
  }
  return {
    projectId: config.webProjectId,
    networks: [...new Set([...Object.keys(config.chains), ...config.webNetworks])] as ChainId[],
    networkFacts: getNetworkFacts(config),
    ...(developmentWalletUrl !== undefined && { developmentWalletUrl }),
    ...(webSignIn !== 'off' && { signIn: webSignIn, ...signIn }),
    ...(config.analytics !== 'off' && { analytics: true }),
    ...(webRelay !== undefined && { walletConnect: webRelay }),
    ...(frameUrl !== undefined && { frameUrl, ...logins }),
  }
}

const getNetworkFacts = ({ chains }: Services['config']): WebConfig['networkFacts'] =>
  Object.fromEntries(
    Object.entries(chains).map(([id, { name, nativeCurrency, testnet, blockExplorer }]) => [
      id,
      { name, nativeCurrency, testnet, blockExplorer },
    ]),
  )

const tooLarge = (limit: number) =>
  failureResponse({
    status: 413,
    field: 'body',
    description: `The request body is larger than ${limit} bytes`,
  })

function wrongMethod(method: string, allowed: string[]): Response {
  const names = allowed.join(', ')
  const description = `${method} is not allowed here, only ${names}`
  return failureResponse({ status: 405, field: 'method', description }, { allow: names })
}
