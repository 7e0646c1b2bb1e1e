import {
  nameLookupRoute,
  nameSuggestionsRoute,
  namesOfAddressRoute,
  nameZonesRoute,
} from '@latchkey/wire'
import { type Context, Hono } from 'hono'
import { parseAddress } from '../evm/address.ts'
import { badRequest, type Failure, HttpFailure } from '../http/failure.ts'
import { parseQuery } from '../http/request/parse.ts'
import type { Services } from '../services.ts'
import { isReserved } from './looks.ts'
import { findName, findNames, findTaken, toRecord } from './nameStore.ts'
import { parseLabel, parseName, requireName } from './parseName.ts'
import { suggestLabels } from './suggestLabels.ts'

type NameRoutesDeps = Pick<Services, 'db' | 'clock' | 'config'>

const maxSuggestions = 5

/** The routes for names below the zones of this server: look-up, reverse and suggestions. */
export const nameRoutes = (deps: NameRoutesDeps): Hono =>
  new Hono()
    .get(nameZonesRoute.path, (c) => c.json({ zones: deps.config.nameZones }))
    .get(nameLookupRoute.path, (c) => lookUp(deps, c))
    .get(namesOfAddressRoute.path, (c) => listNames(deps, c))
    .get(nameSuggestionsRoute.path, (c) => suggest(deps, c))

async function lookUp(deps: NameRoutesDeps, c: Context): Promise<Response> {
  const query = parseQuery(c, nameLookupRoute.query)
  const { name } = requireName(deps.config.nameZones, c.req.param('name') ?? '')
  const found = await findName(deps, name)
  if (found) return c.json(toRecord(found))
  if (query.apiVersion !== '2') throw new HttpFailure(notRegistered)
  return c.json([])
}

async function listNames(deps: NameRoutesDeps, c: Context): Promise<Response> {
  const query = parseQuery(c, namesOfAddressRoute.query)
  const owner = parseAddress(c.req.param('address'))
  const names = owner ? await findNames(deps, { owner, all: query.all === 'true' }) : []
  if (names.length > 0 || query.apiVersion === '2') return c.json(names.map(toRecord))
  throw new HttpFailure(noNames)
}

async function suggest(deps: NameRoutesDeps, c: Context): Promise<Response> {
  const query = parseQuery(c, nameSuggestionsRoute.query)
  const { nameZones: zones } = deps.config
  const asked = query.zone?.toLowerCase()
  // Older clients send their own zone, even if the server has other zones.
  const zone = zones.find((one) => one === asked) ?? zones[0]
  if (zone === undefined) throw new HttpFailure(noZones)
  const [first = ''] = (c.req.param('name') ?? '').split('.')
  const typed = parseLabel(first)
  if (typed === undefined) throw new HttpFailure(badSuggestion)
  const candidates = suggestLabels(typed, 4 * maxSuggestions).filter(
    (label) => !isReserved(label, zone),
  )
  const taken = await findTaken(deps, { zone, labels: [typed, ...candidates] })
  const exact = parseName(zones, `${typed}.${zone}`)
  // Do not offer a name that cannot be registered, for any reason.
  const registered = 'failure' in exact || isReserved(typed, zone) || taken.has(typed)
  const free = candidates.filter((label) => !taken.has(label)).slice(0, maxSuggestions - 1)
  const suggestions = [
    { name: `${typed}.${zone}`, registered },
    ...free.map((label) => ({ name: `${label}.${zone}`, registered: false })),
  ]
  return c.json({ suggestions })
}

const notRegistered: Failure = {
  status: 404,
  field: 'name',
  description: 'The name is not registered',
}
const noNames: Failure = {
  status: 404,
  field: 'address',
  description: 'The account has no name here',
}
const noZones = badRequest('zone', 'This server has no names')
const badSuggestion = badRequest(
  'name',
  'A name has 3 to 64 characters: letters, digits and hyphens only',
)
