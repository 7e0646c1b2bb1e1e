import * as z from 'zod'
import { nativeAddress } from '../evm/address.ts'
import type { Hex } from '../evm/hex.ts'
import { hexAddress, hexQuantity } from '../evm/schemas.ts'
import { type SimulatedLog, simulatedLog, transferTopic } from './readChanges.ts'

const maxDepth = 1_025
const log = simulatedLog.extend({ position: z.optional(hexQuantity) })

type Frame = {
  type: string
  from: Hex
  to?: Hex | undefined
  value?: bigint | undefined
  error?: string | undefined
  revertReason?: string | undefined
  gasUsed?: bigint | undefined
  logs?: z.infer<typeof log>[] | undefined
  calls?: unknown[] | undefined
}
const frame = z.object({
  type: z.string(),
  from: hexAddress,
  to: hexAddress.optional(),
  value: hexQuantity.optional(),
  error: z.string().optional(),
  revertReason: z.string().optional(),
  gasUsed: hexQuantity.optional(),
  logs: z.array(log).optional(),
  calls: z.array(z.unknown()).optional(),
})

/**
 * The result of `debug_traceCall` with the `callTracer` and its logs, in the format of
 * `eth_simulateV1`: logs in the order in which they were written, with a transfer of
 * {@link nativeAddress} for each payment, without reverted parts; and the reason of a failure.
 * Throws if the trace has another shape.
 */
export function readTrace(trace: unknown): {
  readonly logs: SimulatedLog[]
  readonly gasUsed: bigint[]
  readonly reason?: string
} {
  const root: Frame = frame.parse(trace)
  if (root.error !== undefined)
    return { logs: [], gasUsed: [], reason: root.revertReason ?? root.error }
  return { logs: flatten(root, 0), gasUsed: root.gasUsed === undefined ? [] : [root.gasUsed] }
}

function flatten(root: Frame, depth: number): SimulatedLog[] {
  if (depth > maxDepth) throw new Error('The trace is too deep')
  const { calls = [], logs = [] } = root
  const found = payment(root)
  for (const [at, call] of [...calls, undefined].entries()) {
    // A log's position is the number of calls before it.
    found.push(...logs.filter(({ position }) => Number(position ?? calls.length) === at))
    if (call === undefined) break
    const inner: Frame = frame.parse(call)
    if (inner.error === undefined) found.push(...flatten(inner, depth + 1))
  }
  return found
}

// A call that borrows code reports the value of its caller.
function payment({ type, from, to, value = 0n }: Frame): SimulatedLog[] {
  if (value === 0n || to === undefined || type === 'DELEGATECALL' || type === 'CALLCODE') return []
  const word = (hex: Hex): Hex => `0x${hex.slice(2).padStart(64, '0')}`
  const data = word(`0x${value.toString(16)}`)
  return [{ address: nativeAddress, topics: [transferTopic, word(from), word(to)], data }]
}
