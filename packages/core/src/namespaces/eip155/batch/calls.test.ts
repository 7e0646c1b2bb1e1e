import { LatchkeyError } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { evmCalls } from './calls.ts'

const address = `0x${'11'.repeat(20)}`
const hash = `0x${'ab'.repeat(32)}`
const chainId = 'eip155:31337'

/** A wallet with this result, and the requests that it received. */
function wallet(answer: unknown) {
  const asked: unknown[] = []
  const request = async (method: string, params?: unknown) => {
    asked.push([method, params])
    if (answer instanceof Error) throw answer
    return answer
  }
  return {
    asked,
    question: { wallet: request, address, chainId, approvedMethods: undefined } as const,
  }
}

test('default: a batch goes to any wallet in one form, and both forms of answers are understood', async () => {
  const { asked, question } = wallet({ id: 'x' })
  const list = [
    { to: address, value: 5n },
    { to: address, data: '0x1234' },
  ]
  expect(await evmCalls.send({ ...question, calls: list, isAtomic: true })).toBe('x')
  expect(asked).toEqual([
    [
      'wallet_sendCalls',
      [
        {
          version: '2.0.0',
          chainId: '0x7a69',
          from: address,
          atomicRequired: true,
          calls: [
            { to: address, data: '0x', value: '0x5' },
            { to: address, data: '0x1234', value: '0x0' },
          ],
        },
      ],
    ],
  ])
  expect(await evmCalls.send({ ...wallet('0xold').question, calls: list })).toBe('0xold')
})

test.each([
  [100, 'pending'],
  [200, 'confirmed'],
  [400, 'failed'],
  [500, 'failed'],
  [600, 'partial'],
  ['PENDING', 'pending'],
  ['CONFIRMED', 'confirmed'],
  ['200', 'confirmed'],
  ['100', 'pending'],
  ['0xc8', 'confirmed'],
  ['0x1F4', 'failed'],
  ['600', 'partial'],
  ['confirmed', 'confirmed'],
  ['FAILED', 'failed'],
  ['success', 'confirmed'],
  ['Success', 'confirmed'],
  ['SUCCEEDED', 'confirmed'],
  ['completed', 'confirmed'],
  ['COMPLETE', 'confirmed'],
  ['failure', 'failed'],
  ['Reverted', 'failed'],
  ['rejected', 'failed'],
  ['CANCELLED', 'failed'],
  ['in_progress', 'pending'],
  ['Submitted', 'pending'],
  ['PARTIALLY_REVERTED', 'partial'],
  [' 200 ', 'confirmed'],
] as const)('default: the status %s is %s', async (status, expected) => {
  const { question } = wallet({ status, atomic: true, receipts: [{ transactionHash: hash }] })
  expect(await evmCalls.getStatus({ ...question, id: 'x' })).toEqual({
    status: expected,
    isAtomic: true,
    hashes: [hash],
  })
})

test.each([
  ['0x1', 'confirmed'],
  ['0x01', 'confirmed'],
  [1, 'confirmed'],
  ['1', 'confirmed'],
  [true, 'confirmed'],
  ['success', 'confirmed'],
  ['SUCCESS', 'confirmed'],
  [null, 'confirmed'],
  ['', 'confirmed'],
  ['0x0', 'failed'],
  ['0x00', 'failed'],
  [0, 'failed'],
  ['0', 'failed'],
  [false, 'failed'],
  ['reverted', 'failed'],
  ['FAILED', 'failed'],
  ['unsure', 'refused'],
  ['0x2', 'refused'],
  [-1, 'refused'],
  [{}, 'refused'],
] as const)(
  'default: a receipt of a confirmed batch with the status %j is %s',
  async (status, expected) => {
    const answer = { status: 200, receipts: [{ transactionHash: hash, status }] }
    const found = evmCalls.getStatus({ ...wallet(answer).question, id: 'x' }).then(
      (batch) => batch.status,
      () => 'refused',
    )
    expect(await found).toBe(expected)
  },
)

test.each([
  '',
  'done?',
  'unsuccessful',
  'not confirmed',
  'constructor',
  '2e2x',
  '-200',
  0,
  1,
  '0x',
  true,
  {},
])('error: the status %j is refused, because nobody can say what it means', async (status) => {
  const { question } = wallet({ status, receipts: [{ transactionHash: hash }] })
  await expect(evmCalls.getStatus({ ...question, id: 'x' })).rejects.toMatchObject({
    code: 'WALLET_ANSWER_INVALID',
  })
})

test.each([
  [{ atomic: 'supported' }, 'supported', false],
  [{ atomic: 'Supported' }, 'supported', false],
  [{ atomic: { status: 'SUPPORTED' } }, 'supported', false],
  [{ atomic: true }, 'supported', false],
  [{ atomic: 'true' }, 'supported', false],
  [{ atomic: { supported: true } }, 'supported', false],
  [{ atomic: { supported: 'true' } }, 'supported', false],
  [{ atomic: 'ready' }, 'ready', false],
  [{ atomicBatch: true }, 'supported', false],
  [{ atomicBatch: { supported: true } }, 'supported', false],
  [{ atomic: false, atomicBatch: true }, 'unsupported', false],
  [{ atomic: 'unsupported' }, 'unsupported', false],
  [{ atomic: 'maybe' }, 'unsupported', false],
  [{ atomic: 'not supported' }, 'unsupported', false],
  [{ atomic: [], atomicBatch: 'yes' }, 'unsupported', false],
  [{ atomic: null, sponsorship: true }, 'unsupported', true],
  [{ sponsorship: { supported: 'supported' } }, 'unsupported', true],
  [{ sponsorship: false }, 'unsupported', false],
  [{ paymasterService: true, atomic: true }, 'supported', false],
] as const)('default: the capabilities %j', async (own, atomic, isSponsored) => {
  const found = await evmCalls.getCapabilities(wallet({ '0x7a69': own }).question)
  expect(found).toEqual({ atomic, isSponsored })
})

test('default: what a wallet does not say, it cannot do', async () => {
  const ask = (answer: unknown) => evmCalls.getCapabilities(wallet(answer).question)
  const none = { atomic: 'unsupported', isSponsored: false }
  expect(await ask({ '0x7a69': { atomic: { status: 'ready' } } })).toEqual({
    atomic: 'ready',
    isSponsored: false,
  })
  expect(await ask({ '0x7a69': { sponsorship: { supported: true } } })).toEqual({
    atomic: 'unsupported',
    isSponsored: true,
  })
  const elsewhere = { atomic: { status: 'supported' }, sponsorship: { supported: true } }
  expect(await ask({ '0x1': elsewhere })).toEqual(none)
  expect(await ask('nonsense')).toEqual(none)
  const unknown = new LatchkeyError('UNSUPPORTED_METHOD', { data: { method: 'x' } })
  expect(await ask(unknown)).toEqual(none)
})

test('default: an entry for all chains applies, and the entry of the chain comes before it', async () => {
  const ask = (answer: unknown, chain = chainId) =>
    evmCalls.getCapabilities({ ...wallet(answer).question, chainId: chain as typeof chainId })
  const supported = { atomic: { status: 'supported' } }
  const paid = { sponsorship: { supported: true } }
  const both = { atomic: 'supported', isSponsored: true }
  expect(await ask({ '0x0': supported, '0x7a69': paid })).toEqual(both)
  expect(await ask({ '0x7a69': paid, '0x00': supported })).toEqual(both)
  expect(await ask({ '0x0': supported, '0x7a69': { atomic: { status: 'unsupported' } } })).toEqual({
    atomic: 'unsupported',
    isSponsored: false,
  })
  for (const key of ['0x7A69', '0X7a69', '0x07a69', '31337', 'eip155:31337'])
    expect(await ask({ [key]: { ...supported, ...paid } })).toEqual(both)
  expect(await ask({ '0xA': { ...supported, ...paid } }, 'eip155:10')).toEqual(both)
})

test('behavior: a malformed entry does not hide others, and names of the first version count', async () => {
  const ask = async (own: unknown, others: object = {}) =>
    (await evmCalls.getCapabilities(wallet({ ...others, '0x7a69': own }).question)).atomic
  const others = { '0x1': null, '0x2': 'x', '0x5': { atomic: 7 } }
  expect(await ask({ atomic: { status: 'ready' } }, others)).toBe('ready')
  expect(await ask({ atomic: { status: 'Ready' }, sponsorship: 'yes' })).toBe('ready')
  expect(await ask({ atomicBatch: { supported: true } })).toBe('supported')
  expect(await ask({ atomicBatch: { supported: false } })).toBe('unsupported')
  expect(await ask({ atomic: { status: 'later' }, atomicBatch: { supported: true } })).toBe(
    'supported',
  )
  expect(await ask({ atomic: { status: 'unsupported' }, atomicBatch: { supported: true } })).toBe(
    'unsupported',
  )
})

test('behavior: receipts may have no hash or status; a failed receipt makes the batch failed', async () => {
  const ask = (answer: object) => evmCalls.getStatus({ ...wallet(answer).question, id: 'x' })
  const receipts = [{}, { transactionHash: hash }, { transactionHash: '0x', status: 1 }, null]
  expect(await ask({ status: 200, atomic: null, chainId: 31337, receipts })).toEqual({
    status: 'confirmed',
    isAtomic: false,
    hashes: [hash],
    chainId,
  })
  for (const status of ['0x0', 0, '0'])
    expect(await ask({ status: 'CONFIRMED', receipts: [{ status }] })).toMatchObject({
      status: 'failed',
    })
  expect(await ask({ status: '100', receipts: null })).toMatchObject({ status: 'pending' })
})

test('error: batched calls: no call that is not one, none too many, and only approved methods', async () => {
  const { asked, question } = wallet({ id: 'x' })
  const send = (call: object) =>
    evmCalls.send({ ...question, calls: [call as { to: string }] }).catch((error) => error.message)
  for (const [call, field] of [
    [{ to: address.slice(2) }, 'to'],
    [{ to: 'alice.eth' }, 'to'],
    [{ to: address, data: '1234' }, 'data'],
    [{ to: address, data: '0x123' }, 'data'],
    [{ to: address, value: -1n }, 'value'],
    [{ to: address, value: 1n << 256n }, 'value'],
  ] as const)
    expect(await send(call)).toContain(`calls[0].${field}`)
  const many = Array.from({ length: 101 }, () => ({ to: address }))
  await expect(evmCalls.send({ ...question, calls: many })).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
  })
  await expect(evmCalls.send({ ...question, calls: [] })).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
  })
  const limited = { ...question, approvedMethods: ['personal_sign'] }
  await expect(evmCalls.send({ ...limited, calls: [{ to: address }] })).rejects.toMatchObject({
    code: 'UNSUPPORTED_METHOD',
  })
  await expect(evmCalls.getStatus({ ...limited, id: 'x' })).rejects.toMatchObject({
    code: 'CALL_STATUS_NOT_APPROVED',
  })
  expect(await evmCalls.getCapabilities(limited)).toEqual({
    atomic: 'unsupported',
    isSponsored: false,
  })
  expect(asked).toEqual([])
  await expect(
    evmCalls.getStatus({ ...wallet({ status: 'done' }).question, id: 'x' }),
  ).rejects.toMatchObject({ code: 'WALLET_ANSWER_INVALID' })
})
