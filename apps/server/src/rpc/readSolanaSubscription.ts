import * as z from 'zod'
import type { Subscription } from './rpcProtocol.ts'

/**
 * The supported subscriptions. Programs and whole blocks have no bounds, and votes are for
 * validators.
 */
export const solanaSubscriptions = ['signature', 'account', 'logs', 'slot'] as const
type Name = (typeof solanaSubscriptions)[number]

const maxLength = 1_024
const address = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
const signature = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/)
const commitment = z.enum(['processed', 'confirmed', 'finalized']).optional()
const options = z.object({ commitment }).optional()
const accountOptions = z
  .object({
    commitment,
    encoding: z.enum(['base58', 'base64', 'base64+zstd', 'jsonParsed']).optional(),
  })
  .optional()

// Options that are not named here are left out: no dataSlice, no notification that a transaction
// was received.
const shapes: Record<Name, z.ZodType<unknown[]>> = {
  signature: z.tuple([signature], options),
  account: z.tuple([address], accountOptions),
  logs: z.tuple([z.object({ mentions: z.tuple([address]) })], options),
  slot: z.tuple([]),
}

/**
 * Reads a call that subscribes, with its parameters as canonical JSON, so that equal parameters
 * become equal strings. Undefined for subscriptions without bounds: logs of all transactions, and
 * programs.
 */
export function readSolanaSubscription(method: string, params: string): Subscription | undefined {
  const name = solanaSubscriptions.find((one) => `${one}Subscribe` === method)
  if (name === undefined || params.length > maxLength) return undefined
  const parsed = shapes[name].safeParse(JSON.parse(params))
  if (!parsed.success) return undefined
  return {
    method,
    params: JSON.stringify(parsed.data),
    unsubscribe: `${name}Unsubscribe`,
    notification: `${name}Notification`,
    isSingle: name === 'signature',
  }
}
