import { expect, test } from 'vitest'
import { account } from '../testRequest.ts'
import {
  coin,
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

const moor =
  'moor((address owner, (uint256 fee, address payIn) price) boat, uint8 berth, bool night)'
const shared = {
  metadata: {
    owner: 'Harbour',
    constants: { native: coin, share, note: 'Paid at the quay' },
    enums: { berth: { 0: 'Inner', 1: 'Outer' } },
  },
  display: {
    definitions: {
      price: {
        label: 'Price',
        format: 'tokenAmount',
        params: { nativeCurrencyAddress: ['$.metadata.constants.native'] },
      },
    },
    formats: {
      [moor]: {
        intent: { Harbour: 'Moor', Berth: 'One night' },
        fields: [
          { path: 'boat.owner', label: 'Skipper', format: 'addressName' },
          {
            path: '#.berth',
            label: 'Berth',
            format: 'enum',
            params: { $ref: '$.metadata.enums.berth' },
          },
          { path: 'night', label: 'Night', format: 'raw', visible: 'never' },
        ],
      },
    },
  },
}
const included = {
  'shared.json': shared,
  'own.json': {
    includes: 'shared.json',
    context: { contract: { deployments: [{ chainId: 1, address: harbour }] } },
    display: {
      formats: {
        [moor]: {
          fields: [
            { path: 'boat.owner', label: 'Owner of the boat' },
            {
              path: 'boat',
              fields: [
                {
                  path: 'price',
                  fields: [
                    {
                      path: 'fee',
                      $ref: '$.display.definitions.price',
                      params: { tokenPath: 'payIn' },
                    },
                  ],
                },
              ],
            },
            { path: '@.from', label: 'Payer', format: 'addressName' },
            { path: '@.to', label: 'Where', format: 'raw' },
            { path: '@.value', label: 'Value', format: 'amount' },
            { path: '$.metadata.constants.note', label: 'Note', format: 'raw' },
            { value: 'Thank you', label: 'Word', format: 'raw' },
          ],
        },
      },
    },
  },
}

test('default: includes, definitions, enums, nested paths and parties name a call', async () => {
  const { problems, call } = openFiles(included)
  expect(problems).toEqual([])
  const rows = async (payIn: string) =>
    rowsOf(await call(encode(moor, [{ owner: other, price: { fee: 2_500_000n, payIn } }, 1, true])))
  expect((await rows(usd)).slice(0, -2)).toEqual([
    ['Contract', harbour],
    ['Call', 'moor'],
    ['Purpose', '“Harbour: Moor, Berth: One night”'],
    ['Described by', '“Harbour”'],
    ['“Owner of the boat”', other],
    ['“Berth”', '“Outer” (1)'],
    ['“Night”', 'true'],
    ['“Price”', '2.5 USD'],
    ['Token', usd],
    ['“Payer”', account],
    ['“Where”', harbour],
  ])
  expect(await rows(coin)).toContainEqual(['“Price”', '0.0000000000025 ETH'])
})

const settle =
  'settle(uint256 until, uint256 height, uint32 wait, uint16 rate, int256 change, bytes32 id, uint256 item, bytes route, bytes inner, string words)'
const field = (path: string, format: string, params: object | null = null) => ({
  path,
  label: path,
  format,
  params,
})
const values = fileOf({
  [settle]: {
    intent: null,
    fields: [
      field('until', 'date', { encoding: 'timestamp' }),
      field('height', 'date', { encoding: 'blockheight' }),
      field('wait', 'duration'),
      field('rate', 'unit', { base: '%', decimals: '2', prefix: false }),
      field('change', 'raw'),
      field('id', 'raw'),
      field('item', 'nftName', { collectionPath: 'route.[-20:]' }),
      field('item', 'tokenAmount', { tokenPath: 'route.[0:20]' }),
      field('item', 'amount'),
      field('route.[:20]', 'addressName'),
      field('route.[20:22]', 'raw'),
      field('inner', 'calldata', { calleePath: '@.to' }),
      field('words', 'raw'),
      field('item', 'chainId'),
    ],
  },
})

test('default: each format shows what the bytes say', async () => {
  const { problems, call } = openFiles({ 'values.json': values })
  expect(problems).toEqual([])
  const route = `${usd}0bb8${share.slice(2)}`
  const id = `0x${'ab'.repeat(32)}`
  const args = [1_788_727_461n, 21n, 90_061, 250, -5n, id, 7n, route, '0x12345678', 'Ahoy']
  expect(rowsOf(await call(encode(settle, args))).slice(3, -2)).toEqual([
    ['“until”', '2026-09-06 20:44'],
    ['“height”', 'Block 21'],
    ['“wait”', '1 d 1 h 1 min 1 s'],
    ['“rate”', '2.5 “%”'],
    ['“change”', '-5'],
    ['“id”', id],
    ['“item”', 'item 7 of SHR'],
    ['Contract', share],
    ['“item”', '0.000007 USD'],
    ['Token', usd],
    ['“item”', '0.000000000000000007 ETH'],
    ['“route.[:20]”', usd],
    ['“route.[20:22]”', '0x0bb8'],
    ['“inner”', '0x12345678'],
    ['“words”', '“Ahoy”'],
    ['“item”', '7'],
  ])
})

test('param: functions by selector or by types alone have the names of the ABI in the file', async () => {
  const inputs = [
    { name: 'fee', type: 'uint256' },
    { name: 'boats', type: 'tuple[2]', components: [{ name: 'owner', type: 'address' }] },
  ]
  const abi = [{ type: 'function', name: 'moor', stateMutability: 'payable', inputs, outputs: [] }]
  const data = encode('moor(uint256,(address)[2])', [7n, [[usd], [share]]])
  for (const name of ['moor(uint256,(address)[2])', data.slice(0, 10)]) {
    const { problems, call } = openFiles({
      'moor.json': {
        ...fileOf({
          [name]: {
            intent: 'Moor',
            fields: [field('boats.[].owner', 'addressName'), field('#.fee', 'raw')],
          },
        }),
        context: { contract: { abi, deployments: [{ chainId: 1, address: harbour }] } },
      },
    })
    expect(problems).toEqual([])
    expect(namedOf(await call(data))).toEqual([
      ['“boats.[].owner”', usd],
      ['“boats.[].owner”', share],
      ['“#.fee”', '7'],
    ])
  }
})

const pay = 'pay(address[] coins, uint256[] sums, (address coin, uint256[] sums)[] lots)'
const lists = fileOf({
  [pay]: {
    intent: 'Pay',
    fields: [
      field('sums.[]', 'tokenAmount', { tokenPath: 'coins.[]' }),
      field('lots.[].sums.[]', 'tokenAmount', { tokenPath: 'lots.[].coin' }),
      field('sums.[0]', 'tokenAmount', { tokenPath: 'coins.[-1]' }),
      field('sums.[1:]', 'raw'),
      field('coins.1', 'raw'),
    ],
  },
})
const unknown = (amount: number) => `${amount} smallest units of an unknown token`

test('behavior: an amount in a list has the token at the same position, or no token', async () => {
  const { call } = openFiles({ 'lists.json': lists })
  const show = async (coins: string[], sums: bigint[], lots: object[]) =>
    namedOf(await call(encode(pay, [coins, sums, lots]))).filter(([label]) => label !== 'Token')
  const lots = [
    { coin: usd, sums: [1_000_000n, 2_000_000n] },
    { coin: share, sums: [] },
    { coin: share, sums: [3n * 10n ** 18n] },
  ]
  expect(await show([usd, share], [5_000_000n, 4n * 10n ** 18n], lots)).toEqual([
    ['“sums.[]”', '5 USD'],
    ['“sums.[]”', '4 SHR'],
    ['“lots.[].sums.[]”', '1 USD'],
    ['“lots.[].sums.[]”', '2 USD'],
    ['“lots.[].sums.[]”', '3 SHR'],
    ['“sums.[0]”', '0.000000000005 SHR'],
    ['“sums.[1:]”', '4000000000000000000'],
  ])
  expect(await show([usd], [1_000_000n, 7n], [])).toEqual([
    ['“sums.[]”', '1 USD'],
    ['“sums.[]”', unknown(7)],
    ['“sums.[0]”', '1 USD'],
    ['“sums.[1:]”', '7'],
  ])
})

const bridge = 'bridge(address token, uint256 amount, uint256 chain)'
test('behavior: an amount that the file ties to another network, a map or a cipher is a plain number', async () => {
  const { problems, call } = openFiles({
    'bridge.json': fileOf({
      [bridge]: {
        intent: 'Bridge',
        fields: [
          field('amount', 'tokenAmount', { tokenPath: 'token', chainIdPath: 'chain' }),
          field('amount', 'tokenAmount', { tokenPath: 'token', chainId: 10 }),
          {
            ...field('amount', 'tokenAmount', { tokenPath: 'token' }),
            encryption: { scheme: 'x' },
          },
          field('amount', 'tokenAmount', {
            token: { map: '$.metadata.owner', keyPath: '@.chainId' },
          }),
        ],
      },
    }),
  })
  expect(problems).toEqual([])
  expect(namedOf(await call(encode(bridge, [usd, 7n, 10n])))).toEqual([
    ...Array(3).fill(['“amount”', '7']),
    ['“amount”', unknown(7)],
  ])
})

test('behavior: values beyond those that are named are counted', async () => {
  const { call } = openFiles({ 'lists.json': lists })
  const sums = Array.from({ length: 75 }, (_, index) => BigInt(index))
  const rows = namedOf(await call(encode(pay, [[], sums, []])))
  expect(rows).toHaveLength(61)
  expect(rows).toContainEqual(['“sums.[]”', '25 more in the data'])
  expect(rows.at(-1)).toEqual([
    'Not listed',
    'Some names do not fit here. The data below is complete.',
  ])
})
