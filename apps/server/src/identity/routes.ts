import { identity, isError, nameAddress, nftImagePath } from '@latchkey/wire'
import { type Context, Hono } from 'hono'
import { getAddress } from 'viem/utils'
import { type Failure, failureResponse } from '../http/failure.ts'
import { parseQuery } from '../http/parse.ts'
import type { Outbound } from '../outbound/createOutbound.ts'
import { chainOf } from '../rpc/chainOf.ts'
import type { Upstreams } from '../rpc/upstreams.ts'
import type { Services } from '../services.ts'
import type { Avatar } from './checkAvatar.ts'
import { createIdentities } from './identities.ts'
import { normaliseName } from './normaliseName.ts'
import type { Remembered } from './remember.ts'

type Hex = `0x${string}`
type Needs = Pick<Services, 'kv' | 'clock' | 'log' | 'config'>
type Ways = { readonly upstreams: Upstreams; readonly outbound: Outbound }

/** An account of a network that has no names here: Solana, Polkadot (base58), Bitcoin. */
const otherAddress = /^(?:[1-9A-HJ-NP-Za-km-z]{25,64}|(?:bc|tb|bcrt)1[02-9ac-hj-np-z]{8,87})$/
const otherSeconds = 3_600
const nothing = { name: null, avatar: null, resolvedAt: null }

/** `GET /v1/identity/{address}` and its alias, `GET /v1/identity/name/{name}`: names from ENS, both ways. */
export function identityRoutes(services: Needs, ways: Ways): Hono {
  const identities = createIdentities(services, ways)

  const ofAddress = async (c: Context): Promise<Response> => {
    const query = parseQuery(c, identity.query)
    if (query instanceof Response) return query
    const address = c.req.param('address') ?? ''
    if (otherAddress.test(address)) return cached(c, otherSeconds).json(nothing)
    if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return failureResponse(badAddress)
    const found = await identities.ofAddress(address.toLowerCase() as Hex).catch(unlessAway)
    if (found === undefined) return failureResponse(away)
    const { name, avatar } = found.value
    return cached(c, found.secondsLeft).json({
      name,
      avatar: avatar && avatarUrl(services, { avatar, path: address, ...query }),
      resolvedAt: name && isoOf(found),
    })
  }

  const ofName = async (c: Context): Promise<Response> => {
    const query = parseQuery(c, nameAddress.query)
    if (query instanceof Response) return query
    const asked = readChain(services, query.chainId)
    if (asked && 'failure' in asked) return failureResponse(asked.failure)
    const name = normaliseName(c.req.param('name') ?? '')
    if (name === undefined) return failureResponse(badName)
    // What Ethereum's name says of other namespaces is not read.
    if (asked && !asked.chainId.startsWith('eip155:'))
      return cached(c, otherSeconds).json({ ...nothing, name, address: null })
    const found = await identities.ofName(name, asked?.chainId).catch(unlessAway)
    if (found === undefined) return failureResponse(away)
    const { address, avatar } = found.value
    return cached(c, found.secondsLeft).json({
      name,
      address: address && getAddress(address),
      avatar:
        avatar &&
        avatarUrl(services, { avatar, path: `name/${encodeURIComponent(name)}`, ...query }),
      resolvedAt: address && isoOf(found),
    })
  }

  return new Hono()
    .get(nameAddress.path, ofName)
    .get(identity.path, ofAddress)
    .get('/v1/account/:address/identity', ofAddress)
}

const readChain = ({ config }: Needs, chainId: string | undefined) =>
  chainId === undefined ? undefined : chainOf(config, chainId)

function unlessAway(error: unknown): undefined {
  if (!isError(error, 'RPC_UNAVAILABLE')) throw error
}

function cached(c: Context, seconds: number): Context {
  c.header('cache-control', `public, max-age=${seconds}, s-maxage=${seconds}`)
  return c
}

/** Where our own server shows a picture: nobody's browser asks a third party. */
function avatarUrl(
  { config }: Needs,
  { avatar, path, projectId }: { avatar: Avatar; path: string; projectId: string },
): string {
  const query = `?projectId=${encodeURIComponent(projectId)}`
  if (!('nft' in avatar)) return `${config.publicUrl}/v1/identity/${path}/avatar${query}`
  const { chainId, contract, tokenId } = avatar.nft
  const image = nftImagePath
    .replace(':chainId', chainId)
    .replace(':contract', contract)
    .replace(':tokenId', tokenId)
  return `${config.publicUrl}${image}${query}`
}

const isoOf = ({ atMs }: Remembered<unknown>) => new Date(atMs).toISOString()

const badAddress: Failure = {
  status: 400,
  field: 'address',
  description: 'The address is not valid: 0x and 40 hex digits are expected',
}
const badName: Failure = {
  status: 400,
  field: 'name',
  description: 'The name is not valid: one as alice.eth is expected, as ENSIP-15 allows',
}
const away: Failure = {
  status: 503,
  field: 'address',
  description: 'The identity provider is temporarily unavailable',
  retryAfterSeconds: 5,
}
