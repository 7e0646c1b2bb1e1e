import { LatchkeyError } from '@latchkey/wire'
import type { Hex } from 'viem'
import * as z from 'zod/mini'
import { executesWithin } from '../../executesWithin.ts'
import type { ApprovalRequest } from '../approvalRequest.ts'
import { assertAccount, invalidParams } from '../params.ts'

/** One call of a batch (EIP-5792). */
export type BatchCall = { readonly to: Hex; readonly value: bigint; readonly data: Hex }

/** A batch as a page asks for it. */
export type Batch = {
  readonly id: string | undefined
  readonly calls: readonly BatchCall[]
  /** All of it or nothing. */
  readonly isAtomic: boolean
}

const maxCalls = 20
const maxDataBytes = 24_000

const capabilities = z.optional(
  z.record(
    z.string().check(z.maxLength(100)),
    z.looseObject({ optional: z.optional(z.boolean()) }),
  ),
)
const call = z.object({
  to: z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/)),
  value: z.optional(z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/))),
  data: z.optional(z.string().check(z.regex(/^0x([0-9a-fA-F]{2})*$/))),
  capabilities,
})
const batch = z.object({
  version: z.optional(z.string().check(z.maxLength(20))),
  id: z.optional(z.string().check(z.regex(/^[\x21-\x7e]{1,4096}$/))),
  from: z.optional(z.string()),
  chainId: z.string().check(z.regex(/^0x[0-9a-fA-F]{1,14}$/)),
  atomicRequired: z.optional(z.boolean()),
  calls: z.array(z.unknown()).check(z.minLength(1)),
  capabilities,
})

/**
 * Reads the parameters of wallet_sendCalls: nothing that would be signed is left out or guessed. Throws INVALID_PARAMS,
 * UNAUTHORIZED, BATCH_CHAIN_UNSUPPORTED, BATCH_TOO_LARGE, CAPABILITY_UNSUPPORTED.
 */
export function parseCalls({ params, accounts, chain }: ApprovalRequest): Batch {
  const parsed = z.safeParse(z.array(batch).check(z.length(1)), params)
  const asked = parsed.success ? parsed.data[0] : undefined
  if (!asked) throw invalidParams('calls')
  if (asked.from !== undefined) assertAccount(asked.from, accounts.eip155)
  if (BigInt(asked.chainId) !== BigInt(chain.reference))
    throw new LatchkeyError('BATCH_CHAIN_UNSUPPORTED')
  const list = z.safeParse(z.array(call), asked.calls)
  if (!list.success) {
    const [at = 0, field = 'call'] = list.error.issues[0]?.path ?? []
    throw invalidParams(`calls[${String(at)}].${String(field)}`)
  }
  for (const one of [asked.capabilities, ...list.data.map((entry) => entry.capabilities)])
    assertCapabilities(one)
  const calls = list.data.map(({ to, value = '0x0', data = '0x' }) => ({
    to: to.toLowerCase() as Hex,
    value: BigInt(value),
    data: data.toLowerCase() as Hex,
  }))
  assertLimits(calls, accounts.eip155)
  return { id: asked.id, calls, isAtomic: asked.atomicRequired === true }
}

/** Throws BATCH_TOO_LARGE, INVALID_PARAMS for more value than there can be, and REQUEST_NOT_ALLOWED for calls within a call. */
export function assertLimits(calls: readonly BatchCall[], account: Hex): void {
  if (calls.length > maxCalls) throw new LatchkeyError('BATCH_TOO_LARGE')
  const bytes = calls.reduce((sum, { data }) => sum + data.length / 2 - 1, 0)
  if (bytes > maxDataBytes) throw new LatchkeyError('BATCH_TOO_LARGE')
  if (calls.reduce((sum, { value }) => sum + value, 0n) >= 1n << 256n) throw invalidParams('value')
  if (calls.some((one) => executesWithin(account, one)))
    throw new LatchkeyError('REQUEST_NOT_ALLOWED')
}

function assertCapabilities(asked: z.infer<typeof capabilities>): void {
  for (const [name, { optional }] of Object.entries(asked ?? {}))
    if (optional !== true)
      throw new LatchkeyError('CAPABILITY_UNSUPPORTED', { data: { reason: name.slice(0, 60) } })
}
