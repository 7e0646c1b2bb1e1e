import { getPrefund } from '../operations/traceValidation.ts'
import type { UserOperation } from '../operations/userOperation.ts'
import type { ChainDatabase, NewOperation } from './operationStore.ts'

/**
 * The deposits of paymasters without the costs of the operations that wait, and the senders of
 * these operations.
 */
export type Paymasters = {
  /**
   * Subtracts the cost of an operation from its paymaster's deposit, and returns the cost of the
   * operation that it replaces, or the reason why that is not possible.
   */
  take(added: NewOperation, replaced: UserOperation | undefined): 'added' | 'entity' | 'poor'
}

/**
 * Reads the waiting operations of these operations' paymasters (EREP-010), and which paymasters are
 * also senders, or senders also paymasters (STO-040): such operations could fail only because
 * another operation runs first.
 */
export async function openPaymasters(
  { db, chainId }: ChainDatabase,
  added: readonly NewOperation[],
): Promise<Paymasters> {
  const senders = added.map(({ operation }) => operation.sender as string)
  const named = added.flatMap(({ operation }) => operation.paymaster ?? []) as string[]
  const waiting = db
    .selectFrom('user_operations')
    .where('chain_id', '=', chainId)
    .where('status', 'in', ['pending', 'sent'])
  const costs = await waiting
    .select((row) => ['paymaster', row.fn.sum<string>('prefund').as('wei')])
    .where('paymaster', 'in', [...named, ...senders])
    .groupBy('paymaster')
    .execute()
  const sending =
    named.length === 0
      ? []
      : await waiting.select('sender').distinct().where('sender', 'in', named).execute()
  const paying = new Map(costs.map(({ paymaster, wei }) => [paymaster, BigInt(wei ?? 0)]))
  const allSenders = new Set(sending.map(({ sender }) => sender))
  return {
    take({ operation, deposit }, replaced) {
      const { sender, paymaster } = operation
      if (paying.has(sender) || (paymaster && allSenders.has(paymaster))) return 'entity'
      allSenders.add(sender)
      if (paymaster === undefined || deposit === undefined) return 'added'
      const back = replaced?.paymaster === paymaster ? getPrefund(replaced) : 0n
      const wei = (paying.get(paymaster) ?? 0n) + getPrefund(operation) - back
      if (wei > deposit) return 'poor'
      paying.set(paymaster, wei)
      return 'added'
    },
  }
}
