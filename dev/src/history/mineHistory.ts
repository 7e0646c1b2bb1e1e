import { join } from 'node:path'
import { toHex } from 'viem'
import { callRpc } from '../chains/rpc.ts'
import { assertMined } from '../contracts/seed.ts'
import type { PastTransaction } from './listPastTransactions.ts'

const dayMs = 86_400_000
/** The age of a new chain with a past. A chart of a month then has all of its points. */
export const pastMs = 31 * dayMs

const gas = toHex(500_000)

/**
 * Mines transactions in blocks of their times, then a block of the present, after which the chain's
 * clock is right again. The latest block must be older than the first transaction. Throws an error
 * that names the failed transaction.
 */
export async function mineHistory(
  url: string,
  transactions: readonly PastTransaction[],
): Promise<void> {
  const nowMs = Date.now()
  for (const [index, { daysAgo, value, ...rest }] of transactions.entries()) {
    await setNextTime(url, nowMs - daysAgo * dayMs)
    const call = { ...rest, gas, ...(value !== undefined && { value: toHex(value) }) }
    const hash = await callRpc(url, 'eth_sendTransaction', [call])
    await assertMined({ url, hash, what: `Transaction ${index} of the past` })
  }
  await setNextTime(url, Date.now())
  await callRpc(url, 'evm_mine', [])
}

const setNextTime = (url: string, atMs: number) =>
  callRpc(url, 'evm_setNextBlockTimestamp', [toHex(Math.floor(atMs / 1000))])

/**
 * The path of a file that exists while a chain has a past without prices. It contains the time at
 * which the past begins.
 */
export const getPastNote = (dataDir: string, chainId: number): string =>
  join(dataDir, 'chains', `${chainId}.unpriced`)
