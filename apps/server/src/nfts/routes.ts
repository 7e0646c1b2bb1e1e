import {
  accountNftsRoute,
  type ChainId,
  type NftDetail,
  nftDetailRoute,
  nftImagePath,
} from '@latchkey/wire'
import { type Context, Hono } from 'hono'
import type { FollowedAccount } from '../activity/activity.ts'
import { askedBy, getAsker } from '../activity/asker.ts'
import { defaultPatienceMs, isSearched, readUntilComplete } from '../activity/readUntilComplete.ts'
import { requireAddress } from '../evm/address.ts'
import { type NftId, nftKey } from '../evm/nft.ts'
import {
  badRequest,
  type Failure,
  HttpFailure,
  networkUnavailable,
  orUnavailable,
} from '../http/failure.ts'
import { requireChain } from '../http/findChain.ts'
import { getClientOrigin } from '../http/limitRate.ts'
import { parseCursor, parseQuery } from '../http/request/parse.ts'
import { pictureResponse } from '../media/pictureResponse.ts'
import { listNfts, toNft } from './listNfts.ts'
import { loadMetadata } from './loadMetadata.ts'
import { loadNftPicture } from './loadNftPicture.ts'
import { readNftCursor } from './nftCursor.ts'
import type { Nfts } from './nfts.ts'
import { nftsArea } from './nftsArea.ts'
import { readNft } from './readNftContracts.ts'

const detailWaitMs = 3_000
const pictureCache = 'public, max-age=86400, stale-while-revalidate=604800'

/** The routes for the NFTs of an account, a single NFT, and its picture. */
export function nftRoutes(nfts: Nfts): Hono {
  return new Hono()
    .get(accountNftsRoute.path, (c) => list(nfts, c))
    .get(nftDetailRoute.path, (c) => detail(nfts, c))
    .get(nftImagePath, (c) => picture(nfts, c))
}

async function list(given: Nfts, c: Context): Promise<Response> {
  const asker = getAsker(given.config, getClientOrigin(c))
  const nfts = { ...given, activity: askedBy(given.activity, asker) }
  const query = parseQuery(c, accountNftsRoute.query)
  const address = requireAddress(c.req.param('address'))
  const chainId = chainWithNfts(nfts, query.chainId)
  const account = { chainId, address }
  const place = parseCursor(query.cursor, (text) => readNftCursor(text, account))
  return orUnavailable(networkUnavailable, async () => {
    await nfts.activity.follow(account)
    if (place === undefined) await waitUntilKnown(nfts, account)
    const [page, sync] = await Promise.all([
      listNfts(nfts, account, place),
      nfts.activity.sync(account),
    ])
    return c.json({ ...page, sync })
  })
}

/**
 * An account's NFTs are known once its whole activity is. The first clients wait a short time for
 * that.
 */
const waitUntilKnown = ({ activity }: Nfts, { chainId, address }: FollowedAccount) =>
  readUntilComplete({
    ...{ activity, address, chainIds: [chainId], patienceMs: defaultPatienceMs },
    read: () => activity.sync({ chainId, address }),
    isKnown: isSearched,
  })

async function detail(nfts: Nfts, c: Context): Promise<Response> {
  const query = parseQuery(c, nftDetailRoute.query)
  const parsed = parseNftPath(nfts, c)
  const owner = query.owner === undefined ? undefined : requireAddress(query.owner, 'owner')
  return orUnavailable(networkUnavailable, async () => {
    const one = await readNft(nfts, { ...parsed, owner })
    if (one === undefined) throw new HttpFailure(unknownNft)
    const id: NftId = { ...parsed, standard: one.standard }
    const [known, { knownNames }] = await Promise.all([
      loadMetadata(nfts, id.chainId, { ids: [id], waitMs: detailWaitMs }),
      nfts.getListed(id.chainId),
    ])
    const row = known.get(nftKey(id))
    const result: NftDetail = {
      ...toNft(nfts, { id, nft: undefined, ...one }, { row, knownNames }),
      description: row?.description ?? null,
      externalUrl: row?.external_url ?? null,
      attributes: row?.attributes ?? [],
    }
    return c.json(result)
  })
}

async function picture(nfts: Nfts, c: Context): Promise<Response> {
  const parsed = parseNftPath(nfts, c)
  return orUnavailable(networkUnavailable, async () => {
    const found = await loadNftPicture(nfts, parsed)
    if (found === undefined) throw new HttpFailure(unknownPicture)
    return pictureResponse(c, { picture: found, cache: pictureCache })
  })
}

/** The NFT in the path. */
function parseNftPath(nfts: Nfts, c: Context): Omit<NftId, 'standard'> {
  const chainId = chainWithNfts(nfts, c.req.param('chainId'))
  const contract = requireAddress(c.req.param('contract'), 'contract')
  const text = c.req.param('tokenId') ?? ''
  const tokenId = /^(?:0|[1-9]\d{0,77})$/.test(text) ? BigInt(text) : maxUint256 + 1n
  if (tokenId > maxUint256) throw new HttpFailure(badTokenId)
  return { chainId, contract, tokenId }
}

function chainWithNfts({ config }: Nfts, text: string | undefined): ChainId {
  const { chainId } = requireChain(config, text)
  const area = nftsArea(config, chainId)
  if (!area.on) throw new HttpFailure(badRequest('chainId', area.source))
  return chainId
}

const maxUint256 = 2n ** 256n - 1n
const badTokenId = badRequest('tokenId', 'The tokenId is not valid: a decimal number is expected')
const unknownNft: Failure = {
  status: 404,
  field: 'tokenId',
  description: 'The contract has no such NFT',
}
const unknownPicture: Failure = {
  status: 404,
  field: 'image',
  description: 'This NFT has no picture that can be shown',
}
