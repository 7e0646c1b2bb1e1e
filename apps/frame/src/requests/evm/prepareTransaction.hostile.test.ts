import fc from 'fast-check'
import { encodeFunctionData, formatUnits, type Hex } from 'viem'
import { expect, test } from 'vitest'
import {
  account,
  answerReads,
  type ChainAnswers,
  createTestRequest,
  dollars,
  prepareRequest,
} from '../../../test/testRequest.ts'
import type { ApprovalView } from '../../approval/approvalView.ts'
import { callDecoders } from './abi.ts'

const attacker = '0x6666666666666666666666666666666666666666'
const token = '0x7777777777777777777777777777777777777777'
const ether = 10n ** 18n

const prepareCall = async (call: object, said: ChainAnswers = dollars, more: object = {}) =>
  prepareRequest(
    createTestRequest({
      method: 'eth_sendTransaction',
      params: [{ from: account, ...call }],
      read: answerReads(said),
      keys: { do: () => Promise.reject(new Error('Nothing is signed here')) },
      ...more,
    }),
  )
const shownOf = async (call: object, said?: ChainAnswers) => (await prepareCall(call, said)).view
const encode = (name: string, ...args: unknown[]) =>
  encodeFunctionData({
    abi: callDecoders.filter((one) => one.name === name && one.inputs.length === args.length),
    functionName: name,
    args,
  } as never)
const dangers = ({ warnings }: Pick<ApprovalView, 'warnings'>) =>
  warnings.flatMap(({ level, text }) => (level === 'danger' ? text : []))
const hex = (value: bigint) => `0x${value.toString(16)}`
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'shown',
    (error: { code?: string }) => error.code,
  )

test.each<[string, Hex, string]>([
  ['approve(x, 0)', encode('approve', attacker, 0n), 'Send 1 ETH and take back an allowance?'],
  [
    'setApprovalForAll(x, false)',
    encode('setApprovalForAll', attacker, false),
    'Send 1 ETH and take back control of all items?',
  ],
  ['transfer', encode('transfer', attacker, 10_000n), 'Send 1 ETH and 0.01 USD?'],
  ['transferFrom', encode('transferFrom', account, attacker, 10_000n), 'Send 1 ETH and 0.01 USD?'],
  [
    'decreaseAllowance',
    encode('decreaseAllowance', attacker, 1n),
    'Send 1 ETH and take back an allowance?',
  ],
  ['withdraw', encode('withdraw', 1n), 'Send 1 ETH and run a contract?'],
])(
  'error: value that goes with %s is in the title, and a danger, for it takes none',
  async (_, data, title) => {
    const view = await shownOf({ to: token, value: hex(ether), data })
    expect(view.title).toBe(title)
    expect(view.groups[0]).toMatchObject({
      label: 'Leaves your wallet',
      rows: [{ value: '1 ETH' }, { label: 'To', address: token, isNew: true }],
    })
    expect(dangers(view)[0]).toContain('This call takes no payment. It sends 1 ETH anyway')
  },
)

test('error: value into deposit() of an unknown contract shows the contract, and that it is unknown', async () => {
  const view = await shownOf({ to: attacker, value: hex(ether), data: encode('deposit') })
  expect(view.title).toBe('Send 1 ETH and run a contract?')
  expect(view.groups[0]?.rows).toContainEqual({ label: 'To', address: attacker, isNew: true })
  expect(view.warnings.map(({ text }) => text)).toEqual(
    expect.arrayContaining([
      'You have never sent to this address.',
      'You have never used this contract. What it does is unknown.',
    ]),
  )
})

test('error: value into a batch, a constructor and unreadable data is in the title', async () => {
  const inner = [encode('transfer', attacker, 1_000_000n), encode('approve', attacker, 2n ** 158n)]
  const batch = { to: token, value: hex(ether), data: encode('multicall', inner) }
  expect((await shownOf(batch)).title).toBe(
    'Send 1 ETH and 1 USD and let someone else take unlimited USD?',
  )
  const made = await shownOf({ value: hex(ether), data: '0x6000' })
  expect(made.title).toBe('Send 1 ETH and create a contract?')
  expect(dangers(made).join()).toContain('could not be read')
  const raw = await shownOf({ to: token, value: hex(ether), data: '0x12345678' })
  expect(raw.title).toBe('Send 1 ETH and run a contract?')
  expect(dangers(raw).join()).toContain('could not be read')
})

test('error: the value is in the title for any bytes', async () => {
  const begin = fc.constantFrom(
    ...callDecoders.flatMap((one) => [encode0(one.name), '0x']),
    '0x12345678',
  )
  const value = fc.bigInt({ min: 1n, max: 10n ** 24n })
  await fc.assert(
    fc.asyncProperty(
      begin,
      fc.uint8Array({ maxLength: 200 }),
      value,
      async (head, bytes, amount) => {
        const data = `${head}${Buffer.from(bytes).toString('hex')}`
        const { title } = await shownOf({ to: token, value: hex(amount), data })
        expect(title).toContain(`Send ${formatUnits(amount, 18)} ETH`)
      },
    ),
    { numRuns: 60 },
  )
})

/** A call of that name as it should be, so that what follows is behind it. */
const encode0 = (name: string): string =>
  name === 'approve'
    ? encode('approve', attacker, 1n)
    : name === 'transfer'
      ? encode('transfer', attacker, 1n)
      : encode('deposit')

test('error: a batch of items is titled by all of them', async () => {
  const batch = (ids: bigint[], amounts: bigint[]) =>
    encode('safeBatchTransferFrom', account, attacker, ids, amounts, '0x')
  const apes = { ...dollars, symbol: 'APES' }
  const two = await shownOf({ to: token, data: batch([1n, 9n], [1n, 500n]) }, apes)
  expect(two.title).toBe('Send item 1 of APES and 500 of item 9 of APES?')
  const many = await shownOf({ to: token, data: batch([1n, 2n, 3n], [1n, 1n, 10n ** 9n]) }, apes)
  expect(many.title).toBe('Send 3 items?')
  expect(many.groups.slice(0, 3).map(({ rows }) => rows[0]?.value)).toEqual([
    'Item 1 of APES',
    'Item 2 of APES',
    '1000000000 of item 3 of APES',
  ])
})

test('error: names a call that may take everything, in a batch too', async () => {
  const inner = [encode('approve', attacker, 0n), encode('setApprovalForAll', attacker, true)]
  const view = await shownOf({ to: token, data: encode('multicall', inner) })
  expect(view.title).toBe('Let someone else take all items and take back an allowance?')
  expect(dangers(view)).toContain('It could take every item of this collection, at any time.')
  const more = await shownOf({ to: token, data: encode('increaseAllowance', attacker, 1n) })
  expect(more.title).toBe('Let someone else take 0.000001 USD?')
  expect(dangers(more)[0]).toContain('more than it may now')
})

test('error: a known selector with bytes behind it, dirty words or bent offsets is not read as that call', async () => {
  const data = encode('transfer', attacker, 1n)
  const dirty = `${data.slice(0, 10)}${'f'.repeat(24)}${data.slice(34)}`
  for (const bent of [`${data}${'00'.repeat(32)}`, dirty, data.slice(0, -2)]) {
    const view = await shownOf({ to: token, data: bent })
    expect(view.title).toBe('Run a contract?')
    expect(dangers(view).join()).toContain('could not be read')
    expect(JSON.stringify(view.groups)).toContain(bent)
  }
})

test('lying page: ignores or refuses the gas, nonce, network, account and kind that the page sets', async () => {
  const call = { to: attacker, value: hex(ether) }
  for (const lie of [{ chainId: 2 }, { chainId: '0x2' }, { data: '0x00', input: '0x01' }])
    expect(await codeOf(prepareCall({ ...call, ...lie }))).toBe('INVALID_PARAMS')
  for (const lie of [{ type: '0x4' }, { type: '0x3' }, { authorizationList: [] }, { blobs: [] }])
    expect(await codeOf(prepareCall({ ...call, ...lie }))).toBe('INVALID_PARAMS')
  for (const lie of [
    { value: '1' },
    { value: `0x1${'0'.repeat(64)}` },
    { value: -1 },
    { to: '0x00' },
  ])
    expect(await codeOf(prepareCall({ ...call, ...lie }))).toBe('INVALID_PARAMS')
  expect(await codeOf(prepareCall({ ...call, from: attacker }))).toBe('UNAUTHORIZED')
  const honest = await shownOf(call)
  const lies = {
    gas: '0x1',
    gasPrice: '0x1',
    nonce: '0x99',
    accessList: [],
    symbol: 'USD',
    name: 'x',
  }
  expect(await shownOf({ ...call, ...lies })).toEqual(honest)
})

test('behavior: addresses that an account sent to are remembered; a signature alone is not', async () => {
  const allowed = await prepareCall({ to: token, data: encode('approve', attacker, 1n) })
  expect(allowed.counterparties).toEqual({ sent: [], used: [token, attacker] })
  const sent = await prepareCall({ to: token, data: encode('transfer', attacker, 1n) })
  expect(sent.counterparties).toEqual({ sent: [attacker], used: [token] })
  const known = await prepareCall({ to: attacker, value: '0x1' }, dollars, { known: [attacker] })
  expect(known.view.warnings.map(({ text }) => text)).not.toContain(
    'You have never sent to this address.',
  )
})

test('behavior: the account is shown with its checksum', async () => {
  const small = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
  const accounts = { eip155: small, solana: '' }
  const { view } = await prepareCall({ from: small, to: attacker, value: '0x1' }, dollars, {
    accounts,
  })
  expect(view.place.at(-1)?.address).toBe('0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045')
})
