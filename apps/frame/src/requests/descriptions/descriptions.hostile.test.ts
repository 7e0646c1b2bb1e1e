import { describeSignedRoute, type SignedDescription } from '@latchkey/wire'
import { encodeFunctionData, type Hex, keccak256, maxUint256, parseAbi, stringToHex } from 'viem'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import {
  account,
  answerReads,
  createTestRequest,
  dollars,
  prepareRequest,
  simulated,
} from '../../../test/testRequest.ts'
import type { ApprovalView } from '../../approval/approvalView.ts'
import type { ApprovalRequest } from '../approvalRequest.ts'
import { createFetchDescription, type SignedKey } from './fetchDescription.ts'

const router = '0x6666666666666666666666666666666666666666'
const usd = '0x7777777777777777777777777777777777777777'
const abi = parseAbi([
  'struct Order { address token; uint256 amount; address receiver; uint256[] pools; }',
  'function swap(Order order, uint8 mode, bytes data)',
])
const data = encodeFunctionData({
  abi,
  functionName: 'swap',
  args: [{ token: usd, amount: 2_500_000n, receiver: account, pools: [1n, 2n] }, 1, '0xabcd'],
})
const inputs = [
  {
    name: 'order',
    type: 'tuple',
    components: [
      { name: 'token', type: 'address' },
      { name: 'amount', type: 'uint256' },
      { name: 'receiver', type: 'address' },
      { name: 'pools', type: 'uint256[]' },
    ],
  },
  { name: 'mode', type: 'uint8' },
  { name: 'data', type: 'bytes' },
]
const honest: SignedDescription = {
  source: 'descriptor',
  name: 'swap',
  inputs,
  owner: 'Exchange',
  intent: 'Swap tokens',
  fields: [
    {
      path: '#.order.amount',
      label: 'Amount to send',
      format: 'tokenAmount',
      tokenPath: '#.order.token',
    },
    { path: '#.mode', label: 'Mode', format: 'enum', values: { 1: 'Exact' } },
    { path: '#.order.receiver', label: 'Receiver', format: 'addressName' },
  ],
}

/** The card of a call that is described so; `more` replaces parts of the request. */
async function show(
  description: SignedDescription | undefined,
  more: Partial<ApprovalRequest> = {},
) {
  const asked: SignedKey[] = []
  const { view } = await prepareRequest(
    createTestRequest({
      method: 'eth_sendTransaction',
      params: [{ from: account, to: router, data }],
      read: answerReads(dollars),
      keys: { do: () => Promise.reject(new Error('Nothing is signed here')) },
      fetchDescription: async (_, signed) => {
        asked.push(signed)
        return description
      },
      ...more,
    }),
  )
  return { view, asked }
}

const rowsOf = (view: Pick<ApprovalView, 'groups'>) => view.groups[0]?.rows ?? []
const valueAt = (view: Pick<ApprovalView, 'groups'>, label: string) => {
  const row = rowsOf(view).find((one) => one.label === label)
  return row?.value ?? row?.address
}
const texts = ({ warnings }: Pick<ApprovalView, 'warnings'>) => warnings.map(({ text }) => text)
const raw = 'This call could not be read. It can do anything your account can.'

test('default: a descriptor of this contract and function names a call, and all signed data is shown', async () => {
  const { view, asked } = await show(honest)
  expect(asked).toEqual([{ address: router, key: data.slice(0, 10) }])
  expect(view.title).toBe('Run a contract?')
  expect(rowsOf(view).map(({ label, value }) => [label, value])).toEqual([
    ['Contract', undefined],
    ['Call', 'swap'],
    ['Purpose', '“Swap tokens”'],
    ['Described by', '“Exchange”'],
    ['“Amount to send”', '2.5 USD'],
    ['Token', undefined],
    ['“Mode”', '“Exact” (1)'],
    ['“Receiver”', undefined],
    ['All parameters', undefined],
    ['Data', undefined],
  ])
  expect(rowsOf(view).at(-1)?.data).toBe(data)
  expect(
    rowsOf(view)
      .at(-2)
      ?.tree?.map(({ label, value }) => `${label} ${value}`),
  ).toEqual([
    'order ',
    `token ${usd}`,
    'amount 2500000',
    `receiver ${account}`,
    'pools ',
    '1 1',
    '2 2',
    'mode 1',
    'data 0xabcd',
  ])
  expect(texts(view).join()).toContain('a file that the operator of this server chose')
})

test('param: a published source names parameters only, and the call stays a danger', async () => {
  const { view } = await show({ source: 'abi', name: 'swap', inputs, fields: [] })
  expect(valueAt(view, 'Call')).toBe('swap')
  expect(rowsOf(view).map(({ label }) => label)).toEqual([
    'Contract',
    'Call',
    'All parameters',
    'Data',
  ])
  expect(view.warnings).toContainEqual({
    level: 'danger',
    text: expect.stringContaining('It can do anything your account can.'),
  })
})

test('decoders: without a matching descriptor, the raw data is shown as a danger', async () => {
  const others: (SignedDescription | undefined)[] = [
    undefined,
    { ...honest, name: 'swop' },
    { ...honest, inputs: inputs.slice(1) },
    { ...honest, inputs: [] },
    { source: 'descriptor', fields: honest.fields },
    { source: 'descriptor', encodedType: 'Swap(uint256 amount)', fields: honest.fields },
  ]
  for (const one of others) {
    const { view } = await show(one)
    expect(rowsOf(view).map(({ label }) => label)).toEqual(['Contract', 'Data'])
    expect(texts(view)).toContain(raw)
  }
})

test('decoders: data with trailing bytes after the parameters gets no names', async () => {
  for (const more of ['00', '00'.repeat(32)]) {
    const params = [{ from: account, to: router, data: `${data}${more}` }]
    const { view } = await show(honest, { params })
    expect(texts(view)).toContain(raw)
  }
})

test('decoders: a descriptor that renames, omits and points outside hides nothing that is signed or leaves', async () => {
  const { view } = await show(
    {
      ...honest,
      owner: undefined,
      intent: 'Claim a reward',
      fields: [
        // The amount of another token, with a label that imitates our own row.
        {
          path: '#.order.amount',
          label: 'Leaves your wallet',
          format: 'tokenAmount',
          token: router,
        },
        { path: '#.order.nothing', label: 'You get', format: 'raw' },
        { path: '#.order.pools.[7]', label: 'You get', format: 'raw' },
        { path: '#.__proto__.constructor', label: 'You get', format: 'raw' },
      ],
    },
    {
      fetchSimulation: async () => ({
        asked: 1,
        outcomes: [simulated({ changes: [{ token: usd, id: null, amount: '-2500000' }] })],
      }),
    },
  )
  expect(view.groups[1]?.label).toBe('What our server expects to happen')
  expect(view.groups[1]?.rows[0]).toEqual({ label: 'Leaves', value: '2.5 USD' })
  expect(rowsOf(view).map(({ label }) => label)).toEqual([
    'Contract',
    'Call',
    'Purpose',
    '“Leaves your wallet”',
    'Token',
    'All parameters',
    'Data',
  ])
  expect(
    rowsOf(view)
      .find(({ label }) => label === 'Token')
      ?.address?.toLowerCase(),
  ).toBe(router)
  expect(rowsOf(view).at(-2)?.tree).toContainEqual({ depth: 1, label: 'amount', value: '2500000' })
})

test('decoders: names in a descriptor cannot reverse text, break lines or leave their quotes', async () => {
  const evil = 'Safe\u202e”\n\nNetwork fee, up to\u200b 0 ETH "'
  const { view } = await show({
    ...honest,
    owner: evil,
    intent: evil,
    fields: [
      { path: '#.mode', label: evil, format: 'enum', values: { 1: evil } },
      { path: '#.mode', label: 'Unit', format: 'unit', base: evil.slice(0, 30), decimals: 1 },
    ],
  })
  const shown = rowsOf(view).slice(2, 6)
  for (const { label, value = '' } of shown) {
    expect(`${label} ${value}`).not.toMatch(/[\u202e\u200b\n]/)
    for (const [quoted] of `${label} ${value}`.matchAll(/“[^”]*”/g))
      expect(quoted.length).toBeLessThan(90)
    expect(value.replace(/“[^“”]*”/g, '')).toMatch(/^( \(1\)|0\.1 )?$/)
  }
})

test('decoders: a recognized call keeps our card, and no descriptor is fetched for it', async () => {
  const approve = encodeFunctionData({
    abi: parseAbi(['function approve(address, uint256)']),
    functionName: 'approve',
    args: [router, maxUint256],
  })
  const { view, asked } = await show(honest, {
    params: [{ from: account, to: usd, data: approve }],
  })
  expect(asked).toEqual([])
  expect(view.title).toBe('Let someone else take unlimited USD?')
})

test('decoders: ignores a server response that exceeds the limits', () => {
  const isTaken = (more: object) =>
    z.safeParse(describeSignedRoute.result, { description: { ...honest, ...more } }).success
  const field = { path: '#.mode', label: 'Mode', format: 'raw' }
  expect(isTaken({})).toBe(true)
  expect(isTaken({ fields: Array(65).fill(field) })).toBe(false)
  expect(isTaken({ fields: [{ ...field, label: 'x'.repeat(121) }] })).toBe(false)
  expect(isTaken({ fields: [{ ...field, path: '$.metadata.owner' }] })).toBe(false)
  expect(isTaken({ fields: [{ ...field, html: '<b>' }] })).toBe(false)
  expect(isTaken({ fields: [{ ...field, format: 'script' }] })).toBe(false)
  expect(isTaken({ name: 'swap()' })).toBe(false)
  expect(isTaken({ inputs: [{ name: 'a', type: 'function' }] })).toBe(true)
  expect(isTaken({ inputs: [{ name: '', type: 'uint256[][][][][]' }] })).toBe(false)
  expect(isTaken({ title: 'Send nothing?' })).toBe(false)
})

test('decoders: huge and empty lists, and values that do not fit their format, are shown as they are', async () => {
  const many = encodeFunctionData({
    abi,
    functionName: 'swap',
    args: [
      {
        token: usd,
        amount: maxUint256,
        receiver: router,
        pools: Array.from({ length: 2_000 }, (_, index) => BigInt(index)),
      },
      9,
      `0x${'ff'.repeat(300)}`,
    ],
  })
  const { view } = await show(
    {
      ...honest,
      fields: [
        { path: '#.order.pools.[]', label: 'Pools', format: 'date' },
        { path: '#.order.pools.[-1]', label: 'Last', format: 'duration' },
        { path: '#.order.amount', label: 'All', format: 'tokenAmount', tokenPath: '#.order.token' },
        { path: '#.order.amount', label: 'When', format: 'date' },
        { path: '#.data', label: 'Inner', format: 'calldata' },
        { path: '#.data.[0:20]', label: 'First bytes', format: 'addressName' },
        { path: '#.mode', label: 'Mode', format: 'enum', values: { 1: 'Exact' } },
      ],
    },
    { params: [{ from: account, to: router, data: many }] },
  )
  expect(rowsOf(view).filter(({ label }) => label === '“Pools”')).toHaveLength(51)
  expect(rowsOf(view)).toContainEqual({ label: '“Pools”', value: '1950 more in the data' })
  expect(valueAt(view, '“Last”')).toBe('33 min 19 s')
  expect(valueAt(view, '“All”')).toBe('unlimited USD')
  expect(valueAt(view, '“When”')).toBe('No expiry')
  expect(rowsOf(view).find(({ label }) => label === '“Inner”')?.data).toBe(`0x${'ff'.repeat(300)}`)
  expect(rowsOf(view).at(-1)?.data).toBe(many)
})

const encodedType = 'Vote(uint256 id,Choice choice)Choice(uint8 side,uint256 weight)'
const vote = (domain: object = {}) => ({
  primaryType: 'Vote',
  domain: { name: 'Club', chainId: 1, verifyingContract: router, ...domain },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Vote: [
      { name: 'id', type: 'uint256' },
      { name: 'choice', type: 'Choice' },
    ],
    Choice: [
      { name: 'side', type: 'uint8' },
      { name: 'weight', type: 'uint256' },
    ],
  },
  message: { id: '7', choice: { side: '1', weight: '90' } },
})
const words: SignedDescription = {
  source: 'descriptor',
  encodedType,
  intent: 'Vote',
  fields: [
    { path: '#.choice.side', label: 'For or against', format: 'enum', values: { 1: 'For' } },
    { path: '#.choice.weight', label: 'Votes', format: 'raw' },
  ],
}
const showVote = (description: SignedDescription, domain: object = {}) =>
  show(description, { method: 'eth_signTypedData_v4', params: [account, vote(domain)] })

test('default: a file for the contract and type names typed data, and all signed data is shown', async () => {
  const { view, asked } = await showVote(words)
  expect(asked).toEqual([{ address: router, key: keccak256(stringToHex(encodedType)) }])
  expect(view.groups).toEqual([
    {
      label: 'Name',
      rows: [
        { label: 'Purpose', value: '“Vote”' },
        { label: '“For or against”', value: '“For” (1)' },
        { label: '“Votes”', value: '90' },
      ],
    },
  ])
  expect(view.title).toBe('Sign this data?')
  expect(view.warnings.length).toBeGreaterThan(0)
  const without = await showVote({ ...words, encodedType: 'Vote(uint256 id)' })
  expect(without.view.groups).toEqual([])
  expect(without.view.warnings).toEqual(view.warnings)
  expect(without.view.rows).toEqual(view.rows)
})

test('decoders: typed data without a network or contract, or of another network, has no names', async () => {
  for (const domain of [{ chainId: 5 }]) {
    const { view, asked } = await showVote(words, domain)
    expect(asked).toEqual([])
    expect(view.groups).toEqual([])
  }
})

test('error: an unreachable server provides no names, and is queried once', async () => {
  const fetchDescription = createFetchDescription()
  const { view } = await show(undefined, { fetchDescription })
  expect(texts(view)).toContain(raw)
  const chain = createTestRequest({
    method: '',
    params: [],
    read: async () => '',
    keys: { do: () => Promise.reject() },
  }).chain
  const signed = { address: router as Hex, key: data.slice(0, 10) }
  expect(fetchDescription(chain, signed)).toBe(fetchDescription(chain, signed))
})
