import { encodeFunctionData, type Hex, maxUint160, maxUint256, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import {
  account,
  answerReads,
  createTestRequest,
  dollars,
  prepareRequest,
  simulated,
} from '../../../test/testRequest.ts'
import type { ApprovalRequest, PreparedApproval } from '../approvalRequest.ts'

const spender = '0x6666666666666666666666666666666666666666'
const token = '0x7777777777777777777777777777777777777777'
const abi = parseAbi([
  'function approve(address, uint256)',
  'function increaseAllowance(address, uint256)',
  'function increaseApproval(address, uint256)',
  'function decreaseAllowance(address, uint256)',
  'function multicall(bytes[])',
])
const permit2 = parseAbi(['function approve(address, address, uint160, uint48)'])
const approve = (amount: bigint) =>
  encodeFunctionData({ abi, args: [spender, amount], functionName: 'approve' })
const permit2Approve = (amount: bigint) =>
  encodeFunctionData({
    abi: permit2,
    functionName: 'approve',
    args: [token, spender, amount, 2_000_000_000],
  })

type Signed = { data: Hex; to: Hex; value: string }

/** A request whose signed transactions and simulated calls are kept. */
async function ask(call: object, more: Partial<ApprovalRequest> = {}) {
  const signed: Signed[] = []
  const tried: unknown[] = []
  const prepared = await prepareRequest(
    createTestRequest({
      method: 'eth_sendTransaction',
      params: [{ from: account, to: token, ...call }],
      read: answerReads(dollars),
      keys: {
        do: async (_: string, { transaction }: { transaction: Signed }) => {
          signed.push(transaction)
          return { raw: '0x02', hash: '0x1' }
        },
      } as unknown as ApprovalRequest['keys'],
      fetchSimulation: async ({ calls }) => {
        tried.push(calls[0]?.data)
        return { asked: 1, outcomes: [simulated()] }
      },
      ...more,
    }),
  )
  return { prepared, signed, tried }
}

const edit = (prepared: PreparedApproval, amount: bigint) => {
  if (!prepared.edit) throw new Error('cannot be changed')
  return prepared.edit(amount)
}

test.each<[string, (amount: bigint) => Hex, bigint]>([
  ['approve', approve, maxUint256],
  [
    'increaseAllowance',
    (amount) =>
      encodeFunctionData({ abi, functionName: 'increaseAllowance', args: [spender, amount] }),
    maxUint256,
  ],
  [
    'increaseApproval',
    (amount) =>
      encodeFunctionData({ abi, functionName: 'increaseApproval', args: [spender, amount] }),
    50_000_000n,
  ],
  ['approve of Permit2', permit2Approve, maxUint160],
])(
  'default: the amount of %s is lowered in what is shown, tried out and signed',
  async (_, encode, amount) => {
    const { prepared, signed, tried } = await ask({ data: encode(amount) })
    expect(prepared.view.editable).toEqual({
      amount: String(amount),
      max: String(amount),
      decimals: 6,
      symbol: 'USD',
    })
    const lowered = await edit(prepared, 25_000_000n)
    expect(lowered.view.title).toBe('Let someone else take 25 USD?')
    expect(lowered.view.groups[0]?.rows[0]).toEqual({ label: 'Amount', value: '25 USD' })
    expect(lowered.view.groups[0]?.rows[1]?.label).toBe('Site requested')
    expect(lowered.view.editable).toMatchObject({ amount: '25000000', max: String(amount) })
    expect(lowered.view.warnings.some(({ text }) => text.includes('no limit'))).toBe(false)
    expect(await lowered.recheck?.()).toBeUndefined()
    await lowered.approve()
    expect(signed.map(({ data, to, value }) => ({ data, to, value }))).toEqual([
      { data: encode(25_000_000n), to: token, value: '0' },
    ])
    expect(tried).toEqual([encode(amount), encode(25_000_000n), encode(25_000_000n)])
  },
)

test('behavior: can be changed up to the requested amount, and the first card signs the first amount', async () => {
  const { prepared, signed } = await ask({ data: approve(50_000_000n) })
  const lowered = await edit(prepared, 1n)
  const again = await edit(lowered, 50_000_000n)
  expect(again.view.groups[0]?.rows.map(({ label }) => label)).not.toContain('Site requested')
  await again.approve()
  await prepared.approve()
  expect(new Set(signed.map(({ data }) => data))).toEqual(new Set([approve(50_000_000n)]))
})

test('error: refuses more than the requested amount, zero, and negative amounts', async () => {
  const { prepared } = await ask({ data: approve(50_000_000n) })
  const lowered = await edit(prepared, 10n)
  for (const amount of [50_000_001n, 0n, -1n, 2n ** 256n]) {
    await expect(edit(prepared, amount)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    await expect(edit(lowered, amount)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  }
})

test('error: if the contract’s behavior changes after an edit, the request is shown again as edited', async () => {
  let isTrap = false
  const leaving = [{ token: null, id: null, amount: '-5' }]
  const { prepared, signed } = await ask(
    { data: approve(50_000_000n) },
    {
      fetchSimulation: async () => ({
        asked: 1,
        outcomes: [simulated({ changes: isTrap ? leaving : [] })],
      }),
    },
  )
  const lowered = await edit(prepared, 7_000_000n)
  isTrap = true
  const changed = await lowered.recheck?.()
  expect(changed?.view.title).toBe('Let someone else take 7 USD?')
  expect(changed?.view.editable).toMatchObject({ amount: '7000000', max: '50000000' })
  await changed?.approve()
  expect(signed[0]?.data).toBe(approve(7_000_000n))
})

test.each<[string, object]>([
  ['a call that carries value', { data: approve(5n), value: '0x1' }],
  ['an allowance that is taken back', { data: approve(0n) }],
  [
    'one that is lowered',
    { data: encodeFunctionData({ abi, functionName: 'decreaseAllowance', args: [spender, 5n] }) },
  ],
  [
    'one in a batch',
    { data: encodeFunctionData({ abi, functionName: 'multicall', args: [[approve(5n)]] }) },
  ],
  ['data with more after it', { data: `${approve(5n)}00` }],
  ['an address with bits before it', { data: approve(5n).replace('0x095ea7b300', '0x095ea7b3ff') }],
  ['a payment', { value: '0x1' }],
])('error: %s has no amount that can be changed', async (_, call) => {
  const { prepared } = await ask(call)
  expect(prepared.view.editable).toBeUndefined()
  expect(prepared.edit).toBeUndefined()
})

test('error: the amount cannot be edited if the token has no decimals or may be a collection', async () => {
  for (const decimals of [undefined, 0n]) {
    const { prepared } = await ask(
      { data: approve(5n) },
      { read: answerReads({ ...dollars, decimals }) },
    )
    expect(prepared.view.editable).toBeUndefined()
  }
})

test('error: the amount of a permit cannot be edited, because its page expects it', async () => {
  const field = (name: string, type = 'uint256') => ({ name, type })
  const { prepared } = await ask(
    {},
    {
      method: 'eth_signTypedData_v4',
      params: [
        account,
        {
          primaryType: 'Permit',
          domain: { name: 'USD', chainId: 1, verifyingContract: token },
          types: {
            EIP712Domain: [
              field('name', 'string'),
              field('chainId'),
              field('verifyingContract', 'address'),
            ],
            Permit: [
              field('owner', 'address'),
              field('spender', 'address'),
              field('value'),
              field('nonce'),
              field('deadline'),
            ],
          },
          message: { owner: account, spender, value: '5', nonce: '0', deadline: '2000000000' },
        },
      ],
    },
  )
  expect(prepared.view.title).toContain('by signature')
  expect(prepared.view.editable).toBeUndefined()
  expect(prepared.edit).toBeUndefined()
})
