import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  account,
  answerReads,
  createTestRequest,
  dollars,
  simulated,
} from '../../../test/testRequest.ts'
import type { ApprovalRequest, PreparedApproval } from '../approvalRequest.ts'
import { prepareTransaction } from '../evm/prepareTransaction.ts'
import type { SimulationResponse } from './fetchSimulation.ts'
import { simulateEvm } from './simulate.ts'

const attacker = '0x6666666666666666666666666666666666666666'
const token = '0x7777777777777777777777777777777777777777'
const ether = 10n ** 18n

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

type NodeOutcome = SimulationResponse['outcomes'][number]
type Scenario = { call?: object; more?: Partial<ApprovalRequest> }

const transfer = encodeFunctionData({
  abi: erc20Abi,
  functionName: 'transfer',
  args: [attacker, 10_000n],
})
const approve = encodeFunctionData({
  abi: erc20Abi,
  functionName: 'approve',
  args: [attacker, 10_000n],
})
const pay = { to: attacker, value: `0x${ether.toString(16)}` }

/** Prepares a call; each simulation returns the next of `answers`. */
const prepareWith = (
  answers: readonly (readonly NodeOutcome[] | Error)[],
  { call = pay, more = {} }: Scenario = {},
): Promise<PreparedApproval> => {
  let at = 0
  return prepareTransaction(
    createTestRequest({
      method: 'eth_sendTransaction',
      params: [{ from: account, ...call }],
      read: answerReads(dollars),
      keys: { do: () => Promise.reject(new Error('Nothing is signed here')) },
      fetchSimulation: async () => {
        const outcomes = answers[Math.min(at++, answers.length - 1)] ?? []
        if (outcomes instanceof Error) throw outcomes
        return { asked: Math.max(outcomes.length, 1), outcomes: [...outcomes] }
      },
      ...more,
    }),
  )
}
const change = (amount: bigint, of: Hex | null = null, id: string | null = null) => ({
  token: of,
  id,
  amount: String(amount),
})
const allowance = (more: object = {}) => ({
  token: token as Hex,
  spender: attacker as Hex,
  amount: '10000',
  id: null,
  via: null,
  ...more,
})
const texts = ({ view }: PreparedApproval, level = 'danger') =>
  view.warnings.flatMap((one) => (one.level === level ? one.text : []))
const paid = simulated({ changes: [change(-ether)] })

test('default: if nothing else happens, a row states that and no group follows', async () => {
  const { view } = await prepareWith([[paid]])
  expect(view.groups.map(({ label }) => label)).toEqual(['Leaves your wallet'])
  expect(view.place[0]).toEqual({
    label: 'Simulated',
    value: 'No other changes found',
  })
  const both = await prepareWith([[paid, paid]])
  expect(both.view.place[0]?.value).toContain('Two nodes agree')
})

test('default: lists what a call that cannot be decoded takes and brings', async () => {
  const swap = { to: attacker, value: '0x0', data: '0x12345678' }
  const outcome = simulated({
    changes: [change(-2_000_000n, token), change(ether), change(1n, token, '7')],
  })
  const prepared = await prepareWith([[outcome]], { call: swap })
  expect(prepared.view.groups.at(-1)).toMatchObject({
    label: 'What our server expects to happen',
    rows: [
      { label: 'Leaves', value: '2 USD' },
      { label: 'Token', address: token, isNew: true },
      { label: 'Arrives', value: '1 ETH' },
      { label: 'Arrives', value: 'Item 7 of USD' },
      { label: 'Token', address: token },
    ],
  })
  expect(texts(prepared).join()).toContain('could not be read')
})

test('simulation: no answer of a node removes a warning or makes the card milder', async () => {
  const calls = [
    pay,
    { to: token, value: '0x1', data: transfer },
    { to: token, data: approve },
    { to: attacker, data: '0x12345678' },
    { data: '0x6000' },
  ]
  const lies: (readonly NodeOutcome[] | Error)[] = [
    [],
    new Error('offline'),
    [simulated()],
    [simulated({ changes: [change(ether), change(10n ** 30n, token)] })],
    [{ status: 'failed', reason: 'no' }],
    [simulated({ isComplete: false })],
    [paid, simulated()],
  ]
  for (const call of calls) {
    const honest = await prepareWith([[]], { call })
    const kept = honest.view.warnings.filter(({ text }) => !text.includes('simulated'))
    for (const lie of lies) {
      const { view } = await prepareWith([lie], { call })
      expect(view.warnings).toEqual(expect.arrayContaining(kept))
      expect(view.title).toBe(honest.view.title)
      expect(view.groups.slice(0, honest.view.groups.length)).toEqual(honest.view.groups)
    }
  }
})

test('simulation: simulated outflows and allowances that the bytes do not contain are a danger', async () => {
  const stolen = await prepareWith([
    [simulated({ changes: [change(-ether), change(-5_000_000n, token)] })],
  ])
  expect(texts(stolen)).toContain('It would take more than it says: 5 USD.')
  const more = await prepareWith([[simulated({ changes: [change(-2n * ether)] })]])
  expect(texts(more)).toContain('It would take more than it says: 2 ETH.')
  const allowed = await prepareWith([
    [simulated({ changes: [change(-ether)], allowances: [allowance()] })],
  ])
  expect(texts(allowed)).toContain(
    'It would let someone else take 0.01 USD, at any time, and does not say so.',
  )
  const every = await prepareWith([
    [simulated({ changes: [change(-ether)], allowances: [allowance({ amount: null })] })],
  ])
  expect(texts(every).join()).toContain('let someone else take all items of USD')
})

test('simulation: warns about a simulated allowance unless the bytes name it with at least this amount', async () => {
  const call = { to: token, data: approve }
  const asked = await prepareWith([[simulated({ allowances: [allowance()] })]], { call })
  expect(texts(asked)).toEqual([])
  for (const other of [{ amount: '10001' }, { spender: account }, { via: attacker }]) {
    const grown = await prepareWith([[simulated({ allowances: [allowance(other)] })]], { call })
    expect(texts(grown).join()).toContain('and does not say so')
  }
})

test('simulation: if a contract changes before the approval, it is reviewed again and nothing is signed', async () => {
  const before = simulated({ changes: [change(-ether), change(10n ** 9n, token)] })
  const worse: readonly (readonly NodeOutcome[] | Error)[] = [
    [simulated({ changes: [change(-ether)] })],
    [simulated({ changes: [change(-ether), change(9n * 10n ** 8n, token)] })],
    [simulated({ changes: [change(-ether), change(10n ** 9n, token), change(-1n, token, '4')] })],
    [
      simulated({
        changes: [change(-ether), change(10n ** 9n, token)],
        allowances: [allowance()],
      }),
    ],
    [{ status: 'failed', reason: 'closed' }],
    new Error('offline'),
  ]
  for (const now of worse) {
    const prepared = await prepareWith([[before], now])
    const changed = await prepared.recheck?.()
    expect(changed?.view.warnings[0]).toMatchObject({
      level: 'danger',
      text: expect.stringContaining('expected result has changed'),
    })
  }
  const drifted = simulated({ changes: [change(-ether), change(10n ** 9n - 10n ** 6n, token)] })
  const same = await prepareWith([[before], [drifted]])
  expect(await same.recheck?.()).toBeUndefined()
})

test('simulation: after a change was shown, the next check compares with that view', async () => {
  const prepared = await prepareWith([[paid], [simulated({ changes: [change(-2n * ether)] })]])
  const changed = await prepared.recheck?.()
  expect(changed).toBeDefined()
  expect(await changed?.recheck?.()).toBeUndefined()
})

test('hostile RPC: two nodes that disagree are named, and the worse of both is shown', async () => {
  const swap = { call: { to: attacker, data: '0x12345678' } }
  const good = simulated({ changes: [change(ether)] })
  const bad = simulated({ changes: [change(-5_000_000n, token)], allowances: [allowance()] })
  for (const pair of [
    [good, bad],
    [bad, good],
  ]) {
    const prepared = await prepareWith([pair], swap)
    expect(texts(prepared)[0]).toContain('could not be read')
    expect(texts(prepared)).toContain(
      'Two nodes of this network disagree. The worse result is shown.',
    )
    const rows = prepared.view.groups.at(-1)?.rows
    expect(rows).toContainEqual({ label: 'Leaves', value: '5 USD' })
    expect(rows?.map(({ label }) => label)).not.toContain('Arrives')
    expect(texts(prepared).join()).toContain('let someone else take 0.01 USD')
  }
  const failing = await prepareWith([[good, { status: 'failed', reason: 'no' }]], swap)
  expect(texts(failing).join()).toContain('Two nodes of this network disagree')
  expect(texts(failing)).toContain('This is likely to fail: no')
})

test('hostile RPC: prices that differ by less than a hundredth are no disagreement', async () => {
  const said = (amount: bigint) => simulated({ changes: [change(amount, token)] })
  const merge = (...outcomes: NodeOutcome[]) => {
    const fetchSimulation = async () => ({ asked: 2, outcomes })
    const { chain, accounts } = createTestRequest({
      method: 'eth_sendTransaction',
      params: [],
      read: answerReads(dollars),
      keys: { do: () => Promise.reject(new Error('Nothing is signed here')) },
    })
    return simulateEvm({ chain, accounts, fetchSimulation }, { calls: [] })
  }
  expect(await merge(said(1_000n), said(995n))).toMatchObject({
    doNodesDisagree: false,
    changes: [{ amount: 995n }],
  })
  expect((await merge(said(1_000n), said(900n))).doNodesDisagree).toBe(true)
  expect((await merge(said(-1_000n), said(-1_001n))).doNodesDisagree).toBe(true)
})

test('hostile RPC: a node that is silent is named, and none at all after three seconds is a caution', async () => {
  const half = await prepareWith([[paid]], {
    more: { fetchSimulation: async () => ({ asked: 2, outcomes: [paid] }) },
  })
  expect(texts(half, 'caution')).toContain('Only one of two nodes could simulate this.')
  const waiting = prepareWith([], { more: { fetchSimulation: () => new Promise(() => {}) } })
  await vi.advanceTimersByTimeAsync(3_000)
  const silent = await waiting
  expect(texts(silent, 'caution')).toContain(
    'It could not be simulated. What else it does is unknown.',
  )
  expect(silent.view.blocked).toBeUndefined()
})

test('lying page: simulates exactly what is signed, even if the page sends other fields', async () => {
  const tried: unknown[] = []
  await prepareWith([], {
    call: { ...pay, gas: '0x1', gasPrice: '0x1', nonce: '0x9', rpcUrl: 'https://evil.example' },
    more: {
      fetchSimulation: async (given) => {
        tried.push(given)
        return { asked: 1, outcomes: [paid] }
      },
    },
  })
  expect(tried).toEqual([
    {
      chainId: 'eip155:1',
      from: account,
      calls: [{ to: attacker, value: pay.value, data: '0x' }],
      fees: { gas: '0x1', gasPrice: '0x2' },
    },
  ])
})

test('error: a reason that a contract chose cannot draw lines or hide letters', async () => {
  const prepared = await prepareWith([[{ status: 'failed', reason: 'all\nis\u202e fine' }]])
  expect(texts(prepared).join()).not.toMatch(/[\n\u202e]/)
})
