import { fungibleHistoryRoute } from '@latchkey/wire'
import { Hono } from 'hono'
import { nativeAddress } from '../evm/address.ts'
import { badRequest, HttpFailure } from '../http/failure.ts'
import { requireChain } from '../http/findChain.ts'
import { parseQuery } from '../http/request/parse.ts'
import { tokenKey } from '../tokens/token.ts'
import { type PriceHistoryDeps, readPriceHistory } from './readPriceHistory.ts'

/**
 * `GET /v1/fungible/history`: prices from the outside source if the network has one, otherwise the
 * prices that this server recorded.
 */
export const priceHistoryRoutes = (deps: PriceHistoryDeps): Hono =>
  new Hono().get(fungibleHistoryRoute.path, async (c) => {
    const query = parseQuery(c, fungibleHistoryRoute.query)
    const [, chain, address] =
      /^([a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}):([a-zA-Z0-9]{1,64})$/.exec(query.address) ?? []
    if (address === undefined) throw new HttpFailure(badRequest('address', 'Not a CAIP-10 address'))
    const { chainId } = requireChain(deps.config, chain)
    const points = await readPriceHistory(deps, {
      chainId,
      token: address === 'native' ? nativeAddress : tokenKey(address),
      period: query.period,
    })
    if (points === undefined) throw new HttpFailure(unavailable)
    return c.json({ points }, 200, { 'cache-control': 'public, max-age=120' })
  })

const unavailable = {
  status: 503,
  field: 'address',
  description: 'Fungibles price provider is temporarily unavailable',
  retryAfterSeconds: 5,
} as const
