import { type ChainId, type Fungible, fungiblePriceRoute } from '@latchkey/wire'
import { Hono } from 'hono'
import { nativeAddress, parseAddress } from '../evm/address.ts'
import { isEvmChain } from '../evm/chain.ts'
import type { Hex } from '../evm/hex.ts'
import { badRequest, type Failure, HttpFailure, orUnavailable } from '../http/failure.ts'
import { requireChain } from '../http/findChain.ts'
import { parseBody } from '../http/request/parse.ts'
import { rpcUnavailable } from '../nodes/rpcUnavailable.ts'
import type { Services } from '../services.ts'
import { requireCurrency } from '../tokens/currencies.ts'
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
export function priceRoutes(deps: PriceRoutesDeps): Hono {
  return new Hono().post(fungiblePriceRoute.path, async (c) => {
    const body = await parseBody(c, fungiblePriceRoute.body)
    const currency = requireCurrency(body.currency, 422)
    const requested = readAddresses(deps, body.addresses)
    const read = () => readFungibles(deps, { requested, currency })
    return c.json({ fungibles: await orUnavailable(unavailable, read) })
  })
}

type RequestedToken = { readonly id: string; readonly chainId: ChainId; readonly address: Hex }

function readAddresses({ config }: PriceRoutesDeps, ids: readonly string[]): RequestedToken[] {
  if (ids.length === 0) throw refuse('addresses', 'The list of addresses is empty')
  if (ids.length > maxAddresses)
    throw refuse('addresses', `At most ${maxAddresses} addresses are allowed`)
  return ids.map((id) => {
    const [, chain, address] = /^([a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}):(.{1,128})$/.exec(id) ?? []
    if (chain === undefined || address === undefined)
      throw refuse('addresses', `Not a CAIP-10 address: ${id.slice(0, 120)}`)
    const { chainId } = requireChain(config, chain)
    if (!isEvmChain(chainId)) throw refuse('asset', `Asset is not supported: ${id.slice(0, 120)}`)
    const token = parseAddress(address)
    if (token === undefined) throw refuse('addresses', `Not a CAIP-10 address: ${id.slice(0, 120)}`)
    return { id, chainId, address: token }
  })
}

const refuse = (field: string, description: string) =>
  new HttpFailure(badRequest(field, description))

type PriceQuery = { readonly requested: readonly RequestedToken[]; readonly currency: string }

async function readFungibles(
  deps: PriceRoutesDeps,
  { requested, currency }: PriceQuery,
): Promise<Fungible[]> {
  const rows = new Map<string, Omit<Fungible, 'address'>>()
  const tokenKey = ({ chainId, address }: Omit<RequestedToken, 'id'>) => `${chainId}:${address}`
  const readChain = async (chainId: ChainId) => {
    const own = requested.filter((one) => one.chainId === chainId).map(({ address }) => address)
    const addresses = [...new Set(own)]
    const [tokens, prices] = await Promise.all([
      describe(deps, { chainId, addresses }),
      deps.readPrices({ chainId, tokens: addresses }),
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
        iconUrl: deps.getTokenIcon(symbol),
        ...(quote && {
          price: priceNumber(quote.price),
          updatedAt: new Date(quote.seenAtMs).toISOString(),
        }),
        decimals,
      })
    }
  }
  await Promise.all([...new Set(requested.map(({ chainId }) => chainId))].map(readChain))
  return requested.map((one) => {
    const row = rows.get(tokenKey(one))
    if (row === undefined) throw refuse('asset', `Asset is not supported: ${one.id}`)
    return { address: one.id, ...row }
  })
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

const unavailable: Failure = {
  status: 503,
  field: 'addresses',
  description: 'Fungibles price provider is temporarily unavailable',
  retryAfterSeconds: 5,
}
