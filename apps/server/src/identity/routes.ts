import {
  avatarPath,
  type ChainId,
  identityRoute,
  nameAddressRoute,
  nameAvatarPath,
} from '@latchkey/wire'
import { type Context, Hono } from 'hono'
import { getAddress } from 'viem/utils'
import { requireAddress } from '../evm/address.ts'
import { isEvmChain } from '../evm/chain.ts'
import { type Failure, HttpFailure, orUnavailable } from '../http/failure.ts'
import { requireChain } from '../http/findChain.ts'
import { parseQuery } from '../http/request/parse.ts'
import type { PictureServices } from '../media/fetchPicture.ts'
import type { Services } from '../services.ts'
import { getAvatarUrl } from './avatarUrl.ts'
import type { Avatar } from './checkAvatar.ts'
import { createIdentities, type Identities, type IdentityConnections } from './identities.ts'
import type { CachedLookup } from './lookupCache.ts'
import { normalizeName } from './normalizeName.ts'
import { showAvatar } from './showAvatar.ts'

type IdentityRoutesDeps = Pick<Services, 'kv' | 'clock' | 'log' | 'config'>
type Connections = IdentityConnections & PictureServices
type IdentityHandlerDeps = IdentityRoutesDeps & Connections & { readonly identities: Identities }

/** An account of a network without names on this server: Solana, Polkadot (base58), Bitcoin. */
const otherAddress = /^(?:[1-9A-HJ-NP-Za-km-z]{25,64}|(?:bc|tb|bcrt)1[02-9ac-hj-np-z]{8,87})$/
const otherSeconds = 3_600
/**
 * The maximum age of a response to a forced request, so that repeated requests do not cause
 * additional work.
 */
const forcedMs = 5_000
const noIdentity = { name: null, avatar: null, resolvedAt: null }

/**
 * `GET /v1/identity/{address}` and its alias, `GET /v1/identity/name/{name}`, and the pictures of
 * both.
 */
export function identityRoutes(services: IdentityRoutesDeps, connections: Connections): Hono {
  const deps: IdentityHandlerDeps = {
    ...connections,
    ...services,
    identities: createIdentities(services, connections),
  }
  return new Hono()
    .get(nameAddressRoute.path, (c) => answerName(deps, c))
    .get(nameAvatarPath, (c) => showNames(deps, c))
    .get(identityRoute.path, (c) => answerAddress(deps, c))
    .get('/v1/account/:address/identity', (c) => answerAddress(deps, c))
    .get(avatarPath, (c) => showAddresses(deps, c))
}

async function answerAddress(
  { config, identities }: IdentityHandlerDeps,
  c: Context,
): Promise<Response> {
  const query = parseQuery(c, identityRoute.query)
  if (query.useCache !== undefined) throw new HttpFailure(noChoice)
  const text = c.req.param('address') ?? ''
  if (otherAddress.test(text)) return cached(c, otherSeconds).json(noIdentity)
  const address = requireAddress(text)
  const found = await orUnavailable(away, () => identities.lookUpAddress(address))
  const { name, avatar } = found.value
  return cached(c, found.secondsLeft).json({
    name,
    avatar: getAvatarUrl(config, avatar, { address: text }),
    resolvedAt: name && toIso(found),
  })
}

async function answerName(
  { config, identities }: IdentityHandlerDeps,
  c: Context,
): Promise<Response> {
  const query = parseQuery(c, nameAddressRoute.query)
  const { name, chainId } = parseNameQuery(config, c)
  if (isForeign(chainId))
    return cached(c, otherSeconds).json({ ...noIdentity, name, address: null })
  const isForced = query.forceUpdate !== undefined
  const found = await orUnavailable(away, () =>
    identities.lookUpName(name, chainId, isForced ? forcedMs : undefined),
  )
  const { address, avatar } = found.value
  return cached(c, isForced ? 0 : found.secondsLeft).json({
    name,
    address: address && getAddress(address),
    avatar: getAvatarUrl(config, avatar, { name, chainId }),
    resolvedAt: address && toIso(found),
  })
}

async function showAddresses(deps: IdentityHandlerDeps, c: Context): Promise<Response> {
  const address = requireAddress(c.req.param('address'))
  return show(deps, c, deps.identities.lookUpAddress(address))
}

async function showNames(deps: IdentityHandlerDeps, c: Context): Promise<Response> {
  const { name, chainId } = parseNameQuery(deps.config, c)
  if (isForeign(chainId)) throw new HttpFailure(noAvatar)
  return show(deps, c, deps.identities.lookUpName(name, chainId))
}

async function show(
  deps: IdentityHandlerDeps,
  c: Context,
  search: Promise<CachedLookup<{ readonly avatar: Avatar | null }>>,
): Promise<Response> {
  const found = await orUnavailable(away, () => search)
  const { avatar } = found.value
  if (avatar === null) throw new HttpFailure(noAvatar)
  return 'shownAt' in avatar ? c.redirect(avatar.shownAt) : showAvatar(deps, c, avatar)
}

type NameQuery = { readonly name: string; readonly chainId: ChainId | undefined }

function parseNameQuery(config: Services['config'], c: Context): NameQuery {
  const text = c.req.query('chainId')
  const chain = text === undefined ? undefined : requireChain(config, text)
  const name = normalizeName(c.req.param('name') ?? '')
  if (name === undefined) throw new HttpFailure(badName)
  return { name, chainId: chain?.chainId }
}

const isForeign = (chainId: ChainId | undefined) => chainId !== undefined && !isEvmChain(chainId)

/**
 * Browsers do not cache short-lived answers, such as our own names, so that a user who has just
 * changed a name gets the new value.
 */
const momentSeconds = 10

function cached(c: Context, seconds: number): Context {
  const ownSeconds = seconds > momentSeconds ? seconds : 0
  c.header('cache-control', `public, max-age=${ownSeconds}, s-maxage=${seconds}`)
  return c
}

const toIso = ({ atMs }: CachedLookup<unknown>) => new Date(atMs).toISOString()

const badName: Failure = {
  status: 400,
  field: 'name',
  description: 'The name is not valid. Use a name such as alice.eth, as ENSIP-15 allows',
}
const noChoice: Failure = {
  status: 400,
  field: 'useCache',
  description:
    'useCache is not available for this project. Leave it out: results are cached for five minutes',
}
const noAvatar: Failure = { status: 404, field: 'avatar', description: 'There is no avatar' }
const away: Failure = {
  status: 503,
  field: 'address',
  description: 'The identity provider is temporarily unavailable',
  retryAfterSeconds: 5,
}
