import {
  type ChainId,
  LatchkeyError,
  nameAddressUpdateRoute,
  nameAttributesRoute,
  namePrimaryRoute,
  nameRecord,
  nameRegistrationRoute,
  nameReleaseRoute,
  namesOfAddressRoute,
  nameTransferRoute,
  parseChainId,
  type Route,
  type SignedNameChange,
  toCoinType,
} from '@latchkey/wire'
import type * as z from 'zod/mini'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { canAskWallet } from '../capabilities.ts'
import { getActiveWallet } from '../connection/getActiveWallet.ts'
import { type Reviewed, reviewedByView } from '../connection/requests/reviewed.ts'
import type { LoadedActions } from '../namespaces/actions.ts'
import { callRoute } from '../server/callRoute.ts'
import { parse } from '../server/parse.ts'
import { removeResponses, saveResponse } from '../server/savedResponses.ts'
import { getIdentity } from './getIdentity.ts'
import { nameProblem } from './nameRules.ts'

/** A name that the account owns. */
export type OwnName = {
  name: string
  bio?: string
  avatar?: string
  /**
   * The addresses that the name resolves to, each once, with its coin types (ENSIP-9, ENSIP-11).
   */
  addresses: { address: string; coinTypes: number[] }[]
}

/**
 * Registers `{label}.{zone}` for the connected account, which signs, and shows it as the account's
 * name. Throws NOT_CONNECTED, USER_REJECTED, INVALID_PARAMS for a label that no server accepts,
 * INVALID_CHAIN_ID on a network whose number is 2³¹ or more, and HTTP_FAILED with the server's
 * reason.
 */
export const registerName = (app: App, wanted: WantedName): Promise<OwnName> =>
  register(app, wanted, undefined)

/**
 * Like {@link registerName}, for the view that shows the name: a device then signs without another
 * review. Not for pages.
 */
export const registerReviewedName = (app: App, wanted: WantedName): Promise<OwnName> =>
  register(app, wanted, reviewedByView)

type WantedName = { label: string; zone: string }

const register = (
  app: App,
  { label, zone }: WantedName,
  review: Reviewed | undefined,
): Promise<OwnName> =>
  attempt(async () => {
    if (nameProblem(label)) throw new LatchkeyError('INVALID_PARAMS', { data: { reason: 'name' } })
    const name = `${label}.${zone}`
    const { address, answer } = await sign(app, {
      getContent: () => ({ action: 'register', name, attributes: {} }),
      route: nameRegistrationRoute,
      params: {},
      review,
    })
    const record = parse(nameRecord, answer)
    if (record?.name !== name) throw new LatchkeyError('ANSWER_INVALID')
    showName(app, { address, name })
    return toOwnName(record)
  })

/** A change of a name that the account owns. */
export type NameChange =
  | { name: string; attributes: { bio?: string; avatar?: string } }
  | { name: string; chainId: ChainId; address: string }
  | { name: string; to: string }
  | { name: string; primary: true }
  | { name: string; release: true }

/**
 * Changes a name: its attributes, its `address` on a network, its owner (`to`), or whether it is
 * the account's `primary` name; or releases it. The connected account signs. Throws INVALID_ADDRESS
 * and the errors of `registerName`.
 */
export const changeName = (app: App, wanted: NameChange): Promise<void> =>
  change(app, wanted, undefined)

/**
 * Like {@link changeName}, for the view that shows the change: a device then signs without another
 * review. Not for pages.
 */
export const changeReviewedName = (app: App, wanted: NameChange): Promise<void> =>
  change(app, wanted, reviewedByView)

const change = (app: App, wanted: NameChange, review: Reviewed | undefined): Promise<void> =>
  attempt(async () => {
    const { name } = wanted
    const { address, chainId } = await sign(app, {
      getContent: ({ formatAddress }) => getContent(wanted, formatAddress),
      route: getRoute(wanted),
      params: { name },
      review,
    })
    if ('to' in wanted || 'release' in wanted) hideName(app, { address, name })
    forgetIdentity(app, address)
    if ('primary' in wanted) await showIdentity(app, { address, chainId })
  })

/** The content to sign. The server accepts addresses only with their checksum. */
function getContent(change: NameChange, formatAddress: LoadedActions['formatAddress']) {
  const { name } = change
  if ('to' in change) return { action: 'transfer', name, to: formatAddress(change.to) }
  if ('primary' in change) return { action: 'primary', name }
  if ('release' in change) return { action: 'release', name }
  if ('attributes' in change) return { action: 'attributes', name, attributes: change.attributes }
  const coin_type = getCoinType(change.chainId)
  return { action: 'address', name, coin_type, address: formatAddress(change.address) }
}

function getRoute(change: NameChange): Route {
  if ('to' in change) return nameTransferRoute
  if ('primary' in change) return namePrimaryRoute
  if ('release' in change) return nameReleaseRoute
  return 'attributes' in change ? nameAttributesRoute : nameAddressUpdateRoute
}

const getCoinType = (chainId: ChainId) => toCoinType(Number(parseChainId(chainId).reference))

/**
 * The names of an account: the primary name first, then the oldest. Throws the errors of
 * `callRoute`.
 */
export const getNames = (
  app: App,
  { address, signal }: { address: string; signal?: AbortSignal | undefined },
): Promise<OwnName[]> =>
  attempt(async () => {
    const query = { apiVersion: '2', all: 'true' }
    const records = await callRoute(app, {
      route: namesOfAddressRoute,
      params: { address },
      query,
      signal,
    })
    return records.map(toOwnName)
  })

/** Has the connected account sign a change, and sends it. */
async function sign(
  app: App,
  {
    getContent,
    route,
    params,
    review,
  }: {
    getContent: (actions: LoadedActions) => object
    route: Route
    params: Readonly<Record<string, string>>
    review: Reviewed | undefined
  },
) {
  const { actions, connection, request, assertSame } = await getActiveWallet(app, { review })
  const { chainId, account } = connection
  if (!canAskWallet(app, { chainId, capability: 'signMessage' }))
    throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method: 'signed messages' } })
  const address = actions.formatAddress(account.address)
  const coin_type = getCoinType(chainId)
  const timestamp = Math.floor(app.environment.now() / 1000)
  const message = JSON.stringify({ ...getContent(actions), timestamp })
  assertSame()
  const signature = await actions.signMessage({ wallet: request, address, message })
  const body: SignedNameChange = { message, signature, coin_type, address }
  return { address, chainId, answer: await callRoute(app, { route, params, body }) }
}

type NameOf = { address: string; name: string }

/** Shows a new name at once; an ENS name of the account takes precedence. */
function showName(app: App, { address, name }: NameOf) {
  forgetIdentity(app, address)
  const atMs = app.environment.now()
  updateProfiles(app, address, (id, profile) => {
    if (profile.name !== undefined) return profile
    const value = { name, avatar: null, resolvedAt: null }
    saveResponse(app, { cache: 'names', id: `identity ${id}`, answer: { atMs, value } })
    return { ...profile, name }
  })
}

/**
 * Shows the server's current name of the account; an ENS name takes precedence. Without a response,
 * the shown name stays.
 */
async function showIdentity(app: App, account: { address: string; chainId: ChainId }) {
  const profile = await getIdentity(app, account).catch(() => undefined)
  if (profile) updateProfiles(app, account.address, () => profile)
}

const hideName = (app: App, { address, name }: NameOf) =>
  updateProfiles(app, address, (_, { name: shown, ...rest }) =>
    shown === name || shown === undefined ? rest : { ...rest, name: shown },
  )

type Profiles = ReturnType<App['store']['getState']>['profiles']

function updateProfiles(
  app: App,
  address: string,
  update: (id: string, profile: Profiles[string]) => Profiles[string],
) {
  const { profiles } = app.store.getState()
  const changed = Object.entries(profiles).map(([id, profile]) =>
    isIdOf(id, address) ? [id, update(id, profile)] : [id, profile],
  )
  app.store.setState({ profiles: Object.fromEntries(changed) })
}

const forgetIdentity = (app: App, address: string) =>
  removeResponses(app, { cache: 'names', isRemoved: (id) => isIdOf(id, address) })

const isIdOf = (id: string, address: string) =>
  id.toLowerCase().endsWith(`:${address.toLowerCase()}`)

function toOwnName({ name, attributes, addresses }: z.infer<typeof nameRecord>): OwnName {
  const { bio, avatar } = attributes ?? {}
  const unique = new Map<string, number[]>()
  for (const [coinType, { address }] of Object.entries(addresses))
    unique.set(address, [...(unique.get(address) ?? []), Number(coinType)])
  return {
    name,
    addresses: [...unique].map(([address, coinTypes]) => ({ address, coinTypes })),
    ...(bio && { bio }),
    ...(avatar && { avatar }),
  }
}
