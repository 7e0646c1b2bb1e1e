import { encodeBase58 } from '@latchkey/wire'
import { AccountRole, type Address, createNoopSigner, type Instruction } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import {
  getApproveCheckedInstruction,
  getBurnCheckedInstruction,
  getTransferCheckedInstruction,
  getTransferInstruction,
} from '@solana-program/token'
import { expect, test } from 'vitest'
import {
  answerSolana,
  buildTransaction,
  claiming,
  createSolanaRequest,
  mintData,
  type Node,
  other,
  own,
  tokenAccountData,
} from '../../../test/solanaRequest.ts'
import { prepareRequest } from '../../../test/testRequest.ts'
import type { ApprovalRow } from '../../approval/approvalView.ts'
import type { PreparedApproval } from '../approvalRequest.ts'
import { programs } from './programs.ts'

const me = createNoopSigner(own)
const key = (byte: number) => encodeBase58(new Uint8Array(32).fill(byte)) as Address
const [mint, source, attackersMint] = [key(50), key(51), key(52)]
const sol = 1_000_000_000n
const pay = (amount = sol) => getTransferSolInstruction({ source: me, destination: other, amount })
const named = { source, mint, destination: key(63), authority: me }
const send = (amount: bigint, decimals = 6) =>
  getTransferCheckedInstruction({ ...named, amount, decimals })

const mintState = (decimals: number) => ({ owner: programs.token, data: mintData(decimals) })
const holding = (of: string, amount: bigint) => ({
  owner: programs.token,
  data: tokenAccountData({ mint: of, owner: own, amount }),
})
const accounts = {
  [own]: { owner: programs.system, lamports: 9_000_000_000 },
  [mint]: mintState(6),
  [source]: holding(mint, 9_000_000n),
}
const dollar = JSON.stringify([{ address: mint, name: 'Dollar', symbol: 'USD' }])
const costs = (usd: number | string, native: number | string = usd) =>
  `[{"token":null,"usd":${native}},{"token":"${mint}","usd":${usd}}]`

type Scenario = {
  several?: readonly (readonly Instruction[])[]
  /** In the server's form, JSON strings. */
  tokens?: string
  prices?: string
  node?: Node
}

/**
 * Prepares transactions with a server's claims about tokens, through the schema that parses them.
 */
function prepare(
  instructions: readonly Instruction[],
  { several, tokens = dollar, prices, node = { accounts } }: Scenario = {},
): Promise<PreparedApproval> {
  const said = `{"tokens":${tokens}${prices === undefined ? '' : `,"prices":${prices}`}}`
  const more = { read: answerSolana(node), fetchTokenClaims: claiming(said) }
  const all = (several ?? [instructions]).map((one) => buildTransaction(one))
  return prepareRequest(
    several
      ? createSolanaRequest('solana_signAllTransactions', { transactions: all }, more)
      : createSolanaRequest('solana_signTransaction', { transaction: all[0] }, more),
  )
}

const getRows = ({ view }: PreparedApproval): ApprovalRow[] =>
  [view, ...(view.transactions ?? [])]
    .flatMap(({ groups, rows }) => [...groups.flatMap((group) => group.rows), ...rows])
    .concat(view.place)
const getWorths = (prepared: PreparedApproval) =>
  getRows(prepared).flatMap(({ worth }) => worth ?? [])
/** What is shown, without what it is worth. */
const withoutWorth = ({ view }: PreparedApproval) =>
  JSON.parse(JSON.stringify(view, (name, value) => (name === 'worth' ? undefined : value)))

test('default: the value of sent and burned assets is shown next to their amounts', async () => {
  const paid = await prepare([pay(sol / 2n), send(2_500_000n)], { prices: costs(0.9995, 150) })
  expect(paid.view.groups.map(({ rows }) => rows[0])).toMatchObject([
    { label: 'Amount', value: '0.5 SOL', worth: '$75.00' },
    { label: 'Amount', value: expect.stringMatching(/^2.5 /), worth: '$2.50' },
    {},
  ])
  const burnt = getBurnCheckedInstruction({
    ...{ account: source, mint, authority: me },
    ...{ amount: 3_000_000n, decimals: 6 },
  })
  expect(getWorths(await prepare([burnt], { prices: costs(1) }))).toEqual(['$3.00'])
})

test('default: shows the value of simulated changes too, and of several transactions together', async () => {
  const after = {
    [own]: { owner: programs.system, lamports: 7_000_000_000 },
    [source]: holding(mint, 10_500_000n),
  }
  const node = { accounts, after }
  // Its accounts are read, though not its mint, which only the simulation names.
  const swap: Instruction = {
    programAddress: key(55),
    accounts: [
      { address: own, role: AccountRole.WRITABLE_SIGNER },
      { address: source, role: AccountRole.WRITABLE },
    ],
    data: Uint8Array.of(1),
  }
  const expected = await prepare([swap], { prices: costs(1, 150), node })
  expect(expected.view.groups.at(-1)?.rows).toMatchObject([
    { label: 'Leaves', value: '2 SOL', worth: '$300.00' },
    { label: 'Arrives', value: expect.stringMatching(/^1.5 /), worth: '$1.50' },
  ])
  const both = await prepare([], { prices: costs(1, 150), node, several: [[pay()], [pay()]] })
  expect(both.view.groups.map(({ rows }) => rows[0]?.worth)).toEqual(['$300.00', '$600.00'])
})

const lies: readonly [string, string][] = [
  ['a negative price', costs(-150)],
  ['a price of nothing', costs(0)],
  ['one without end', costs('1e400')],
  ['one that nothing costs', costs(1e13)],
  ['one too small to write', costs('1e-300')],
  ['none of a number', costs('null')],
  ['a text', costs('"150 and all is safe"')],
  ['a price of another token', `[{"token":"${attackersMint}","usd":150}]`],
  ['the name of no token', '[{"token":"lamports","usd":150},{"token":"","usd":150}]'],
  ['no list', '{"native":150}'],
  ['too many', `[${Array(102).fill('{"token":null,"usd":150}').join()}]`],
  ['nothing', 'null'],
]

test.each(lies)('error: %s shows nothing, and all else of the answer counts', async (_, prices) => {
  const lied = await prepare([pay(), send(1n)], { prices })
  expect(getWorths(lied)).toEqual([])
  const honest = await prepare([pay(), send(1n)])
  expect(lied.view).toEqual(honest.view)
  expect(getRows(lied)).toContainEqual({ label: expect.any(String), value: '“Dollar (USD)”' })
})

test('error: shows no additional fields of a price', async () => {
  const price = { token: null, usd: 150 }
  const view = async (one: object) =>
    (await prepare([pay()], { prices: JSON.stringify([one]) })).view
  expect(await view({ ...price, text: 'safe', worth: '$9' })).toEqual(await view(price))
})

test('error: no price removes or adds a warning, or changes anything else that is shown', async () => {
  const after = { [own]: { owner: programs.system, lamports: 1 }, [source]: holding(mint, 1n) }
  const node = { accounts, after }
  const given: readonly Scenario[] = [
    { several: [[pay(5n)]] },
    { several: [[pay(), send(1_000_000n)], [send(3_000_000n)]] },
    { several: [[pay()], [send(2n ** 64n - 1n)]] },
  ]
  for (const one of given)
    for (const usd of [1e-9, 1, 1e12]) {
      const honest = await prepare([], { ...one, node })
      const lied = await prepare([], { ...one, node, prices: costs(usd) })
      expect(withoutWorth(lied)).toEqual(withoutWorth(honest))
      expect(await lied.recheck?.()).toBeUndefined()
    }
})

test('error: a price that changes while people read is no reason to ask again', async () => {
  let usd = 0
  const request = createSolanaRequest(
    'solana_signTransaction',
    { transaction: buildTransaction([pay(), send(1_000_000n)]) },
    {
      read: answerSolana({ accounts }),
      fetchTokenClaims: async (...asked) => {
        usd += 150
        return claiming(`{"tokens":${dollar},"prices":${costs(usd)}}`)(...asked)
      },
    },
  )
  const prepared = await prepareRequest(request)
  expect(getWorths(prepared)).toEqual(['$150.00', '$150.00'])
  expect(await prepared.recheck?.()).toBeUndefined()
  expect(usd).toBe(300)
})

const mistrusted: readonly [string, readonly Instruction[], Scenario][] = [
  ['without a name', [send(1_000_000n)], { tokens: '[]' }],
  [
    'that the bytes do not name',
    [getTransferInstruction({ source, destination: key(63), authority: me, amount: 1_000_000n })],
    { node: { accounts, after: { [source]: holding(mint, 8_000_000n) } } },
  ],
  ['whose mint does not tell its decimals', [send(1_000_000n)], { node: {} }],
  ['with other decimals than its mint', [send(1_000_000n, 1)], {}],
  [
    'without decimals, which may be an item',
    [send(1n, 0)],
    { node: { accounts: { ...accounts, [mint]: mintState(0) } } },
  ],
  ['of which there is no such amount', [send(2n ** 64n - 1n)], {}],
]

test.each(mistrusted)('error: a token %s is worth nothing', async (_, instructions, given) => {
  expect(getWorths(await prepare(instructions, { ...given, prices: costs(1) }))).toEqual([])
})

test('error: an allowance is worth nothing', async () => {
  const allow = getApproveCheckedInstruction({
    ...{ source, mint, delegate: other, owner: me },
    ...{ amount: 1_000_000n, decimals: 6 },
  })
  expect(getWorths(await prepare([allow], { prices: costs(1) }))).toEqual([])
})

test('error: a token that calls itself like another has no other’s price', async () => {
  const [transfer] = [
    getTransferCheckedInstruction({ ...named, mint: attackersMint, amount: 5n, decimals: 6 }),
  ]
  const tokens = JSON.stringify([{ address: attackersMint, name: 'Dollar', symbol: 'USD' }])
  const node = { accounts: { ...accounts, [attackersMint]: mintState(6) } }
  expect(getWorths(await prepare([transfer], { tokens, node, prices: costs(1e9) }))).toEqual([])
})
