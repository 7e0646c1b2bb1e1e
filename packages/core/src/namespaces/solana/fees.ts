import { encodeBase64, isError } from '@latchkey/wire'
import type { Address, Instruction } from '@solana/kit'
import type { Request } from '../request.ts'
import { type ComputeBudget, compile, type Lifetime } from './message.ts'
import { commitment, invalidResponse, toCount, toValue } from './nodeResponses.ts'
import { smaller } from './token.ts'

/** The limit of compute units while they are still unknown: the network's limit. */
const unitsLimit = 1_400_000
/**
 * Adds a margin, because used units vary a little with the accounts' state, and a wallet may add a
 * small instruction.
 */
const withMargin = (used: number) => Math.min(Math.ceil(used * 1.2) + 500, unitsLimit)
/** The price to pay: the third quartile of the lowest accepted prices of recent blocks. */
const percentile = 0.75
/** The network's fee for a signature. */
export const signatureLamports = 5_000n
/** The largest priority fee that we add, in lamports. */
const maxPriorityLamports = 200_000n

export type PriorityPrice = {
  /** Fee of the signatures, in lamports. */
  baseLamports: bigint
  units: number
  microLamports: bigint
}

/**
 * Price in millionths of a lamport for each unit that was recently enough for these accounts; 0 if
 * the node does not report it.
 */
export async function readPriorityPrice(node: Request, writable: readonly Address[]) {
  const answer = await node('getRecentPrioritizationFees', [writable]).catch((error: unknown) => {
    if (isError(error, 'METHOD_NOT_FOUND') || isError(error, 'RPC_FAILED')) return []
    throw error
  })
  if (!Array.isArray(answer)) throw invalidResponse()
  const prices = answer.map((entry) =>
    toCount((entry as { prioritizationFee?: unknown } | null)?.prioritizationFee),
  )
  prices.sort((one, other) => (one < other ? -1 : 1))
  return prices[Math.floor(prices.length * percentile)] ?? 0n
}

/** Simulates a transaction at the node. `failure`: the network's reason to reject it. */
export async function priceTransaction(
  node: Request,
  {
    from,
    instructions,
    lifetime,
    microLamports,
  }: {
    from: Address
    instructions: readonly Instruction[]
    lifetime: Lifetime
    microLamports: bigint
  },
): Promise<PriorityPrice & { failure: string | undefined }> {
  // Without a price, so that an account that can pay the base fee is not refused because of the
  // priority fee.
  const budget: ComputeBudget = { units: unitsLimit, microLamports: 0n }
  const { unsigned, messageBytes } = compile({ from, instructions, budget, lifetime })
  const settings = {
    encoding: 'base64',
    commitment,
    sigVerify: false,
    replaceRecentBlockhash: true,
  }
  const [simulation, fee] = await Promise.all([
    node('simulateTransaction', [unsigned, settings]),
    node('getFeeForMessage', [encodeBase64(messageBytes), { commitment }]),
  ])
  const { err, logs, unitsConsumed } = (toValue(simulation) ?? {}) as Record<string, unknown>
  const units = withMargin(Number(toCount(unitsConsumed ?? 0)))
  const highest = (maxPriorityLamports * 1_000_000n) / BigInt(units)
  return {
    // A node that does not have the newest block hash yet returns null.
    baseLamports: toValue(fee) === null ? signatureLamports : toCount(toValue(fee)),
    units,
    microLamports: smaller(microLamports, highest),
    failure: err === null || err === undefined ? undefined : getFailure(err, logs),
  }
}

/** The whole fee in lamports. */
export const getTransactionFee = ({ baseLamports, units, microLamports }: PriorityPrice): bigint =>
  baseLamports + (BigInt(units) * microLamports + 999_999n) / 1_000_000n

/**
 * The price with a priority fee that the account can afford. `lamports`: the balance that remains
 * for the fee. The network demands that the account holds nothing afterwards, or at least the
 * rent-exempt minimum.
 */
export function fitPrice(
  price: PriorityPrice,
  { lamports, minimumLamports }: { lamports: bigint; minimumLamports: bigint },
): PriorityPrice | 'tooLittle' | 'belowMinimum' {
  const { baseLamports, units } = price
  const left = lamports - getTransactionFee(price)
  if (left === 0n || left >= minimumLamports) return price
  if (lamports < baseLamports) return 'tooLittle'
  if (lamports === baseLamports) return { ...price, microLamports: 0n }
  const spare = lamports - minimumLamports - baseLamports
  if (spare < 0n) return 'belowMinimum'
  return { ...price, microLamports: (spare * 1_000_000n) / BigInt(units) }
}

/** The program's message, otherwise the network's name of the error. */
function getFailure(err: unknown, logs: unknown): string {
  const lines = Array.isArray(logs) ? logs.filter((line) => typeof line === 'string') : []
  const logLine = lines.findLast((line) => /^Program log: Error/.test(line))
  return (logLine?.replace('Program log: ', '') ?? JSON.stringify(err)).slice(0, 200)
}
