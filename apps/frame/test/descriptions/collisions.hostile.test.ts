import {
  concatHex,
  encodeAbiParameters,
  type Hex,
  pad,
  sliceHex,
  toFunctionSelector,
  toHex,
} from 'viem'
import { expect, test } from 'vitest'
import {
  encode,
  fileOf,
  harbour,
  namedOf,
  openFiles,
  other,
  rowsOf,
  share,
  usd,
} from './harbour.ts'

const raw = 'This call could not be read. It can do anything your account can.'
const format = (intent: string, ...fields: object[]) => ({ intent, fields })
const field = (path: string, more: object = {}) => ({ path, label: path, format: 'raw', ...more })

const burn = 'burn(uint256 amount)'
const collate = 'collate_propagate_storage(bytes16 key)'
const collided = openFiles({
  'burn.json': fileOf({ [burn]: format('Burn', field('amount')) }, harbour),
  'collate.json': fileOf({ [collate]: format('Collate', field('key')) }, other),
})
const isRaw = (view: Awaited<ReturnType<typeof collided.call>>) =>
  rowsOf(view)
    .map(([label]) => label)
    .join() === 'Contract,Data' && view.warnings.some(({ text }) => text === raw)

test('decoders: of two functions with one selector, only the name in the contract’s file is shown', async () => {
  expect(toFunctionSelector(burn)).toBe(toFunctionSelector(collate))
  // These bytes are good for both.
  const data = concatHex([toFunctionSelector(burn), pad('0x01', { dir: 'right', size: 32 })])
  expect(rowsOf(await collided.call(data, harbour))[1]).toEqual(['Call', 'burn'])
  expect(rowsOf(await collided.call(data, other))[1]).toEqual(['Call', 'collate_propagate_storage'])
  expect(isRaw(await collided.call(data, usd))).toBe(true)
  // A key of 16 bytes has nothing behind it.
  const amount = encode('burn(uint256)', [5n])
  expect(namedOf(await collided.call(amount, harbour))).toEqual([['“amount”', '5']])
  expect(isRaw(await collided.call(amount, other))).toBe(true)
})

test('decoders: where files name two functions of one selector for a contract, none is named', async () => {
  const both = openFiles({
    'a.json': fileOf({ [burn]: format('Burn'), [collate]: format('Collate') }),
    'b.json': fileOf({ [burn]: format('Burn again') }),
  })
  expect(both.problems.join()).toContain('matches several functions, and none of them is named')
  expect(isRaw(await both.call(encode('burn(uint256)', [5n])))).toBe(true)
})

test('decoders: a call with the selector of a known function is decoded and shown completely', async () => {
  // 0x23b872dd, as transferFrom, with other parameters.
  const bit = concatHex([
    toFunctionSelector('gasprice_bit_ether(int128)'),
    encodeAbiParameters([{ type: 'int128' }], [5n]),
  ])
  expect(bit.slice(0, 10)).toBe(toFunctionSelector('transferFrom(address,address,uint256)'))
  expect(isRaw(await collided.call(bit))).toBe(true)
  // 0x2e1a7d4d with the same parameters: nothing in the bytes tells them apart, so the card says no
  // more than they do.
  const owner = encode('OwnerTransferV7b711143(uint256 key)', [5n])
  expect(owner).toBe(encode('withdraw(uint256 amount)', [5n]))
  const view = await collided.call(owner, usd)
  expect(rowsOf(view)).toEqual([
    ['Contract', usd],
    ['Call', 'withdraw(5)'],
  ])
  expect(view.warnings).toContainEqual({
    level: 'danger',
    text: expect.stringContaining('Only the name of this call is known'),
  })
})

const order = 'fill((address maker, uint256[] sums) order, bytes route, string note)'
const files = openFiles({
  'order.json': fileOf({ [order]: format('Fill', field('order.maker'), field('note')) }),
  'multi.json': fileOf(
    {
      'multicall(bytes[] list)': format('Many', field('list.[]')),
    },
    share,
  ),
})
const note = (text: string, route: Hex = '0xabcd') =>
  encode('fill((address,uint256[]),bytes,string)', [[usd, [1n, 2n]], route, text])

test('undo: a file makes a call a caution, but not the bytes within it, which can be another call', async () => {
  const warning = async (route: Hex) =>
    (await files.call(note('Ahoy', route))).warnings.find(({ text }) => text.includes('Its names'))
  expect(await warning('0x')).toMatchObject({ level: 'caution' })
  expect(await warning('0x12345678')).toEqual({
    level: 'danger',
    text: expect.stringContaining('which can be another call'),
  })
})

test('decoders: calls within calls are named each by itself, and what is within an unread call is not', async () => {
  const multicall = (list: readonly Hex[]) => encode('multicall(bytes[])', [list])
  const send = encode('transfer(address,uint256)', [other, 5n])
  const view = await files.call(multicall([send, multicall([note('Ahoy'), '0x12345678'])]))
  expect(view.title).toMatch(/^Send .* and run a contract\?$/)
  expect(view.groups.slice(0, 3).map(({ label }) => label)).toEqual([
    'Leaves your wallet',
    'Runs a contract',
    'Runs a contract',
  ])
  expect(rowsOf(view, 1)[1]).toEqual(['Call', 'fill'])
  expect(rowsOf(view, 1)).toContainEqual(['“note”', '“Ahoy”'])
  expect(rowsOf(view, 2)).toEqual([
    ['Contract', harbour],
    ['Data', '0x12345678'],
  ])
  expect(view.warnings).toContainEqual({ level: 'danger', text: raw })
  // Too deep to be read: the file for the outer call names no inner ones.
  const deep = multicall([multicall([multicall([multicall([send])])])])
  const far = await files.call(deep, share)
  expect(rowsOf(far).at(-1)).toEqual(['Data', expect.stringContaining('0xac9650d8')])
  expect(far.title).toBe('Run a contract?')
})

test('decoders: data that is cut, moved, doubled or behind its end has no names', async () => {
  const data = note('Ahoy')
  expect(rowsOf(await files.call(data))[1]).toEqual(['Call', 'fill'])
  const word = (index: number) => 4 + 32 * index
  const change = (index: number, value: bigint): Hex =>
    concatHex([
      sliceHex(data, 0, word(index)),
      toHex(value, { size: 32 }),
      sliceHex(data, word(index + 1)),
    ])
  const words = (data.length - 10) / 64
  const cut = Array.from({ length: words }, (_, index) => sliceHex(data, 0, word(index)))
  const wrong = [
    ...cut,
    sliceHex(data, 0, word(words) - 1),
    concatHex([data, '0x00']),
    concatHex([data, toHex(0n, { size: 32 })]),
    // The offsets of the struct, the bytes and the string: overlapping, backwards, past the end,
    // beyond any number.
    ...[0n, 32n, 96n, 2n ** 32n, 2n ** 255n].flatMap((at) => [change(0, at), change(1, at)]),
    change(2, 0n),
    change(1, BigInt(`0x${data.slice(10 + 2 * 64, 10 + 3 * 64)}`)),
    // The maker with more than an address, and a list that claims to be longer than all data.
    change(3, 2n ** 160n),
    change(5, 2n ** 64n),
  ].filter((one) => one !== data)
  expect(wrong.length).toBeGreaterThan(20)
  for (const one of wrong) {
    const view = await files.call(one)
    expect(rowsOf(view).map(([label]) => label)).toEqual(['Contract', 'Data'])
    expect(view.warnings.map(({ text }) => text)).toContain(raw)
  }
})
