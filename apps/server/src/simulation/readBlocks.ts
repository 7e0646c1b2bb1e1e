import type { SimulatedAllowance } from '@latchkey/wire'
import * as z from 'zod'
import { decodeUint } from '../evm/decodeResult.ts'
import type { Hex } from '../evm/hex.ts'
import { hexQuantity } from '../evm/schemas.ts'
import { readSimulatedChanges, type SimulatedLog, simulatedLog } from './readChanges.ts'

const simulatedBlocks = z
  .array(
    z.object({
      calls: z.array(
        z.object({
          status: hexQuantity,
          gasUsed: hexQuantity.optional(),
          logs: z.array(simulatedLog).optional(),
          returnData: z.string().optional(),
          error: z.object({ message: z.string().optional() }).optional(),
        }),
      ),
    }),
  )
  .length(1)

/**
 * The effects of calls; `reason`: why the next call failed. `isPartial`: whether the calls may have
 * done more.
 */
export type Ran = {
  readonly logs: SimulatedLog[]
  readonly gasUsed: bigint[]
  readonly reason?: string
  readonly isPartial?: boolean
  /** The remaining allowances, by {@link allowanceKey}. */
  readonly left?: ReadonlyMap<string, bigint>
}

const allowanceKey = ({ token, spender }: SimulatedAllowance) => `${token} ${spender}`

/** The token allowances that calls granted, which the same calls may have used up. */
export const getSpendable = ({ logs, reason }: Ran, account: Hex) =>
  reason === undefined ? readSimulatedChanges(logs, account).allowances.filter(isSpendable) : []

const isSpendable = ({ amount, id, via }: SimulatedAllowance) =>
  amount !== null && id === null && via === null

/** The result of `eth_simulateV1` for calls in one block. Throws if it has another shape. */
export const readSimulatedBlocks = (result: unknown): Ran => readCalls(parseCalls(result))

const parseCalls = (result: unknown) => simulatedBlocks.parse(result)[0]?.calls ?? []

function readCalls(calls: ReturnType<typeof parseCalls>): Ran {
  const logs: SimulatedLog[] = []
  const gasUsed: bigint[] = []
  for (const { status, ...call } of calls) {
    if (status !== 1n) {
      const reason = readRevert(call.returnData) ?? call.error?.message ?? 'reverted'
      return { logs, gasUsed, reason }
    }
    logs.push(...(call.logs ?? []))
    gasUsed.push(call.gasUsed ?? 0n)
  }
  return { logs, gasUsed }
}

/**
 * The same, followed by each token's remaining allowance. Throws if the calls before failed this
 * time.
 */
export function readLeft(result: unknown, allowances: readonly SimulatedAllowance[]): Ran {
  const answers = parseCalls(result)
  const said = answers.slice(-allowances.length)
  const ran = readCalls(answers.slice(0, -allowances.length))
  if (ran.reason !== undefined) throw new Error(ran.reason)
  const left = allowances.flatMap((one, index) => {
    const answer = said[index]
    const units = answer?.status === 1n ? decodeUint(answer.returnData as Hex) : undefined
    return units === undefined ? [] : [[allowanceKey(one), units] as const]
  })
  return { ...ran, left: new Map(left) }
}

/** The final allowances, with their remaining amounts if known. */
export const keepLeft = (
  allowances: readonly SimulatedAllowance[],
  left: Ran['left'],
): SimulatedAllowance[] =>
  allowances.flatMap((one) => {
    const units = isSpendable(one) ? left?.get(allowanceKey(one)) : undefined
    if (units === undefined) return [one]
    return units === 0n ? [] : [{ ...one, amount: String(units) }]
  })

/** The message of a revert with `Error(string)`. */
function readRevert(data: string | undefined): string | undefined {
  if (!data?.startsWith('0x08c379a0')) return undefined
  const bytes = Buffer.from(data.slice(10), 'hex')
  const size = Number(BigInt(`0x${bytes.toString('hex', 32, 64) || '0'}`))
  const text = bytes.subarray(64, 64 + size).toString('utf8')
  return text === '' ? undefined : text
}
