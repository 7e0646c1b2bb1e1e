import { type ChainId, type Fungible, fungiblePrice, isError, LatchkeyError } from '@latchkey/wire'
import { Hono } from 'hono'
import { priceNumber } from '../balance/fiatValue.ts'
import { type Failure, failureResponse } from '../http/failure.ts'
import { chainOf } from '../http/findChain.ts'
import { parseBody } from '../http/parse.ts'
import type { Services } from '../services.ts'
import type { ListedOf } from '../tokens/listedTokens.ts'
import type { Token } from '../tokens/token.ts'
import { type TokenFactsOf, tokenOf } from '../tokens/tokenFacts.ts'
import type { IconOf } from '../tokens/tokenIcons.ts'
import { currencies } from './currencies.ts'
import type { ReadPrices } from './openPrices.ts'
import { nativeAddress } from './price.ts'

type Hex = `0x${string}`
type Needs = Pick<Services, 'config'> & {
  readonly listedOf: ListedOf
  readonly factsOf: TokenFactsOf
  readonly readPrices: ReadPrices
  readonly iconOf: IconOf
}

const mostAddresses = 100

/** `POST /v1/fungible/price`: what tokens are and cost, all of them, in their order. */
export function priceRoutes(needs: Needs): Hono {
  return new Hono().post(fungiblePrice.path, async (c) => {
    const body = await parseBody(c, fungiblePrice.body)
    if (body instanceof Response) return body
    const currency = body.currency.toLowerCase()
    if (!currencies.has(currency))
      return refuse(422, 'currency', `The currency is not one of ${[...currencies].join(', ')}`)
    const asked = readAddresses(needs, body.addresses)
    if ('status' in asked) return failureResponse(asked)
    try {
      const fungibles = await readFungibles(needs, { asked: asked.tokens, currency })
      return 'status' in fungibles ? failureResponse(fungibles) : c.json({ fungibles })
    } catch (error) {
      if (!isError(error, 'RPC_UNAVAILABLE')) throw error
      return failureResponse(unavailable)
    }
  })
}

type Asked = { readonly id: string; readonly chainId: ChainId; readonly address: Hex }

function readAddresses({ config }: Needs, ids: readonly string[]): { tokens: Asked[] } | Failure {
  if (ids.length === 0) return bad('addresses', 'The list of addresses is empty')
  if (ids.length > mostAddresses)
    return bad('addresses', `At most ${mostAddresses} addresses can be asked for`)
  const tokens: Asked[] = []
  for (const id of ids) {
    const [, chain, address] = /^([a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}):(.{1,128})$/.exec(id) ?? []
    if (chain === undefined || address === undefined)
      return bad('addresses', `Not a CAIP-10 address: ${id.slice(0, 120)}`)
    const known = chainOf(config, chain)
    if ('failure' in known) return known.failure
    if (!known.chainId.startsWith('eip155:'))
      return bad('asset', `Asset is not supported: ${id.slice(0, 120)}`)
    if (!/^0x[0-9a-fA-F]{40}$/.test(address))
      return bad('addresses', `Not a CAIP-10 address: ${id.slice(0, 120)}`)
    tokens.push({ id, chainId: known.chainId, address: address.toLowerCase() as Hex })
  }
  return { tokens }
}

type Priced = { readonly asked: readonly Asked[]; readonly currency: string }

async function readFungibles(
  needs: Needs,
  { asked, currency }: Priced,
): Promise<Fungible[] | Failure> {
  const rows = new Map<string, Omit<Fungible, 'address'>>()
  const keyOf = ({ chainId, address }: Omit<Asked, 'id'>) => `${chainId}:${address}`
  const readChain = async (chainId: ChainId) => {
    const own = asked.filter((one) => one.chainId === chainId).map(({ address }) => address)
    const addresses = [...new Set(own)]
    const [tokens, prices] = await Promise.all([
      describe(needs, { chainId, addresses }),
      needs.readPrices({ chainId, tokens: addresses }),
    ])
    for (const [index, address] of addresses.entries()) {
      const token = tokens.get(address)
      // Prices are in dollars; there is no honest source for another currency here.
      const seen = currency === 'usd' ? prices[index] : undefined
      if (token === undefined) continue
      const { name, symbol, decimals } = token
      rows.set(keyOf({ chainId, address }), {
        name,
        symbol,
        iconUrl: needs.iconOf(symbol),
        ...(seen && {
          price: priceNumber(seen.price),
          updatedAt: new Date(seen.seenAtMs).toISOString(),
        }),
        decimals,
      })
    }
  }
  await Promise.all([...new Set(asked.map(({ chainId }) => chainId))].map(readChain))
  const fungibles: Fungible[] = []
  for (const one of asked) {
    const row = rows.get(keyOf(one))
    if (row === undefined) return bad('asset', `Asset is not supported: ${one.id}`)
    fungibles.push({ address: one.id, ...row })
  }
  return fungibles
}

type Wanted = { readonly chainId: ChainId; readonly addresses: readonly Hex[] }

/** Names and decimals: the native currency's, as lists have them, else as the contract says. Throws RPC_UNAVAILABLE. */
async function describe(
  { config, listedOf, factsOf }: Needs,
  { chainId, addresses }: Wanted,
): Promise<Map<Hex, Omit<Token, 'address'>>> {
  const native = config.chains[chainId]?.nativeCurrency
  const listed = await listedOf(chainId)
  const known = (address: Hex) => (address === nativeAddress ? native : listed.tokens.get(address))
  const unknown = addresses.filter((address) => known(address) === undefined)
  const facts = await factsOf(chainId, unknown)
  if (unknown.some((address) => !facts.has(address)))
    throw new LatchkeyError('RPC_UNAVAILABLE', { data: { chain: chainId } })
  return new Map(
    addresses.flatMap((address) => {
      const token = known(address) ?? tokenOf(address, facts.get(address))
      return token === undefined ? [] : [[address, token] as const]
    }),
  )
}

const bad = (field: string, description: string): Failure => ({ status: 400, field, description })
const refuse = (status: 422, field: string, description: string) =>
  failureResponse({ status, field, description })

const unavailable: Failure = {
  status: 503,
  field: 'addresses',
  description: 'Fungibles price provider is temporarily unavailable',
  retryAfterSeconds: 5,
}
