import type { ChainId, PricePeriod, PricePoint, PriceYear } from '@latchkey/wire'
import * as z from 'zod'
import type { Services } from '../services.ts'
import { fetchOutsideJson, getOutsideName, toCoinId } from './fetchExternalPrices.ts'

/**
 * The distance between the points of a period, in minutes, and the largest number of points; `name`
 * is the source's name for that distance.
 */
export const periodSteps: Readonly<
  Record<PricePeriod, { minutes: number; count: number; name: string }>
> = {
  day: { minutes: 30, name: '30m', count: 48 },
  week: { minutes: 120, name: '2h', count: 84 },
  month: { minutes: 480, name: '8h', count: 90 },
  year: { minutes: 5_760, name: '4d', count: 92 },
}

export type HistoryQuery = {
  readonly chainId: ChainId
  /** By `tokenKey`; the native currency as 0xeeee…eeee, on networks of every namespace. */
  readonly token: string
  readonly period: PricePeriod | PriceYear
}

/** The times of a history: its steps lie between `fromMs` and `toMs`. */
type HistorySpan = {
  readonly fromMs: number
  readonly toMs: number
  readonly minutes: number
  readonly count: number
  readonly name: string
}

const dayMinutes = 24 * 60
const minuteMs = 60_000

/** The times of a period until now, or of a calendar year until its end or now. */
export function getHistorySpan(period: HistoryQuery['period'], nowMs: number): HistorySpan {
  if (isPeriod(period)) {
    const steps = periodSteps[period]
    return { ...steps, fromMs: nowMs - steps.minutes * steps.count * minuteMs, toMs: nowMs }
  }
  const fromMs = Date.UTC(Number(period), 0)
  const toMs = Math.min(Date.UTC(Number(period) + 1, 0), nowMs)
  const count = Math.max(0, Math.ceil((toMs - fromMs) / (dayMinutes * minuteMs)))
  return { fromMs, toMs, minutes: dayMinutes, count, name: '1d' }
}

const isPeriod = (period: HistoryQuery['period']): period is PricePeriod =>
  Object.hasOwn(periodSteps, period)

const maxPoints = 400

const answerSchema = z.object({ coins: z.record(z.string(), z.unknown()) })
const coin = z.object({
  prices: z
    .array(z.object({ timestamp: z.number(), price: z.number().positive().finite() }))
    .max(500),
  confidence: z.number().optional(),
})
const minConfidence = 0.9

/**
 * Why there are no prices: the source cannot be reached, did not answer this request, or answered
 * something else.
 */
export type HistoryFault = 'unreachable' | 'silent' | 'faulty'

/** Error codes of a failed connection to the source, independent of the request. */
const connectionErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
])

/**
 * Earlier prices of the outside source, `GET {url}/chart/{chain}:{address}?start=&span=&period=`
 * with `{"coins":{"{chain}:{address}":{"prices":[{"timestamp","price"}],"confidence"}}}`
 * (DefiLlama's coins API).
 */
export async function fetchExternalHistory(
  deps: Pick<Services, 'config' | 'clock' | 'log'>,
  { chainId, token, period }: HistoryQuery,
): Promise<PricePoint[] | HistoryFault> {
  const name = getOutsideName(deps, chainId)
  const { fromMs, toMs, minutes, count, name: distance } = getHistorySpan(period, deps.clock())
  if (name === undefined || count === 0) return []
  const id = toCoinId({ chainId, name, token })
  const search = `start=${Math.floor(fromMs / 1000)}&span=${count}&period=${distance}`
  try {
    const url = `${deps.config.priceSourceUrl}/chart/${id}?${search}`
    const { coins } = answerSchema.parse(await fetchOutsideJson(url))
    const entry = Object.entries(coins).find(([key]) => key.toLowerCase() === id.toLowerCase())
    const { data } = coin.safeParse(entry?.[1])
    if (data === undefined || (data.confidence ?? 1) < minConfidence) return []
    return data.prices
      .map(({ timestamp, price }) => ({ atMs: timestamp * 1000, price }))
      .filter(({ atMs }) => atMs >= fromMs - minutes * minuteMs && atMs <= toMs)
      .sort((a, b) => a.atMs - b.atMs)
      .slice(-maxPoints)
  } catch (error) {
    // The URL may carry the operator's key.
    const reason = error instanceof Error ? error.name : 'unknown'
    deps.log.warn({ reason }, 'outside price history not read')
    if (connectionErrors.has(getCode(error))) return 'unreachable'
    // Errors that `fetch` itself throws.
    return reason === 'TypeError' || reason === 'TimeoutError' ? 'silent' : 'faulty'
  }
}

/** The code of the system error behind an error of `fetch`. */
const getCode = (error: unknown): string =>
  String((error as { cause?: { code?: unknown } } | undefined)?.cause?.code ?? '')
