import { type ChainId, type Fungible, fungiblePriceRoute, isError } from '@latchkey/wire'
import { Hono } from 'hono'
import { nativeAddress, parseAddress } from '../evm/address.ts'
import { isEvmChain } from '../evm/chain.ts'
import type { Hex } from '../evm/hex.ts'
import { badRequest, type Failure, HttpFailure } from '../http/failure.ts'
import { findChain } from '../http/findChain.ts'
import { parseBody } from '../http/request/parse.ts'
import { rpcUnavailable } from '../nodes/rpcUnavailable.ts'
import type { Services } from '../services.ts'
import { currencies } from '../tokens/currencies.ts'
import type { GetListedTokens } from '../tokens/listedTokens.ts'
import type { Token } from '../tokens/token.ts'
import { type GetTokenFacts, toToken } from '../tokens/tokenFacts.ts'
import type { GetTokenIcon } from '../tokens/tokenIcons.ts'
import type { ReadPrices } from './openPrices.ts'
import { priceNumber } from './price.ts'

type PriceRoutesDeps = Pick<Services, 'config'> & {
  readonly getListed: GetListedTokens
  readonly getFacts: GetTokenFacts
  readonly readPrices: ReadPrices
  readonly getTokenIcon: GetTokenIcon
}

const maxAddresses = 100

/** `POST /v1/fungible/price`: the metadata and prices of all requested tokens, in their order. */
export function priceRoutes(needs: PriceRoutesDeps): Hono {
  return new Hono().post(fungiblePriceRoute.path, async (c) => {
    const body = await parseBody(c, fungiblePriceRoute.body)
    const currency = body.currency.toLowerCase()
    if (!currencies.has(currency)) throw new HttpFailure(badCurrency)
    const requested = readAddresses(needs, body.addresses)
    if ('status' in requested) throw new HttpFailure(requested)
    try {
      const fungibles = await readFungibles(needs, { requested: requested.tokens, currency })
      if ('status' in fungibles) throw new HttpFailure(fungibles)
      return c.json({ fungibles })
    } catch (error) {
      if (!isError(error, 'RPC_UNAVAILABLE')) throw error
      throw new HttpFailure(unavailable)
    }
  })
}

type RequestedToken = { readonly id: string; readonly chainId: ChainId; readonly address: Hex }

function readAddresses(
  { config }: PriceRoutesDeps,
  ids: readonly string[],
): { tokens: RequestedToken[] } | Failure {
  if (ids.length === 0) return badRequest('addresses', 'The list of addresses is empty')
  if (ids.length > maxAddresses)
    return badRequest('addresses', `At most ${maxAddresses} addresses can be asked for`)
  const tokens: RequestedToken[] = []
  for (const id of ids) {
    const [, chain, address] = /^([a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}):(.{1,128})$/.exec(id) ?? []
    if (chain === undefined || address === undefined)
      return badRequest('addresses', `Not a CAIP-10 address: ${id.slice(0, 120)}`)
    const known = findChain(config, chain)
    if ('failure' in known) return known.failure
    if (!isEvmChain(known.chainId))
      return badRequest('asset', `Asset is not supported: ${id.slice(0, 120)}`)
    const token = parseAddress(address)
    if (token === undefined)
      return badRequest('addresses', `Not a CAIP-10 address: ${id.slice(0, 120)}`)
    tokens.push({ id, chainId: known.chainId, address: token })
  }
  return { tokens }
}

type PriceQuery = { readonly requested: readonly RequestedToken[]; readonly currency: string }

async function readFungibles(
  needs: PriceRoutesDeps,
  { requested, currency }: PriceQuery,
): Promise<Fungible[] | Failure> {
  const rows = new Map<string, Omit<Fungible, 'address'>>()
  const tokenKey = ({ chainId, address }: Omit<RequestedToken, 'id'>) => `${chainId}:${address}`
  const readChain = async (chainId: ChainId) => {
    const own = requested.filter((one) => one.chainId === chainId).map(({ address }) => address)
    const addresses = [...new Set(own)]
    const [tokens, prices] = await Promise.all([
      describe(needs, { chainId, addresses }),
      needs.readPrices({ chainId, tokens: addresses }),
    ])
    for (const [index, address] of addresses.entries()) {
      const token = tokens.get(address)
      // Prices are in dollars; there is no reliable source for other currencies here.
      const quote = currency === 'usd' ? prices[index] : undefined
      if (token === undefined) continue
      const { name, symbol, decimals } = token
      rows.set(tokenKey({ chainId, address }), {
        name,
        symbol,
        iconUrl: needs.getTokenIcon(symbol),
        ...(quote && {
          price: priceNumber(quote.price),
          updatedAt: new Date(quote.seenAtMs).toISOString(),
        }),
        decimals,
      })
    }
  }
  await Promise.all([...new Set(requested.map(({ chainId }) => chainId))].map(readChain))
  const fungibles: Fungible[] = []
  for (const one of requested) {
    const row = rows.get(tokenKey(one))
    if (row === undefined) return badRequest('asset', `Asset is not supported: ${one.id}`)
    fungibles.push({ address: one.id, ...row })
  }
  return fungibles
}

type TokenQuery = { readonly chainId: ChainId; readonly addresses: readonly Hex[] }

/**
 * Names and decimals: from the chain's configuration for the native currency, else from lists, else
 * from the contract. Throws RPC_UNAVAILABLE.
 */
async function describe(
  { config, getListed, getFacts }: PriceRoutesDeps,
  { chainId, addresses }: TokenQuery,
): Promise<Map<Hex, Omit<Token, 'address'>>> {
  const native = config.chains[chainId]?.nativeCurrency
  const listed = await getListed(chainId)
  const known = (address: Hex) => (address === nativeAddress ? native : listed.tokens.get(address))
  const unknown = addresses.filter((address) => known(address) === undefined)
  const facts = await getFacts(chainId, unknown)
  if (unknown.some((address) => !facts.has(address))) throw rpcUnavailable(chainId)
  return new Map(
    addresses.flatMap((address) => {
      const token = known(address) ?? toToken(address, facts.get(address))
      return token === undefined ? [] : [[address, token] as const]
    }),
  )
}

const badCurrency: Failure = {
  status: 422,
  field: 'currency',
  description: `The currency is not one of ${[...currencies].join(', ')}`,
}
const unavailable: Failure = {
  status: 503,
  field: 'addresses',
  description: 'Fungibles price provider is temporarily unavailable',
  retryAfterSeconds: 5,
}
