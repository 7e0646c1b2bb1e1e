import * as z from 'zod/mini'
import type { Route } from './route.ts'

/** The areas that a network may have or lack. */
export const areas = [
  'balance',
  'prices',
  'activity',
  'nfts',
  'allowances',
  'identity',
  'names',
  'swap',
  'onramp',
  'faucet',
  'sessions',
] as const
export type Area = (typeof areas)[number]

/**
 * Whether an area is on for a network: its source, or why it is off, in words for a developer.
 * `kind` is what clients must support. For `swap` it is the contract that executes the swap
 * (`uniswap`: a SwapRouter02; `1inch`: the aggregator).
 */
export const areaState = z.object({
  on: z.boolean(),
  source: z.string(),
  kind: z.optional(z.string()),
})
export type AreaState = z.infer<typeof areaState>

/**
 * `GET /v1/supported-chains`: the CAIP-2 ids that the server's chain RPC supports, and by id the
 * areas that are on. Third-party servers send no `features`; clients may then request every area of
 * a network in `http`.
 */
export const supportedChainsRoute = {
  method: 'GET',
  path: '/v1/supported-chains',
  result: z.object({
    http: z.array(z.string()),
    ws: z.array(z.string()),
    features: z.optional(z.record(z.string(), z.partialRecord(z.enum(areas), areaState))),
  }),
} as const satisfies Route
export type SupportedChains = z.infer<typeof supportedChainsRoute.result>
