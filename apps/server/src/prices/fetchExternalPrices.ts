import { type ChainId, type Namespace, parseChainId } from '@latchkey/wire'
import * as z from 'zod'
import { nativeAddress, zeroAddress } from '../evm/address.ts'
import type { Services } from '../services.ts'
import { wrappedSol } from '../solana/address.ts'
import { type Price, priceScale, type Quote } from './price.ts'

type OutsideDeps = Pick<Services, 'log' | 'config' | 'clock'>

const timeoutMs = 4_000
const maxBytes = 2 * 1024 * 1024
const perCall = 100
/** Older prices do not count, nor do prices from the future or with a low confidence. */
const staleAfterMs = 10 * 60_000
const maxAheadMs = 60_000
const minConfidence = 0.9
/** The largest distance of an earlier price from the requested time. */
const maxDistanceMs = 3_600_000

/** The source's names of well-known networks; `priceSourceChain` of a chain names any other. */
const names: Readonly<Record<string, string>> = {
  'eip155:1': 'ethereum',
  'eip155:10': 'optimism',
  'eip155:56': 'bsc',
  'eip155:100': 'xdai',
  'eip155:137': 'polygon',
  'eip155:8453': 'base',
  'eip155:42161': 'arbitrum',
  'eip155:43114': 'avax',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'solana',
  'bip122:000000000019d6689c085ae165831e93': 'coingecko',
}

/** The source's name for the native currency. */
const nativeCoins: Partial<Record<Namespace, string>> = {
  eip155: zeroAddress,
  solana: wrappedSol,
  bip122: 'bitcoin',
}

const coin = z.object({
  price: z.number().positive(),
  timestamp: z.number(),
  confidence: z.number().optional(),
})
const answerSchema = z.object({ coins: z.record(z.string(), z.unknown()) })

/** The source's name of a chain; undefined if it has no prices for the chain. */
export const getOutsideName = (
  { config }: { config: Pick<Services['config'], 'chains' | 'priceSourceUrl'> },
  chainId: ChainId,
) =>
  config.priceSourceUrl === undefined
    ? undefined
    : (config.chains[chainId]?.priceSourceChain ?? names[chainId])

type OutsideQuery = {
  readonly chainId: ChainId
  readonly tokens: readonly string[]
  /** For the prices at an earlier time. */
  readonly atMs?: number
}

/**
 * Prices from an outside source with the API `GET {url}/prices/current/{chain}:{address},…`, which
 * returns `{"coins":{"{chain}:{address}":{"price","timestamp","confidence"}}}` (DefiLlama's coins
 * API, https://api-docs.defillama.com). `GET {url}/prices/historical/{seconds}/…` returns the
 * prices at an earlier time in the same form. The native currency is the zero address, on Solana
 * the wrapped token, on Bitcoin `coingecko:bitcoin`. No prices if the source is not configured or
 * does not answer; `isComplete`: it answered.
 */
export async function fetchExternalPrices(
  deps: OutsideDeps,
  { tokens, ...query }: OutsideQuery,
): Promise<{ readonly prices: Map<string, Quote>; readonly isComplete: boolean }> {
  const { chainId } = query
  const name = getOutsideName(deps, chainId)
  if (name === undefined || tokens.length === 0) return { prices: new Map(), isComplete: true }
  const parts = Array.from({ length: Math.ceil(tokens.length / perCall) }, (_, index) =>
    tokens.slice(index * perCall, (index + 1) * perCall),
  )
  const found = await Promise.all(
    parts.map((part) => readPart(deps, { ...query, name, tokens: part })),
  )
  const isComplete = found.every((part) => part !== undefined)
  return { prices: new Map(found.flatMap((part) => part ?? [])), isComplete }
}

type Part = OutsideQuery & { readonly name: string }

async function readPart(
  { log, config, clock }: OutsideDeps,
  { chainId, name, tokens, atMs }: Part,
): Promise<(readonly [string, Quote])[] | undefined> {
  const getCoinId = (token: string) => toCoinId({ chainId, name, token })
  const isNear = (seenAtMs: number) => {
    if (atMs !== undefined) return Math.abs(atMs - seenAtMs) <= maxDistanceMs
    const ageMs = clock() - seenAtMs
    return ageMs <= staleAfterMs && ageMs >= -maxAheadMs
  }
  try {
    const time = atMs === undefined ? 'current' : `historical/${Math.floor(atMs / 1000)}`
    const url = `${config.priceSourceUrl}/prices/${time}/${tokens.map(getCoinId).join(',')}`
    const { coins } = answerSchema.parse(await fetchOutsideJson(url))
    const byId = new Map(Object.entries(coins).map(([id, entry]) => [id.toLowerCase(), entry]))
    return tokens.flatMap((token) => {
      const { data } = coin.safeParse(byId.get(getCoinId(token).toLowerCase()))
      if (data === undefined) return []
      const seenAtMs = data.timestamp * 1000
      const sure = (data.confidence ?? 1) >= minConfidence
      const price = parseDecimal(String(data.price))
      if (!sure || price === undefined || !isNear(seenAtMs)) return []
      return [[token, { price, seenAtMs: Math.min(seenAtMs, clock()), source: 'outside' }] as const]
    })
  } catch (error) {
    // The URL may carry the operator's key.
    log.warn({ reason: error instanceof Error ? error.name : 'unknown' }, 'outside prices not read')
    return undefined
  }
}

/** The source's id of a token. */
export const toCoinId = ({ chainId, name, token }: Omit<Part, 'tokens'> & { token: string }) =>
  `${name}:${token === nativeAddress ? nativeCoins[parseChainId(chainId).namespace] : token}`

/**
 * The source's response, at most 2 MiB. Throws if it is late, too large or not JSON, or redirects.
 */
export async function fetchOutsideJson(url: string): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`HTTP ${response.status}`)
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new Error('The response is too large')
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

/**
 * Parses a decimal number (`1.5`, `2e-7`) as a price and drops digits beyond 18 places; undefined
 * if the result is not above 0.
 */
function parseDecimal(text: string): Price | undefined {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i.exec(text) ?? []
  if (whole === '') return undefined
  const shift = BigInt(exponent) - BigInt(fraction.length)
  const digits = BigInt(whole + fraction) * priceScale
  const price = shift < 0n ? digits / 10n ** -shift : digits * 10n ** shift
  return price > 0n ? price : undefined
}
