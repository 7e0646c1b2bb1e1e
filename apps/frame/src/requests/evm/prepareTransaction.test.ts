import { LatchkeyError } from '@latchkey/wire'
import { formatUnits } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { account, createTestRequest } from '../../../test/testRequest.ts'
import type { ApprovalRequest } from '../approvalRequest.ts'
import { prepareTransaction } from './prepareTransaction.ts'

const hash = `0x${'ab'.repeat(32)}`
const failed = (reason: string) => new LatchkeyError('RPC_FAILED', { data: { reason } })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Signed = { nonce: string }

/**
 * A payment of one wei, prepared with these answers of the chain; what is signed goes into
 * `signed`.
 */
const preparePayment = (read: ApprovalRequest['read'], signed: Signed[] = [], named: object = {}) =>
  prepareTransaction(
    createTestRequest({
      method: 'eth_sendTransaction',
      params: [{ from: account, to: `0x${'22'.repeat(20)}`, value: '0x1', ...named }],
      read,
      keys: {
        do: async (_: string, { transaction }: { transaction: Signed }) => {
          signed.push(transaction)
          return { raw: `0x02${transaction.nonce}`, hash }
        },
      } as unknown as ApprovalRequest['keys'],
    }),
  )

/**
 * Approves it on a chain that answers each broadcast with the next of `answers`; a node has it from
 * then on if `kept`.
 */
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

/**
 * Prepares and approves it with these answers: the transaction as it was signed, and the fee as it
 * was shown.
 */
async function offer(answers: Record<string, unknown>, named: object = {}) {
  const signed: Signed[] = []
  const estimated: unknown[] = []
  const read: ApprovalRequest['read'] = async (_chain, method, params) => {
    if (method === 'eth_estimateGas') estimated.push(...(params as unknown[]))
    return answers[method] ?? '0x1'
  }
  const prepared = await preparePayment(read, signed, named)
  await prepared.approve()
  return { signed: signed[0], estimated: estimated[0], shown: prepared.view.place[0]?.value }
}

// The numbers of core's eip155.test.ts: for the same answers of the node both screens show the same
// maximum.
const answers = {
  eth_getBlockByNumber: { baseFeePerGas: '0x64' },
  eth_gasPrice: '0x6b',
  eth_maxPriorityFeePerGas: '0x5',
  eth_estimateGas: '0x5208',
  eth_getBalance: '0xde0b6b3a7640000',
}
const enoughFor = (perGasWei: bigint) => `0x${(1n + 21_000n * perGasWei).toString(16)}`

test('default: the nonce counts transactions that are pending, and the signed transaction goes to the node', async () => {
  const asked: unknown[] = []
  const signed: Signed[] = []
  const prepared = await preparePayment(async (_, method, params) => {
    asked.push([method, params])
    return method === 'eth_getTransactionCount' ? '0x7' : answersOf(method)
  }, signed)
  await prepared.approve()
  expect(signed.map(({ nonce }) => nonce)).toEqual(['7'])
  expect(asked).toContainEqual(['eth_getTransactionCount', [account, 'pending']])
  expect(asked).toContainEqual(['eth_sendRawTransaction', ['0x027']])
})

test.each([
  ['1.2 times the base fee and the tip where there is enough', '0xde0b6b3a7640000', 125n],
  ['what is left, where that is the current fee at least', enoughFor(105n), 105n],
  ['1.2 times the base fee and the tip where nothing would do', enoughFor(104n), 125n],
])('param: for a unit of gas it offers %s', async (_, eth_getBalance, maxFeePerGas) => {
  const { signed, shown } = await offer({ ...answers, eth_getBalance })
  expect(signed).toMatchObject({
    type: 2,
    gas: '21000',
    maxFeePerGas: String(maxFeePerGas),
    maxPriorityFeePerGas: '5',
    accessList: [],
  })
  expect(shown).toBe(`${formatUnits(21_000n * maxFeePerGas, 18)} ETH`)
})

/** The answers of an OP-stack oracle that charges this for data, and 7 wei for the operator. */
const charging = (wei: bigint) => (params: unknown) => {
  const [{ data }] = params as [{ data: string }]
  const functions: Record<string, bigint> = {
    '0x49948e0e': wei,
    '0x275aedd2': 7n,
  }
  return `0x${(functions[data.slice(0, 10)] ?? 0n).toString(16).padStart(64, '0')}`
}

/**
 * A payment of one wei on a network that charges 100,000 wei for its data and 7 for its operator.
 */
async function prepareOnRollup(balance: bigint) {
  const oracle = '0x420000000000000000000000000000000000000F'
  const { view } = await preparePayment(async (_, method, params) => {
    if (method === 'eth_call')
      return (params as [{ to: string }])[0].to === oracle ? charging(100_000n)(params) : '0x'
    return method === 'eth_getBalance' ? `0x${balance.toString(16)}` : answersOf(method)
  })
  const [fee] = view.place.filter(({ label }) => label === 'Network fee, up to')
  return { fee: fee?.value, warnings: view.warnings.map(({ text }) => text) }
}

const answersOf = (method: string) => (answers as Record<string, unknown>)[method] ?? '0x1'

test('behavior: the fee includes the data fee of a rollup, with a margin of a half', async () => {
  const { fee, warnings } = await prepareOnRollup(10n ** 18n)
  expect(fee).toBe(`${formatUnits(21_000n * 125n + 150_011n, 18)} ETH`)
  expect(warnings).not.toContainEqual(expect.stringContaining('Not enough'))
})

test('behavior: warns an account that cannot pay for the data, although the simulation counts only gas', async () => {
  const least = 1n + 21_000n * 105n + 100_007n
  expect((await prepareOnRollup(least)).warnings).not.toContainEqual(
    expect.stringContaining('Not enough'),
  )
  expect((await prepareOnRollup(least - 1n)).warnings).toContain(
    'This is likely to fail: Not enough ETH to pay the network fee',
  )
})

test('param: if blocks have no base fee, sends a legacy transaction with a gas price', async () => {
  const { signed, shown } = await offer({ ...answers, eth_getBlockByNumber: {} })
  expect(signed).toMatchObject({ type: 0, gasPrice: '129' })
  expect(signed).not.toHaveProperty('accessList')
  expect(shown).toBe(`${formatUnits(21_000n * 129n, 18)} ETH`)
})

test.each([
  ['of EIP-1559', {}, 2],
  ['with a gas price', { eth_getBlockByNumber: {} }, 1],
])(
  'behavior: an access list is estimated and signed in a transaction %s',
  async (_, more, type) => {
    const accessList = [{ address: `0x${'33'.repeat(20)}`, storageKeys: [`0x${'01'.repeat(32)}`] }]
    const { signed, estimated } = await offer({ ...answers, ...more }, { accessList })
    expect(signed).toMatchObject({ type, accessList })
    expect(estimated).toMatchObject({ accessList })
  },
)

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

test('behavior: after a lost response, looks for the transaction and sends it again', async () => {
  const lost = new LatchkeyError('TIMEOUT')
  expect(await pay([lost], true)).toMatchObject({ outcome: hash, sent: 1 })
  const offline = new LatchkeyError('OFFLINE')
  expect(await pay([offline, lost, hash], false)).toEqual({ outcome: hash, sent: 3, different: 1 })
})

test('error: a transaction that no node has counts as failed', async () => {
  expect((await pay([failed('insufficient funds')], false)).outcome).toBe('RPC_FAILED')
  const offline = new LatchkeyError('OFFLINE')
  expect(await pay([offline, offline, offline], false)).toMatchObject({
    outcome: 'OFFLINE',
    sent: 3,
  })
})
