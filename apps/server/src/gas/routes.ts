import { gasPriceRoute } from '@latchkey/wire'
import { Hono } from 'hono'
import { isEvmChain } from '../evm/chain.ts'
import { type Failure, HttpFailure, networkUnavailable, orUnavailable } from '../http/failure.ts'
import { requireChain } from '../http/findChain.ts'
import { parseQuery } from '../http/request/parse.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Services } from '../services.ts'
import { readGasPrice } from './readGasPrice.ts'

/** `GET /v1/convert/gas-price`, for every EVM network of the chains file. */
export function gasRoutes({ config }: Pick<Services, 'config'>, upstreams: Upstreams): Hono {
  return new Hono().get(gasPriceRoute.path, async (c) => {
    const query = parseQuery(c, gasPriceRoute.query)
    const { chainId } = requireChain(config, query.chainId)
    if (!isEvmChain(chainId)) throw new HttpFailure(noGas)
    const price = await orUnavailable(networkUnavailable, () => readGasPrice(upstreams, chainId))
    return c.json({
      standard: String(price.standard),
      fast: String(price.fast),
      instant: String(price.instant),
    })
  })
}

const noGas: Failure = {
  status: 400,
  field: 'chainId',
  description:
    'Network not supported for Gas Price: gas prices are available on eip155 networks only',
}
