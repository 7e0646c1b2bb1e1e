import { isError } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { Call } from '../extension/protocol.ts'
import { invalidParams } from '../requests/parameters.ts'
import { prepareTransaction } from '../requests/prepareTransaction.ts'
import type { Row, WalletRequest } from '../requests/walletRequest.ts'
import { texts } from '../texts.ts'

const maxCalls = 10

const hexNumber = z.string().check(z.regex(/^0x[0-9a-f]{1,64}$/i))
const capabilities = z.optional(z.record(z.string(), z.unknown()))

const schema = z.object({
  version: z.optional(z.string()),
  id: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  from: z.optional(z.string()),
  chainId: hexNumber,
  atomicRequired: z.optional(z.boolean()),
  calls: z
    .array(
      z.object({
        to: z.optional(z.string()),
        value: z.optional(hexNumber),
        data: z.optional(z.string()),
        capabilities,
      }),
    )
    .check(z.minLength(1), z.maxLength(maxCalls)),
  capabilities,
})
export type Batch = z.output<typeof schema>

/**
 * A validated batch with its id, its storage key after it is sent, and the id of the session's
 * request, 0 for a page's batch.
 */
export type BatchWork = { batch: Batch; id: string; key: string; requestId: number }

/**
 * Parses the parameters of wallet_sendCalls (EIP-5792) from a page or an app. Throws
 * INVALID_PARAMS.
 */
export function parseBatch({ params }: Call): Batch {
  const parsed = z.safeParse(schema, Array.isArray(params) ? params[0] : undefined)
  if (!parsed.success) throw invalidParams('calls')
  return parsed.data
}

/** Whether a batch requires a capability. This wallet does not support any. */
export const needsCapability = (batch: Batch): boolean =>
  hasNeeded(batch) || batch.calls.some(hasNeeded)

const hasNeeded = ({ capabilities }: { capabilities?: Record<string, unknown> | undefined }) =>
  Object.values(capabilities ?? {}).some(
    (one) =>
      !(typeof one === 'object' && one !== null && 'optional' in one && one.optional === true),
  )

/** Each call as a separate transaction. */
export const toTransactions = ({ calls }: Batch, from: string): Call[] =>
  calls.map(({ to, value, data }) => ({
    method: 'eth_sendTransaction',
    params: [{ from, ...(to && { to }), ...(value && { value }), ...(data && { data }) }],
  }))

/** Describes the calls, each with its number. */
export async function describeTransactions(
  transactions: readonly Call[],
  wallet: Pick<WalletRequest, 'config' | 'state'>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (const [index, call] of transactions.entries())
    rows.push(...(await readRows({ ...wallet, call }, index)))
  return rows
}

/** Describes one call of a batch. A later call may only be possible after the calls before it. */
async function readRows(
  one: Pick<WalletRequest, 'call' | 'config' | 'state'>,
  index: number,
): Promise<Row[]> {
  const { rows } = await prepareTransaction(one).catch(async (error: unknown) => {
    if (index === 0 || !isError(error, 'RPC_FAILED')) throw error
    const [requested] = one.call.params as [Record<string, unknown>]
    const blind = { ...one, call: { ...one.call, params: [{ ...requested, gas: '0x0' }] } }
    const { rows } = await prepareTransaction(blind)
    return {
      rows: rows.map((row) =>
        row.label === 'Highest fee' ? { label: row.label, value: texts.feeUnknown } : row,
      ),
    }
  })
  return rows
    .filter(({ label }) => label !== 'Network' && label !== 'Account')
    .map((row) => ({ ...row, label: `${index + 1} · ${row.label}` }))
}
