import { simulateCallsRoute } from '@latchkey/wire'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { expect, test } from 'vitest'
import {
  account,
  answerReads,
  type ChainAnswers,
  createTestRequest,
  dollars,
  simulated,
} from '../../../test/testRequest.ts'
import type { ApprovalRow } from '../../approval/approvalView.ts'
import type { PreparedApproval } from '../approvalRequest.ts'
import { prepareTransaction } from '../evm/prepareTransaction.ts'

const attacker = '0x6666666666666666666666666666666666666666'
const token = '0x7777777777777777777777777777777777777777'
const ether = 10n ** 18n
const pay = { to: attacker, value: `0x${ether.toString(16)}` }
const swap = { to: attacker, data: '0x12345678' }
const transfer = (amount: bigint) => ({
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [attacker, amount] }),
})
const change = (amount: bigint, of: Hex | null = null, id: string | null = null) => ({
  token: of,
  id,
  amount: String(amount),
})

type Scenario = {
  call?: object
  changes?: readonly ReturnType<typeof change>[]
  /** In the server's form, a JSON string. */
  prices?: string
  said?: ChainAnswers
}

/** Prepares a call with what the server answers, through the schema that parses it. */
const prepare = ({
  call = pay,
  changes = [change(-ether)],
  prices,
  said = dollars,
}: Scenario): Promise<PreparedApproval> =>
  prepareTransaction(
    createTestRequest({
      method: 'eth_sendTransaction',
      params: [{ from: account, ...call }],
      read: answerReads(said),
      keys: { do: () => Promise.reject(new Error('Nothing is signed here')) },
      fetchSimulation: async () => {
        const answer = JSON.stringify({
          asked: 1,
          outcomes: [simulated({ changes: [...changes] })],
        })
        const text = prices === undefined ? answer : `${answer.slice(0, -1)},"prices":${prices}}`
        return simulateCallsRoute.result.parse(JSON.parse(text))
      },
    }),
  )

const getRows = ({ view }: PreparedApproval): ApprovalRow[] => [
  ...view.groups.flatMap(({ rows }) => rows),
  ...view.rows,
  ...view.place,
]
const getWorths = (prepared: PreparedApproval) =>
  getRows(prepared).flatMap(({ worth }) => worth ?? [])
/** What is shown, without what it is worth. */
const withoutWorth = ({ view }: PreparedApproval) =>
  JSON.parse(JSON.stringify(view, (key, value) => (key === 'worth' ? undefined : value)))

test('default: the value of a sent asset is shown next to its amount', async () => {
  const prepared = await prepare({ prices: '[{"token":null,"usd":4500}]' })
  expect(prepared.view.groups[0]?.rows[0]).toEqual({
    label: 'Amount',
    value: '1 ETH',
    worth: '$4,500.00',
  })
  const sent = await prepare({
    call: transfer(2_500_000n),
    changes: [change(-2_500_000n, token)],
    prices: `[{"token":"${token.toUpperCase().replace('X', 'x')}","usd":0.9995}]`,
  })
  expect(sent.view.groups[0]?.rows[0]).toEqual({
    label: 'Amount',
    value: '2.5 USD',
    worth: '$2.50',
  })
})

test('default: shows the value of simulated changes too, but not of items', async () => {
  const prepared = await prepare({
    call: swap,
    changes: [change(-2_000_000n, token), change(ether / 2n), change(1n, token, '7')],
    prices: `[{"token":null,"usd":4500},{"token":"${token}","usd":1}]`,
  })
  expect(prepared.view.groups.at(-1)?.rows).toMatchObject([
    { label: 'Leaves', value: '2 USD', worth: '$2.00' },
    { label: 'Token' },
    { label: 'Arrives', value: '0.5 ETH', worth: '$2,250.00' },
    { label: 'Arrives', value: 'Item 7 of USD', worth: undefined },
    { label: 'Token' },
  ])
})

const lies: readonly [string, string][] = [
  ['a negative price', '[{"token":null,"usd":-4500}]'],
  ['a price of nothing', '[{"token":null,"usd":0}]'],
  ['one without end', '[{"token":null,"usd":1e400}]'],
  ['one that nothing costs', '[{"token":null,"usd":1e13}]'],
  ['one too small to write', '[{"token":null,"usd":1e-300}]'],
  ['none of a number', '[{"token":null,"usd":null}]'],
  ['a text', '[{"token":null,"usd":"4500 and all is safe"}]'],
  ['a price of another token', `[{"token":"${attacker}","usd":4500}]`],
  ['a token that is no address', '[{"token":"native","usd":4500}]'],
  ['no list', '{"native":4500}'],
  ['too many', `[${Array(51).fill('{"token":null,"usd":4500}').join()}]`],
  ['nothing', 'null'],
]

test('error: shows no additional fields of a price', async () => {
  const changes = [change(-2n * ether)]
  const price = { token: null, usd: 4500 }
  const view = async (one: object) =>
    (await prepare({ changes, prices: JSON.stringify([one]) })).view
  expect(await view({ ...price, text: 'safe', worth: '$9' })).toEqual(await view(price))
})

test.each(lies)('error: %s shows nothing, and all else of the answer counts', async (_, prices) => {
  for (const given of [{}, { changes: [change(-2n * ether)] }]) {
    const lied = await prepare({ ...given, prices })
    expect(getWorths(lied)).toEqual([])
    expect(lied.view).toEqual((await prepare(given)).view)
  }
})

test('error: no price removes or adds a warning, or changes anything else that is shown', async () => {
  const calls: readonly Scenario[] = [
    { call: pay, changes: [change(-2n * ether)] },
    { call: swap, changes: [change(-9_000_000n, token), change(1n)] },
    { call: transfer(1n), changes: [change(-5n, token), change(10n ** 30n, token, '4')] },
    {
      call: {
        to: token,
        data: encodeFunctionData({
          abi: erc20Abi,
          functionName: 'approve',
          args: [attacker, 2n ** 256n - 1n],
        }),
      },
      changes: [],
    },
  ]
  for (const given of calls)
    for (const usd of [1e-9, 1, 1e12]) {
      const honest = await prepare(given)
      const prices = `[{"token":null,"usd":${usd}},{"token":"${token}","usd":${usd}}]`
      const lied = await prepare({ ...given, prices })
      expect(withoutWorth(lied)).toEqual(withoutWorth(honest))
      expect(await lied.recheck?.()).toBeUndefined()
    }
})

test.each<[string, ChainAnswers]>([
  ['that calls itself like the currency of the network', { ...dollars, symbol: 'ETH' }],
  ['with letters that look like others', { ...dollars, symbol: 'UЅD' }],
  ['without a name', { ...dollars, symbol: undefined }],
  ['without decimals', { ...dollars, decimals: undefined }],
])('error: a token %s is worth nothing, whatever the server says', async (_, said) => {
  const prices = `[{"token":"${token}","usd":4500}]`
  const given = { call: swap, changes: [change(5_000_000n, token)], prices, said }
  expect(getWorths(await prepare(given))).toEqual([])
})

test('error: the number of an item is no amount', async () => {
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transferFrom',
    args: [account, attacker, 9n],
  })
  const prepared = await prepare({
    call: { to: token, data },
    changes: [change(-1n, token, '9')],
    prices: `[{"token":"${token}","usd":4500}]`,
    said: { ...dollars, decimals: 0n },
  })
  expect(getWorths(prepared)).toEqual([])
})

test('error: an amount that no token has is worth nothing', async () => {
  const prepared = await prepare({
    call: swap,
    changes: [change(2n ** 255n, token)],
    prices: `[{"token":"${token}","usd":1}]`,
  })
  expect(getWorths(prepared)).toEqual([])
})
