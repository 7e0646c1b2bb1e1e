import { LatchkeyError, omitNulls } from '@latchkey/wire'
import type { Hex } from 'viem'
import * as z from 'zod/mini'
import type { ApprovalRequest } from '../approvalRequest.ts'
import {
  assertAccount,
  invalidParameters,
  optionalBytes,
  optionalValue,
  readValue,
} from '../params.ts'
import { assertLimits, type BatchedCall } from './batchCall.ts'

/** A batch that a page requests. */
export type CallsBatch = {
  readonly id: string | undefined
  readonly calls: readonly BatchedCall[]
  /** Whether all calls have to succeed or none. */
  readonly isAtomic: boolean
}

/**
 * A batch, with the names of the capabilities that the page requires for the batch or for any of
 * its calls.
 */
type ParsedBatch = CallsBatch & { readonly requiredCapabilities: readonly string[] }

const maxCapabilities = 100
const capabilities = z.optional(
  z
    .record(
      z.string().check(z.maxLength(100)),
      z.looseObject({ optional: z.optional(z.boolean()) }),
    )
    .check(z.refine((named) => Object.keys(named).length <= maxCapabilities)),
)
const address = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/))
const call = z.object({
  to: address,
  value: optionalValue,
  data: optionalBytes,
  capabilities,
})
const batch = z.object({
  version: z.optional(z.string().check(z.maxLength(20))),
  // 4,096 bytes in hex.
  id: z.optional(z.string().check(z.regex(/^[\x21-\x7e]{1,8194}$/))),
  from: z.optional(address),
  chainId: z.string().check(z.regex(/^0x[0-9a-fA-F]{1,14}$/)),
  atomicRequired: z.optional(z.boolean()),
  calls: z.array(z.unknown()).check(z.minLength(1)),
  capabilities,
})

/**
 * Parses the parameters of wallet_sendCalls. Nothing that would be signed is left out or guessed.
 * Throws INVALID_PARAMS, UNAUTHORIZED, RPC_FAILED for another version, BATCH_CHAIN_UNSUPPORTED,
 * BATCH_TOO_LARGE.
 */
export function parseSendCalls({ params, accounts, chain }: ApprovalRequest): ParsedBatch {
  const parsed = z.safeParse(z.array(batch).check(z.length(1)), omitNulls(params))
  const requested = parsed.success ? parsed.data[0] : undefined
  if (!requested) throw invalidParameters(describePath(parsed.error) || 'the batch')
  if (requested.version !== undefined && !/^[12](\.0){0,2}$/.test(requested.version))
    throw new LatchkeyError('RPC_FAILED', { data: { reason: 'Version not supported' } })
  if (requested.from !== undefined) assertAccount(requested.from, accounts.eip155)
  if (BigInt(requested.chainId) !== BigInt(chain.reference))
    throw new LatchkeyError('BATCH_CHAIN_UNSUPPORTED')
  const list = z.safeParse(z.array(call), requested.calls)
  if (!list.success) throw invalidParameters(describeCallIssue(list.error, requested.calls))
  const calls = list.data.map(({ to, value, data }) => ({
    to: to.toLowerCase() as Hex,
    value: readValue(value),
    data: (data || '0x').toLowerCase() as Hex,
  }))
  assertLimits(calls, accounts.eip155)
  const requiredCapabilities = [requested, ...list.data].flatMap(listRequired)
  return {
    id: requested.id,
    calls,
    isAtomic: requested.atomicRequired === true,
    requiredCapabilities,
  }
}

type Issues = { readonly issues: readonly { readonly path: readonly PropertyKey[] }[] }

/** The field that an error of the batch is about. */
const describePath = (error: Issues | undefined) =>
  error?.issues[0]?.path.slice(1).map(String).join('.')

function describeCallIssue({ issues }: Issues, calls: readonly unknown[]): string {
  const [at = 0, field = 'call'] = issues[0]?.path ?? []
  const name = `calls[${String(at)}].${String(field)}`
  const { to } = (calls[Number(at)] ?? {}) as { to?: unknown }
  return field === 'to' && to === undefined
    ? `${name} is missing: a batch creates no contracts`
    : name
}

const listRequired = ({
  capabilities: requested,
}: {
  capabilities?: z.infer<typeof capabilities>
}) =>
  Object.entries(requested ?? {}).flatMap(([name, { optional }]) =>
    optional === true ? [] : [name],
  )
