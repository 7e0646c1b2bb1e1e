import { bytesToHex } from '@latchkey/wire'
import fc from 'fast-check'
import { type Hex, hashTypedData as hashOfViem, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { account, answerReads, createTestRequest, dollars } from '../../../../test/testRequest.ts'
import { hashTypedData } from '../../../wallet/sign/hashTypedData.ts'
import { checkTypedData } from './checkTypedData.ts'
import { prepareTypedData } from './prepareTypedData.ts'

/** `address to,uint256 amount` as fields. */
const fields = (list: string) =>
  list.split(',').map((pair) => {
    const [type = '', name = ''] = pair.split(' ')
    return { name, type }
  })
const EIP712Domain = fields('string name,string version,uint256 chainId,address verifyingContract')
const zero = `0x${'00'.repeat(20)}`
const domain = { name: 'Market', version: '1', chainId: 1, verifyingContract: zero }

type TypedDataInput = { types: object; primaryType: string; domain?: object; message: object }
const complete = (asked: TypedDataInput) => ({
  domain,
  ...asked,
  types: { EIP712Domain, ...asked.types },
})

const hashOf = (data: object) => {
  const { types, primaryType, domain, message } = checkTypedData(data)
  return `0x${bytesToHex(hashTypedData({ types, primaryType, domain, message } as never))}`
}

/** What is shown of data that viem hashes: its hash is the same, also as JSON. */
async function shownOf(asked: TypedDataInput) {
  const data = complete(asked)
  const theirs = hashOfViem(data as never)
  expect(hashOf(data)).toBe(theirs)
  expect(hashOf(JSON.parse(JSON.stringify(data)))).toBe(theirs)
  const { view } = await prepareTypedData(
    createTestRequest({
      method: 'eth_signTypedData_v4',
      params: [account, JSON.stringify(data)],
      read: answerReads(dollars),
      keys: { do: () => Promise.reject(new Error('Nothing is signed here')) },
    }),
  )
  const lines = view.rows.flatMap(({ tree = [] }) => tree)
  const dangers = view.warnings.flatMap(({ level, text }) => (level === 'danger' ? text : []))
  return { view, lines, dangers: dangers.join() }
}

test('behavior: names of types with a colon', async () => {
  const primaryType = 'HyperliquidTransaction:UsdSend'
  const { lines, view } = await shownOf({
    types: { [primaryType]: fields('string destination,string amount,uint64 time') },
    primaryType,
    message: { destination: account, amount: '1', time: 1 },
  })
  expect(view.blocked).toBeUndefined()
  expect(lines).toContainEqual({ depth: 1, label: 'amount', value: '1' })
})

test('behavior: long bytes and strings are shown in parts, with their length and hash', async () => {
  const data: Hex = `0x${'ab'.repeat(4_000)}`
  const { lines } = await shownOf({
    types: { SafeTx: fields('address to,bytes data,string note') },
    primaryType: 'SafeTx',
    message: { to: zero, data, note: 'é'.repeat(3_000) },
  })
  const at = lines.findIndex(({ label }) => label === 'data')
  expect(lines[at]?.value).toBe(`4000 bytes, hash ${keccak256(data)}`)
  const parts = lines.slice(at + 1).filter(({ label }) => label.startsWith('part'))
  expect(parts.map(({ value }) => value).join('')).toBe(data + 'é'.repeat(3_000))
  expect(parts.every(({ value }) => value.length <= 1_000)).toBe(true)
  expect(lines.find(({ label }) => label === 'note')?.value).toContain('6000 bytes, hash 0x')
})

test('behavior: structs of many fields, deep lists, and types that are not used', async () => {
  const names = Array.from({ length: 300 }, (_, at) => `f${at}`)
  const deep = Array.from({ length: 24 }).reduce<unknown>((inner) => [inner], 7)
  const { lines } = await shownOf({
    types: {
      Wide: [
        ...names.map((name) => ({ name, type: 'uint8' })),
        { name: 'deep', type: `uint8${'[1]'.repeat(24)}` },
      ],
      Unused: fields('Missing one'),
      'a b': [],
    },
    primaryType: 'Wide',
    message: { ...Object.fromEntries(names.map((name, at) => [name, at % 256])), deep },
  })
  expect(lines.filter(({ label }) => label.startsWith('f'))).toHaveLength(300)
  expect(lines.at(-1)).toMatchObject({ value: '7' })
})

test('behavior: domains of Cosmos networks carry a warning, and are no contract and network of Ethereum', async () => {
  const types = {
    EIP712Domain: fields(
      'string name,string version,uint256 chainId,string verifyingContract,string salt',
    ),
    Tx: fields('string memo'),
  }
  const cosmos = { name: 'Cosmos Web3', version: '1.0.0', verifyingContract: 'cosmos', salt: '0' }
  const asked = { types, primaryType: 'Tx', message: { memo: '' } }
  const own = await shownOf({ ...asked, domain: { ...cosmos, chainId: 1 } })
  expect(own.view.blocked).toBeUndefined()
  expect(own.dangers).toContain('does not follow EIP-712')
  expect(own.view.rows.some(({ address }) => address !== undefined)).toBe(false)
  const other = await shownOf({ ...asked, domain: { ...cosmos, chainId: 9_000 } })
  expect(other.view.blocked).toContain('9000')
  const text = { ...types, EIP712Domain: fields('string name,string chainId') }
  const named = await shownOf({ ...asked, types: text, domain: { name: 'x', chainId: '1' } })
  expect(named.dangers).toMatch(/does not follow EIP-712.*names no network/)
})

test('behavior: a version that is a number is signed as viem hashes it', async () => {
  for (const version of [0, 1, 255, 256, 1_000_000]) {
    const { lines } = await shownOf({
      types: { Note: fields('string text') },
      primaryType: 'Note',
      domain: { ...domain, version },
      message: { text: 'Hi' },
    })
    expect(lines).toContainEqual({
      depth: 1,
      label: 'version',
      value: `${version} (a number, signed in place of a text)`,
    })
  }
})

test('error: the field that is not valid is named', () => {
  const types = { Outer: fields('Inner[] list'), Inner: fields('uint8 amount') }
  const reasonOf = (message: object, more: object = {}) => {
    try {
      checkTypedData(complete({ types: { ...types, ...more }, primaryType: 'Outer', message }))
      return 'taken'
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(reasonOf({ list: [{ amount: 1 }] })).toBe('taken')
  expect(reasonOf({ list: [{ amount: 1 }, { amount: 256 }] })).toContain(
    'message.list[1].amount is not a valid uint8',
  )
  expect(reasonOf({ list: [{}] })).toContain('message.list[0].amount is missing')
  expect(reasonOf({})).toContain('message.list is missing')
  expect(reasonOf({ list: [] }, { Outer: fields('Inner[] list,bool li(st') })).toContain(
    'Outer.li(st',
  )
  expect(reasonOf({ list: [] }, { Outer: [{ name: 'list' }] })).toContain('types.Outer.0.type')
})

const item = fields(
  'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount',
)
const components =
  'address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter'
const order = (id: number) => ({
  offerer: id < 0 ? zero : account,
  zone: zero,
  offer:
    id < 0
      ? []
      : [
          {
            itemType: 2,
            token: domain.verifyingContract,
            identifierOrCriteria: id,
            startAmount: 1,
            endAmount: 1,
          },
        ],
  consideration: [],
  orderType: 0,
  startTime: 0,
  endTime: 1,
  zoneHash: `0x${'00'.repeat(32)}`,
  salt: 0,
  conduitKey: `0x${'00'.repeat(32)}`,
  counter: 0,
})

test('behavior: bulk orders of Seaport show each sale, and not the padding of the tree', async () => {
  for (const [height, count] of [
    [4, 16],
    [5, 17],
    [6, 64],
  ] as const) {
    let tree: unknown[] = Array.from({ length: 2 ** height }, (_, at) =>
      order(at < count ? at : -1),
    )
    while (tree.length > 1)
      tree = Array.from({ length: tree.length / 2 }, (_, at) => tree.slice(2 * at, 2 * at + 2))
    const { view } = await shownOf({
      types: {
        BulkOrder: fields(`OrderComponents${'[2]'.repeat(height)} tree`),
        OfferItem: item,
        ConsiderationItem: [...item, ...fields('address recipient')],
        OrderComponents: fields(components),
      },
      primaryType: 'BulkOrder',
      message: { tree: tree[0] as object },
    })
    expect(view.warnings.map(({ text }) => text).join()).not.toContain('could not be read')
    const items = view.groups
      .flatMap(({ rows }) => rows)
      .filter(({ value }) => /^item \d+/i.test(value ?? ''))
    expect(items).toHaveLength(count)
  }
})

test('behavior: a bulk order of 256 sales, too many to read individually, is shown value by value', async () => {
  const height = 8
  let tree: unknown[] = Array.from({ length: 2 ** height }, (_, at) => order(at))
  while (tree.length > 1)
    tree = Array.from({ length: tree.length / 2 }, (_, at) => tree.slice(2 * at, 2 * at + 2))
  const { lines, dangers } = await shownOf({
    types: {
      BulkOrder: fields(`OrderComponents${'[2]'.repeat(height)} tree`),
      OfferItem: item,
      ConsiderationItem: [...item, ...fields('address recipient')],
      OrderComponents: fields(components),
    },
    primaryType: 'BulkOrder',
    message: { tree: tree[0] as object },
  })
  expect(dangers).toContain('could not be read')
  const sold = lines.filter(({ label }) => label === 'identifierOrCriteria')
  expect(sold.map(({ value }) => value)).toEqual(Array.from({ length: 256 }, (_, at) => String(at)))
})

test('behavior: names that begin with a digit', async () => {
  const { lines } = await shownOf({
    types: { '1inchOrder': fields('uint256 0,2ndLeg 1st,uint8 10'), '2ndLeg': fields('bool 3d') },
    primaryType: '1inchOrder',
    message: { 0: 7, '1st': { '3d': true }, 10: 9 },
  })
  expect(lines.slice(-5).map(({ label, value }) => [label, value])).toEqual([
    ['1inchOrder', ''],
    ['0', '7'],
    ['1st', ''],
    ['3d', 'true'],
    ['10', '9'],
  ])
})

test('error: more than 60,000 values or 1,048,576 characters, with the field at which they are exceeded', () => {
  const types = { Note: fields('string text,uint8[] list') }
  const reasonOf = (text: string, length: number) => {
    const list = Array.from({ length }, () => 1)
    try {
      checkTypedData(complete({ types, primaryType: 'Note', message: { text, list } }))
      return 'taken'
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(reasonOf('', 59_000)).toBe('taken')
  expect(reasonOf('a'.repeat(900_000), 1)).toBe('taken')
  expect(reasonOf('', 61_000)).toMatch(/message\.list\[\d+\]: more than 60000 values/)
  expect(reasonOf('a'.repeat(1_048_577), 1)).toContain('message.text: more than 1048576 characters')
})

const name = fc.stringMatching(/^[\w$][\w$:]{0,5}$/)
const hex = (from: number, to = from) =>
  fc
    .uint8Array({ minLength: from, maxLength: to })
    .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)
const atoms = [
  ['string', fc.oneof(fc.string({ maxLength: 40 }), fc.nat())],
  ['bytes', hex(0, 1_500)],
  ['bytes7', hex(7)],
  ['address', hex(20)],
  ['bool', fc.boolean()],
  ['uint256', fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String), fc.nat())],
  ['int16', fc.integer({ min: -32_768, max: 32_767 })],
  ['uint64', fc.nat()],
] as const
const field = fc
  .tuple(name, fc.constantFrom(...atoms), fc.nat(3))
  .chain(([label, [type, value], levels]) => {
    let values = value as fc.Arbitrary<unknown>
    for (let level = 0; level < levels; level++) values = fc.array(values, { maxLength: 3 })
    return values.map((one) => ({ name: label, type: type + '[]'.repeat(levels), value: one }))
  })
const struct = fc.uniqueArray(field, { maxLength: 6, selector: (one) => one.name })
const typesOf = (list: readonly { name: string; type: string }[]) =>
  list.map(({ name, type }) => ({ name, type }))
const valuesOf = (list: readonly { name: string; value: unknown }[]) =>
  Object.fromEntries(list.map((one) => [one.name, one.value]))

test('behavior: all such data that viem hashes can be signed, with the same hash', () => {
  fc.assert(
    fc.property(struct, struct, struct, (outer, inner, place) => {
      const data = {
        types: {
          'A:B': [...typesOf(outer), { name: '-inner', type: 'I[]' }].map((one) => ({
            ...one,
            name: one.name.replace('-', '__'),
          })),
          I: typesOf(inner),
          EIP712Domain: typesOf(place),
        },
        primaryType: 'A:B',
        domain: valuesOf(place),
        message: { ...valuesOf(outer), __inner: [valuesOf(inner), valuesOf(inner)] },
      }
      expect(hashOf(data)).toBe(hashOfViem(data as never))
    }),
    { numRuns: 200 },
  )
})
