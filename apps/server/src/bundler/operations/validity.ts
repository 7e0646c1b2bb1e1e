import { BundlerError } from '../bundlerError.ts'
import type { Market } from './market.ts'
import type { Facts } from './tracer.ts'
import type { UserOperation } from './userOperation.ts'

/**
 * How long an operation has to stay valid: by then a block has included it, unless the fees rise.
 */
const leastSeconds = 30

/**
 * Whether an operation may expire before a block includes it. `until`: in seconds since 1970;
 * undefined if it does not expire.
 */
export const isExpiring = (until: number | undefined, { time }: Pick<Market, 'time'>): boolean =>
  until !== undefined && until < time + leastSeconds

/** The reason for refusing or dropping an operation that expires soon. */
export const expiresSoon = `The operation expires in less than ${leastSeconds} seconds`

/** Throws BundlerError if the operation may expire before a block includes it. */
export function assertLasts(until: number | undefined, market: Pick<Market, 'time'>): void {
  if (isExpiring(until, market)) throw new BundlerError('timeRange', expiresSoon)
}

/**
 * The time until which an account or a paymaster declares the operation valid, in seconds since
 * 1970; undefined if it does not expire. The account returns the packed data of ERC-4337 alone; the
 * paymaster returns them after its context.
 */
export function readUntil(
  { output }: Pick<Facts, 'output'>,
  entity: 'account' | 'paymaster',
): number | undefined {
  const word = entity === 'account' ? output.slice(2, 66) : output.slice(66, 130)
  const until = word.length === 64 ? Number.parseInt(word.slice(12, 24), 16) : 0
  return until === 0 ? undefined : until
}

/** The end of the operator's promise that an operation has, in seconds since 1970. */
export const readPromiseEnd = ({
  paymasterData = '0x',
}: Pick<UserOperation, 'paymasterData'>): number => Number(paymasterData.slice(0, 14))

/** The earlier of two ends. */
export function earlier(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return Math.min(one, other)
}
