import { getWalletsRoute } from '@latchkey/wire'
import { type Context, Hono } from 'hono'
import { answerTagged, hasTag, makeTag } from '../http/answerTagged.ts'
import { badRequest, HttpFailure } from '../http/failure.ts'
import { findChain } from '../http/findChain.ts'
import { parseQuery } from '../http/request/parse.ts'
import { type Image, type Images, readImages } from '../media/readImages.ts'
import type { Services } from '../services.ts'
import type { GetListedTokens } from '../tokens/listedTokens.ts'
import { tokenKey } from '../tokens/token.ts'
import { currencyImage } from './currencyImage.ts'
import { imageAliases } from './imageAliases.ts'
import { areChains, readWallets, selectWallets } from './selectWallets.ts'

const maxEntries = 100
const imageCache = 'public, max-age=86400, stale-while-revalidate=604800'

type TokenLists = Pick<Services, 'config'> & { readonly getListed: GetListedTokens }

/**
 * The wallet directory and the pictures of wallets, networks, tokens and currencies. Everything is
 * kept in memory.
 */
export function directoryRoutes(lists?: TokenLists): Hono {
  const wallets = readWallets()
  const walletImages = readImages('wallets')
  const assetImages = withAliases(
    new Map([...readImages('networks'), ...readImages('connectors'), ...walletImages]),
  )
  const tokenImages = readImages('tokens')

  const list = (c: Context): Response => {
    const query = parseQuery(c, getWalletsRoute.query)
    const page = parseWholeNumber('page', query.page, 1_000_000)
    const entries = parseWholeNumber('entries', query.entries, maxEntries)
    if (!areChains(query.chains)) throw new HttpFailure(badChains)
    const json = JSON.stringify(selectWallets(wallets, { ...query, page, entries }))
    const headers = { etag: makeTag(json), 'cache-control': 'public, max-age=300' }
    return answerTagged(c, json, headers)
  }
  const image = (find: (id: string) => Image | undefined, name: string) => (c: Context) =>
    imageResponse(c, find((c.req.param(name) ?? '').toLowerCase()))

  return new Hono()
    .get(getWalletsRoute.path, list)
    .get(
      '/getWalletImage/:id',
      image((id) => walletImages.get(id), 'id'),
    )
    .get(
      '/public/getAssetImage/:id',
      image((id) => assetImages.get(id), 'id'),
    )
    .get('/public/getTokenImage/:token', async (c) => {
      const token = c.req.param('token')
      const symbol = token.includes(':') ? await findSymbol(lists, token) : token
      return imageResponse(c, tokenImages.get(symbol?.toLowerCase() ?? ''))
    })
    .get('/public/getCurrencyImage/:code', image(currencyImage, 'code'))
}

/**
 * The symbol of a token (CAIP-10), if a list of its network has the token. Other tokens choose
 * their symbol themselves.
 */
async function findSymbol(lists: TokenLists | undefined, token: string) {
  const end = token.lastIndexOf(':')
  const found = lists && findChain(lists.config, token.slice(0, end))
  if (!found) return undefined
  const { tokens } = await lists.getListed(found.chainId)
  return tokens.get(tokenKey(token.slice(end + 1)))?.symbol
}

function withAliases(images: Images): Images {
  const aliases = Object.entries(imageAliases).flatMap(([alias, id]) => {
    const image = images.get(id)
    return image === undefined ? [] : [[alias, image] as const]
  })
  return new Map([...images, ...aliases])
}

function parseWholeNumber(field: string, text: string, most: number): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= 1 && number <= most) return number
  throw new HttpFailure(badRequest(field, `${field} must be a whole number from 1 to ${most}`))
}

const badChains = badRequest(
  'chains',
  'chains must be a list of networks or namespaces, separated by commas, such as "eip155:1,solana"',
)

function imageResponse(c: Context, image: Image | undefined): Response {
  if (image === undefined)
    throw new HttpFailure({ status: 404, field: 'id', description: 'There is no such image' })
  const headers: Record<string, string> = {
    etag: image.etag,
    'cache-control': imageCache,
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    ...(image.type === 'image/svg+xml' && {
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    }),
  }
  if (hasTag(c, image.etag)) return c.body(null, 304, headers)
  return c.body(image.bytes, 200, { ...headers, 'content-type': image.type })
}
