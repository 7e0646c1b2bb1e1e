import { expect, test } from 'vitest'
import { checkCalls } from '../checkCalls.ts'
import { parseCallsAnswer, readSessionCallsStatus } from './calls.ts'

const call = { to: '0x01', data: '0x', value: '0x0' }
const hash = `0x${'ab'.repeat(32)}`

test('default', () => {
  expect(() => checkCalls([{ calls: [call, { to: '0x01' }] }])).not.toThrow()
})

test.each([
  ['nothing', undefined, 'there are no calls'],
  ['no calls', [{ calls: [] }], 'there are no calls'],
  ['a to without 0x', [{ calls: [{ ...call, to: '01' }] }], 'call 0: to must begin with 0x'],
  [
    'data without 0x',
    [{ calls: [call, { ...call, data: 'ab' }] }],
    'call 1: data must begin with 0x',
  ],
  [
    'a value that is a number',
    [{ calls: [{ ...call, value: 1 }] }],
    'call 0: value must be a string',
  ],
  ['an empty call', [{ calls: [{}] }], 'call 0: to is missing'],
  ['no call at all', [{ calls: [null] }], 'call 0: to is missing'],
])('error: %s', (_, params, reason) => {
  expect(() => checkCalls(params)).toThrow(`A parameter is not valid: ${reason}`)
})

test('behavior: an answer with caip345 is kept, any other is not', () => {
  const caip345 = { caip2: 'eip155:1', transactionHashes: [hash, 1] }
  expect(parseCallsAnswer({ id: 'a', capabilities: { caip345 } }, 7)).toEqual([
    'a',
    { atMs: 7, chainId: 'eip155:1', hashes: [hash] },
  ])
  for (const answer of [null, 'a', { id: 'a' }, { id: 1, capabilities: { caip345 } }])
    expect(parseCallsAnswer(answer, 7)).toBeUndefined()
})

test.each([
  [100, [{ status: '0x1' }, null]],
  [200, [{ status: '0x1' }, { status: '0x1' }]],
  [500, [{ status: '0x0' }, { status: '0x0' }]],
  [600, [{ status: '0x1' }, { status: '0x0' }]],
])('behavior: status %i', async (status, receipts) => {
  const left = [...receipts]
  const calls = { atMs: 0, chainId: 'eip155:31337', hashes: receipts.map(() => hash) } as const
  expect(await readSessionCallsStatus({ id: 'a', calls, node: async () => left.shift() })).toEqual({
    version: '2.0.0',
    id: 'a',
    chainId: '0x7a69',
    status,
    atomic: false,
    receipts: receipts.filter((receipt) => receipt !== null),
  })
})
