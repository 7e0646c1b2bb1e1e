import type { HttpBindings } from '@hono/node-server'
import {
  etherCoinType,
  nameAddressUpdateRoute,
  nameAttributesRoute,
  namePrimaryRoute,
  nameRegistrationRoute,
  nameReleaseRoute,
  nameTransferRoute,
  type SignedNameChange,
  toCoinType,
} from '@latchkey/wire'
import { type Context, Hono } from 'hono'
import type { Hex } from '../evm/hex.ts'
import { clientAddress } from '../http/clientAddress.ts'
import { badRequest, type Failure, HttpFailure } from '../http/failure.ts'
import { getClientOrigin } from '../http/limitRate.ts'
import { parseBody } from '../http/request/parse.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Services } from '../services.ts'
import { insertName, type NameUpdate, updateName } from './changeNames.ts'
import { isReserved } from './looks.ts'
import {
  checkAttributes,
  checkTimestamp,
  type NameAction,
  type NameMessage,
  parseCoinType,
  parseNameMessage,
} from './nameMessages.ts'
import { findName, type StoredName, toRecord } from './nameStore.ts'
import { type ParsedName, parseName } from './parseName.ts'
import { isChecksummed, verifyChange } from './verifyChange.ts'

type ChangeRoutesDeps = Pick<Services, 'db' | 'kv' | 'clock' | 'config'>
type Area = ChangeRoutesDeps & { readonly upstreams: Upstreams }
type NameContext = Context<{ Bindings: Partial<HttpBindings> }>

/** Changes of one client: a name lasts for years, and no user needs many changes. */
const changeBucket = { capacity: 10, refillPerSecond: 1 / 30 }

/** Registration of names below the zones of this server, and changes of them; each is signed. */
export function changeRoutes(
  services: ChangeRoutesDeps,
  upstreams: Upstreams,
): Hono<{ Bindings: Partial<HttpBindings> }> {
  const area: Area = { ...services, upstreams }
  const { config } = services
  return new Hono<{ Bindings: Partial<HttpBindings> }>()
    .post(nameRegistrationRoute.path, (c) => register(area, c))
    .post(nameAttributesRoute.path, (c) =>
      change(area, c, 'attributes', {
        check: ({ attributes }) => checkAttributes(attributes),
        update: ({ attributes }) => ({ attributes }),
        answer: ({ attributes }) => attributes ?? {},
      }),
    )
    .post(nameAddressUpdateRoute.path, (c) =>
      change(area, c, 'address', {
        check: ({ coin_type, address }) => checkAddress(config, coin_type, address),
        update: ({ coin_type, address }) => ({ coinType: coin_type, address: lower(address) }),
        answer: ({ addresses }, { coin_type }) => ({ [coin_type]: addresses[coin_type] }),
      }),
    )
    .post(nameTransferRoute.path, (c) =>
      change(area, c, 'transfer', {
        check: ({ to }, { owner }) => checkReceiver(to, owner),
        update: ({ to }, body) => ({ to: lower(to), coinType: getNetworkCoinType(body.coin_type) }),
        answer: (name) => toRecord(name),
      }),
    )
    .post(namePrimaryRoute.path, (c) =>
      change(area, c, 'primary', {
        check: () => undefined,
        update: () => ({ primary: true }),
        answer: (name) => toRecord(name),
      }),
    )
    .post(nameReleaseRoute.path, (c) =>
      change(area, c, 'release', {
        check: () => undefined,
        update: () => ({ release: true }),
        answer: () => ({ status: 'SUCCESS' }),
      }),
    )
}

async function register(area: Area, c: NameContext): Promise<Response> {
  const body = await parseBody(c, nameRegistrationRoute.body)
  const message = parseNameMessage('register', body.message)
  if ('failure' in message) throw new HttpFailure(message.failure)
  const parsed = parseName(area.config.nameZones, message.name)
  if ('failure' in parsed) throw new HttpFailure(parsed.failure)
  const chain = parseCoinType(area.config.chains, body.coin_type)
  if ('failure' in chain) throw new HttpFailure(chain.failure)
  if (await isTaken(area, parsed)) throw new HttpFailure(taken)
  const { attributes = {} } = message
  const failure = checkTimestamp(area.clock(), message) ?? checkAttributes(attributes)
  if (failure) throw new HttpFailure(failure)
  const verified = await verify(area, c, { body, chainId: chain.chainId })
  if ('failure' in verified) throw new HttpFailure(verified.failure)
  // A contract has this address only on its own network, so no one must pay it on another.
  const coinTypes = new Set(
    verified.byKey ? [etherCoinType, body.coin_type] : [getNetworkCoinType(body.coin_type)],
  )
  const options = {
    attributes,
    coinTypes: [...coinTypes],
    ownerChain: chain.chainId,
    change: verified,
  }
  const inserted = await insertName(area, parsed, options)
  if (typeof inserted === 'string') throw new HttpFailure(changeFailures[inserted])
  return c.json({ success: true, ...toRecord(inserted) })
}

/**
 * The coin type for one network alone. Ethereum's own coin type also counts on networks without an
 * address.
 */
const getNetworkCoinType = (coinType: number) =>
  coinType === etherCoinType ? toCoinType(1) : coinType

/**
 * Released names and mere look-alikes are refused when the name is inserted, because the result may
 * depend on the signer.
 */
const isTaken = async (area: Area, { label, name, zone }: ParsedName) =>
  isReserved(label, zone) || (await findName(area, name)) !== undefined

/**
 * Changes a name whose owner signed. Checks in this order: the name exists, the timestamp, the
 * content, then the signature and the owner.
 */
async function change<Action extends Exclude<NameAction, 'register'>>(
  area: Area,
  c: NameContext,
  action: Action,
  {
    check,
    update,
    answer,
  }: {
    check: (message: NameMessage<Action>, name: StoredName) => Failure | undefined
    update: (message: NameMessage<Action>, body: SignedNameChange) => NameUpdate
    answer: (name: StoredName, message: NameMessage<Action>) => object
  },
): Promise<Response> {
  const body = await parseBody(c, nameAttributesRoute.body)
  const message = parseNameMessage(action, body.message)
  if ('failure' in message) throw new HttpFailure(message.failure)
  const parsed = parseName(area.config.nameZones, c.req.param('name') ?? '')
  if ('failure' in parsed) throw new HttpFailure(parsed.failure)
  if (message.name !== undefined && message.name.toLowerCase() !== parsed.name)
    throw new HttpFailure(badRequest('name', 'The message is for another name'))
  const chain = parseCoinType(area.config.chains, body.coin_type)
  if ('failure' in chain) throw new HttpFailure(chain.failure)
  const found = await findName(area, parsed.name)
  if (found === undefined) throw new HttpFailure(notRegistered)
  const failure = checkTimestamp(area.clock(), message) ?? check(message, found)
  if (failure) throw new HttpFailure(failure)
  const verified = await verify(area, c, { body, chainId: chain.chainId })
  if ('failure' in verified) throw new HttpFailure(verified.failure)
  // Another person's contract may have the same address on another network.
  const isOwner =
    found.owner === verified.signer && (verified.byKey || found.ownerChain === chain.chainId)
  if (!isOwner) throw new HttpFailure(notOwner)
  const options = { name: parsed.name, update: update(message, body), change: verified }
  const updated = await updateName(area, options)
  if (typeof updated === 'string') throw new HttpFailure(changeFailures[updated])
  return c.json(answer(updated, message))
}

async function verify(
  area: Area,
  c: NameContext,
  { body, chainId }: { body: SignedNameChange; chainId: `eip155:${string}` },
) {
  const { kv, config } = area
  const client = clientAddress(getClientOrigin(c), config.trustedProxies)
  const { allowed, retryAfterSeconds } = await kv.take(`names:client:${client}`, changeBucket)
  if (!allowed) return { failure: tooMany(retryAfterSeconds) }
  return verifyChange({ ...area, chainId }, body)
}

function checkAddress(
  config: Services['config'],
  coinType: number,
  address: string,
): Failure | undefined {
  const chain = parseCoinType(config.chains, coinType)
  if ('failure' in chain) return chain.failure
  return isChecksummed(address) ? undefined : badRequest('address', addressText)
}

/**
 * A name that its owner gives to the same account would count as a gift from a stranger, and no
 * longer towards the owner's ten names.
 */
function checkReceiver(to: string, owner: Hex): Failure | undefined {
  if (!isChecksummed(to)) return badRequest('to', addressText)
  return lower(to) === owner ? ownTransfer : undefined
}

const lower = (address: string) => address.toLowerCase() as Hex
const addressText = 'The address is not valid: 0x and 40 hex digits with their checksum (EIP-55)'
const taken = badRequest('name', 'The name is taken, or too similar to one that is')
const usedMessage = badRequest('timestamp', 'This message was used before. Sign a new one')
const notOwner: Failure = {
  status: 401,
  field: 'address',
  description: 'The name belongs to another account',
}
const changeFailures = {
  taken,
  used: usedMessage,
  full: badRequest('address', 'This account has ten names: release one first'),
  lost: notOwner,
} as const
const ownTransfer = badRequest('to', 'The name belongs to this account already')
const tooMany = (retryAfterSeconds: number): Failure => ({
  status: 429,
  field: 'rate_limited',
  description: `Too many changes: try again in ${Math.max(1, Math.ceil(retryAfterSeconds))} s`,
  retryAfterSeconds,
})
const notRegistered = badRequest('name', 'The name is not registered')
