import type { ChainConfig } from '../src/config/chainsFile.ts'
import type { NftId } from '../src/evm/nft.ts'
import { answerError } from '../src/http/failure.ts'
import { identityRoutes } from '../src/identity/routes.ts'
import { openPictures } from '../src/media/pictures.ts'
import { createUpstreams } from '../src/nodes/upstreams.ts'
import { createOutbound } from '../src/outbound/createOutbound.ts'
import { makeServices } from './makeServices.ts'

type Options = {
  /** A `host:port` of this machine from which avatars may be fetched anyway. */
  readonly allow?: readonly string[]
  readonly ipfsGateway?: string
  readonly clock?: () => number
  /** The directory of stored pictures. */
  readonly dir?: string
  /** The pictures of the NFT area: null if an NFT has no picture. */
  readonly nftPictures?: ReadonlyMap<string, string | null>
}

/**
 * The identity area alone, over these chains. `ask` returns the JSON, the status and the cache
 * header.
 */
export function askIdentities(chains: Record<string, ChainConfig>, options: Options = {}) {
  const made = makeServices(chains, options.clock)
  const { allow = [], ipfsGateway } = options
  const config = { ...made.config, outboundAllow: [...allow], ipfsGateway }
  const services = { ...made, config }
  const upstreams = createUpstreams(services)
  const ways = {
    ...services,
    upstreams,
    outbound: createOutbound(services),
    pictures: openPictures({ ...services, dir: options.dir ?? '/nowhere' }),
    nftPicture: async ({ chainId, contract, tokenId }: NftId) =>
      options.nftPictures?.get(`${chainId}/${contract}/${tokenId}`),
  }
  const app = identityRoutes(services, ways).onError(answerError)
  const get = (path: string, headers: Record<string, string> = {}) => {
    const url = path.startsWith('http') ? new URL(path) : new URL(path, config.publicUrl)
    url.searchParams.set('projectId', 'test')
    return app.request(`${url.pathname}${url.search}`, { headers })
  }
  return {
    config,
    get,
    async ask(path: string) {
      const response = await get(`/v1/identity/${path}`)
      const cache = response.headers.get('cache-control')
      return { status: response.status, cache, body: await response.json() }
    },
  }
}
