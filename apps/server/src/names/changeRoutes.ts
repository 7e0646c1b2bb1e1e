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
import { badRequest, HttpFailure } from '../http/failure.ts'
import { takeClientToken } from '../http/limitRate.ts'
import { parseBody } from '../http/request/parse.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Services } from '../services.ts'
import { notOwner, taken } from './changeFailures.ts'
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
import { type ParsedName, requireName } from './parseName.ts'
import { isChecksummed, verifyChange } from './verifyChange.ts'

type ChangeRoutesDeps = Pick<Services, 'db' | 'kv' | 'clock' | 'config'>
type NameChangeDeps = ChangeRoutesDeps & { readonly upstreams: Upstreams }
type NameContext = Context<{ Bindings: Partial<HttpBindings> }>

/**
 * The rate limit for changes of one client. Names last for years, and no user needs many changes.
 */
const changeBucket = { capacity: 10, refillPerSecond: 1 / 30 }

/** Registration of names below the zones of this server, and changes of them; each is signed. */
export function changeRoutes(
  services: ChangeRoutesDeps,
  upstreams: Upstreams,
): Hono<{ Bindings: Partial<HttpBindings> }> {
  const deps: NameChangeDeps = { ...services, upstreams }
  const { config } = services
  return new Hono<{ Bindings: Partial<HttpBindings> }>()
    .post(nameRegistrationRoute.path, (c) => register(deps, c))
    .post(nameAttributesRoute.path, (c) =>
      change(deps, c, 'attributes', {
        check: ({ attributes }) => checkAttributes(attributes),
        update: ({ attributes }) => ({ attributes }),
        answer: ({ attributes }) => attributes ?? {},
      }),
    )
    .post(nameAddressUpdateRoute.path, (c) =>
      change(deps, c, 'address', {
        check: ({ coin_type, address }) => checkAddress(config, coin_type, address),
        update: ({ coin_type, address }) => ({ coinType: coin_type, address: lower(address) }),
        answer: ({ addresses }, { coin_type }) => ({ [coin_type]: addresses[coin_type] }),
      }),
    )
    .post(nameTransferRoute.path, (c) =>
      change(deps, c, 'transfer', {
        check: ({ to }, { owner }) => checkReceiver(to, owner),
        update: ({ to }, body) => ({ to: lower(to), coinType: getNetworkCoinType(body.coin_type) }),
        answer: (name) => toRecord(name),
      }),
    )
    .post(namePrimaryRoute.path, (c) =>
      change(deps, c, 'primary', {
        check: () => {},
        update: () => ({ primary: true }),
        answer: (name) => toRecord(name),
      }),
    )
    .post(nameReleaseRoute.path, (c) =>
      change(deps, c, 'release', {
        check: () => {},
        update: () => ({ release: true }),
        answer: () => ({ status: 'SUCCESS' }),
      }),
    )
}

async function register(deps: NameChangeDeps, c: NameContext): Promise<Response> {
  const body = await parseBody(c, nameRegistrationRoute.body)
  const message = parseNameMessage('register', body.message)
  const parsed = requireName(deps.config.nameZones, message.name)
  const chainId = parseCoinType(deps.config.chains, body.coin_type)
  if (await isTaken(deps, parsed)) throw new HttpFailure(taken)
  const { attributes = {} } = message
  checkTimestamp(deps.clock(), message)
  checkAttributes(attributes)
  const verified = await verify(deps, c, { body, chainId })
  // A contract has this address only on its own network, so no one must pay it on another.
  const coinTypes = new Set(
    verified.byKey ? [etherCoinType, body.coin_type] : [getNetworkCoinType(body.coin_type)],
  )
  const options = {
    attributes,
    coinTypes: [...coinTypes],
    ownerChain: chainId,
    change: verified,
  }
  const inserted = await insertName(deps, parsed, options)
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
const isTaken = async (deps: NameChangeDeps, { label, name, zone }: ParsedName) =>
  isReserved(label, zone) || (await findName(deps, name)) !== undefined

/**
 * Changes a name whose owner signed. Checks in this order: the name exists, the timestamp, the
 * content, then the signature and the owner.
 */
async function change<Action extends Exclude<NameAction, 'register'>>(
  deps: NameChangeDeps,
  c: NameContext,
  action: Action,
  {
    check,
    update,
    answer,
  }: {
    /** Throws {@link HttpFailure}. */
    check: (message: NameMessage<Action>, name: StoredName) => void
    update: (message: NameMessage<Action>, body: SignedNameChange) => NameUpdate
    answer: (name: StoredName, message: NameMessage<Action>) => object
  },
): Promise<Response> {
  const body = await parseBody(c, nameAttributesRoute.body)
  const message = parseNameMessage(action, body.message)
  const { name } = requireName(deps.config.nameZones, c.req.param('name') ?? '')
  if (message.name !== undefined && message.name.toLowerCase() !== name)
    throw new HttpFailure(badRequest('name', 'The message is for another name'))
  const chainId = parseCoinType(deps.config.chains, body.coin_type)
  const found = await findName(deps, name)
  if (found === undefined) throw new HttpFailure(notRegistered)
  checkTimestamp(deps.clock(), message)
  check(message, found)
  const verified = await verify(deps, c, { body, chainId })
  // Another person's contract may have the same address on another network.
  const isOwner =
    found.owner === verified.signer && (verified.byKey || found.ownerChain === chainId)
  if (!isOwner) throw new HttpFailure(notOwner)
  const options = { name, update: update(message, body), change: verified }
  const updated = await updateName(deps, options)
  return c.json(answer(updated, message))
}

async function verify(
  deps: NameChangeDeps,
  c: NameContext,
  { body, chainId }: { body: SignedNameChange; chainId: `eip155:${string}` },
) {
  await takeClientToken(deps, c, {
    name: 'names:client',
    bucket: changeBucket,
    problem: 'Too many changes',
  })
  return verifyChange({ ...deps, chainId }, body)
}

function checkAddress(config: Services['config'], coinType: number, address: string): void {
  parseCoinType(config.chains, coinType)
  if (!isChecksummed(address)) throw new HttpFailure(badRequest('address', addressText))
}

/**
 * A name that its owner gives to the same account would count as a gift from another account, and
 * no longer towards the owner's ten names.
 */
function checkReceiver(to: string, owner: Hex): void {
  if (!isChecksummed(to)) throw new HttpFailure(badRequest('to', addressText))
  if (lower(to) === owner) throw new HttpFailure(ownTransfer)
}

const lower = (address: string) => address.toLowerCase() as Hex
const addressText = 'The address is not valid: 0x and 40 hex digits with their checksum (EIP-55)'
const ownTransfer = badRequest('to', 'The name belongs to this account already')
const notRegistered = badRequest('name', 'The name is not registered')
