import { LatchkeyError } from '@latchkey/wire'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { account, askOf } from '../../test/askOf.ts'
import type { Ask } from './ask.ts'
import { prepareTransaction } from './prepareTransaction.ts'

const hash = `0x${'ab'.repeat(32)}`
const failed = (reason: string) => new LatchkeyError('RPC_FAILED', { data: { reason } })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Signed = { nonce: string; gas: string; maxFeePerGas: string; maxPriorityFeePerGas: string }

/** A payment of one wei, prepared with these answers of the chain; what is signed goes into `signed`. */
const preparePayment = (read: Ask['read'], signed: Signed[] = []) =>
  prepareTransaction(
    askOf({
      method: 'eth_sendTransaction',
      params: [{ from: account, to: `0x${'22'.repeat(20)}`, value: '0x1' }],
      read,
      keys: {
        do: async (_: string, { transaction }: { transaction: Signed }) => {
          signed.push(transaction)
          return { raw: `0x02${transaction.nonce}`, hash }
        },
      } as unknown as Ask['keys'],
    }),
  )

/** Approves it on a chain that answers each broadcast with the next of `answers`; a node has it from then on if `kept`. */
async function pay(answers: readonly (Error | string)[], kept: boolean) {
  const sent: unknown[] = []
  const prepared = await preparePayment(async (_, method, params) => {
    if (method === 'eth_getTransactionByHash') return kept && sent.length > 0 ? { hash } : null
    if (method !== 'eth_sendRawTransaction') return '0x1'
    const answer = answers[sent.push(...(params as unknown[])) - 1]
    if (typeof answer !== 'string') throw answer
    return answer
  })
  const outcome = prepared.approve().catch((error: LatchkeyError) => error.code)
  await vi.advanceTimersByTimeAsync(60_000)
  return { outcome: await outcome, sent: sent.length, different: new Set(sent).size }
}

const price = 1_000_000_007n

test.each([
  ['twice the price where there is enough', 10n ** 18n, 2n * price],
  ['what is left, where that is the price at least', 1n + 21_000n * price + 20_999n, price],
  ['twice the price where nothing would do', 21_000n * price, 2n * price],
])('param: for a unit of gas it offers %s', async (_, balance, maxFeePerGas) => {
  const answers: Record<string, bigint> = {
    eth_gasPrice: price,
    eth_maxPriorityFeePerGas: 5n,
    eth_estimateGas: 21_000n,
    eth_getBalance: balance,
  }
  const signed: Signed[] = []
  const read: Ask['read'] = async (_chain, method) => `0x${(answers[method] ?? 1n).toString(16)}`
  await (await preparePayment(read, signed)).approve()
  expect(signed).toMatchObject([
    { gas: '21000', maxFeePerGas: String(maxFeePerGas), maxPriorityFeePerGas: '5' },
  ])
})

test('default: a node takes it', async () => {
  expect(await pay([hash], true)).toEqual({ outcome: hash, sent: 1, different: 1 })
})

test.each(['already known', 'ALREADY_EXISTS: already known', 'known transaction: 0xab'])(
  'behavior: a node that says “%s” has it',
  async (reason) => {
    expect(await pay([failed(reason)], false)).toEqual({ outcome: hash, sent: 1, different: 1 })
  },
)

test('behavior: what was taken, mined and refused the second time was sent', async () => {
  expect((await pay([failed('nonce too low')], true)).outcome).toBe(hash)
})

test('behavior: an answer that is lost is looked for, and the same transaction sent again', async () => {
  const lost = new LatchkeyError('TIMEOUT')
  expect(await pay([lost], true)).toMatchObject({ outcome: hash, sent: 1 })
  const offline = new LatchkeyError('OFFLINE')
  expect(await pay([offline, lost, hash], false)).toEqual({ outcome: hash, sent: 3, different: 1 })
})

test('error: what no node has failed', async () => {
  expect((await pay([failed('insufficient funds')], false)).outcome).toBe('RPC_FAILED')
  const offline = new LatchkeyError('OFFLINE')
  expect(await pay([offline, offline, offline], false)).toMatchObject({
    outcome: 'OFFLINE',
    sent: 3,
  })
})
