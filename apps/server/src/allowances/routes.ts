import { accountAllowancesRoute } from '@latchkey/wire'
import { type Context, Hono } from 'hono'
import type { FollowedAccount } from '../activity/activity.ts'
import { askedBy, getAsker } from '../activity/asker.ts'
import { defaultPatienceMs, isSearched, readUntilComplete } from '../activity/readUntilComplete.ts'
import { requireAddress } from '../evm/address.ts'
import { badRequest, HttpFailure, networkUnavailable, orUnavailable } from '../http/failure.ts'
import { requireChain } from '../http/findChain.ts'
import { getClientOrigin } from '../http/limitRate.ts'
import { parseCursor, parseQuery } from '../http/request/parse.ts'
import { readAllowanceCursor } from './allowanceCursor.ts'
import { allowancesArea } from './allowancesArea.ts'
import { type AllowanceDeps, listAllowances } from './listAllowances.ts'

/**
 * `GET /v1/account/{address}/allowances`: the allowances that an account has granted. Never cached.
 */
export const allowanceRoutes = (deps: AllowanceDeps): Hono =>
  new Hono().get(accountAllowancesRoute.path, (c) => list(deps, c))

async function list(given: AllowanceDeps, c: Context): Promise<Response> {
  const asker = getAsker(given.config, getClientOrigin(c))
  const deps = { ...given, activity: askedBy(given.activity, asker) }
  const query = parseQuery(c, accountAllowancesRoute.query)
  const address = requireAddress(c.req.param('address'))
  const { chainId } = requireChain(deps.config, query.chainId)
  const area = allowancesArea(deps.config, chainId)
  if (!area.on) throw new HttpFailure(badRequest('chainId', area.source))
  const account = { chainId, address }
  const place = parseCursor(query.cursor, (text) => readAllowanceCursor(text, account))
  return orUnavailable(networkUnavailable, async () => {
    await deps.activity.follow(account)
    if (place === undefined) await waitUntilKnown(deps, account)
    const [page, sync] = await Promise.all([
      listAllowances(deps, account, place),
      deps.activity.sync(account),
    ])
    return c.json({ ...page, sync })
  })
}

/** The first clients wait a short time until the account's whole activity is known. */
const waitUntilKnown = ({ activity }: AllowanceDeps, { chainId, address }: FollowedAccount) =>
  readUntilComplete({
    ...{ activity, address, chainIds: [chainId], patienceMs: defaultPatienceMs },
    read: () => activity.sync({ chainId, address }),
    isKnown: isSearched,
  })
