import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { keccak256, stringToHex, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { openDescriptions } from './openDescriptions.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const chainId = 'eip155:31337'
const key = toFunctionSelector('swap((address,uint256),bytes)')

/** Opens descriptions in a folder with these files. */
function open(files: Record<string, unknown>, abis: Record<string, unknown> = {}) {
  const [descriptorsDir, abisDir] = [write(files), write(abis)]
  const problems: string[] = []
  const descriptions = openDescriptions({ descriptorsDir, abisDir }, (one) => problems.push(one))
  return { descriptions, problems, descriptorsDir }
}

function write(files: Record<string, unknown>): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-descriptions-'))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(
      join(folder, name),
      typeof content === 'string' ? content : JSON.stringify(content),
    )
  }
  return folder
}

const context = { contract: { deployments: [{ chainId: 31337, address }] } }
const swap = 'swap((address token, uint256 amount) order, bytes data)'
const router = {
  context,
  metadata: {
    owner: 'Exchange',
    constants: { native: '0x0000000000000000000000000000000000000000' },
    enums: { mode: { 0: 'In', 1: 'Out' } },
  },
  display: {
    definitions: {
      amount: {
        label: 'Amount',
        format: 'tokenAmount',
        params: { nativeCurrencyAddress: ['$.metadata.constants.native'] },
      },
    },
    formats: {
      [swap]: {
        intent: 'Swap',
        fields: [
          {
            path: 'order',
            fields: [
              {
                path: 'amount',
                $ref: '$.display.definitions.amount',
                params: { tokenPath: 'token' },
              },
            ],
          },
          {
            path: '#.data',
            label: 'Mode',
            format: 'enum',
            params: { $ref: '$.metadata.enums.mode' },
          },
          { path: '@.value', label: 'Value', format: 'amount' },
          { path: 'data', label: 'New', format: 'interpolatedThing' },
        ],
        required: ['order.amount'],
        excluded: ['data'],
      },
    },
  },
}

test('default: a file of the public registry names a call of its contracts, with references replaced', async () => {
  const { descriptions, problems } = open({ 'registry/exchange/calldata-router.json': router })
  expect(problems).toEqual([])
  const found = await descriptions.find({ chainId, address: address.toLowerCase(), key })
  expect(found).toMatchObject({
    source: 'descriptor',
    name: 'swap',
    owner: 'Exchange',
    intent: 'Swap',
  })
  expect(found?.fields).toEqual([
    {
      path: '#.order.amount',
      label: 'Amount',
      format: 'tokenAmount',
      tokenPath: '#.order.token',
      native: ['0x0000000000000000000000000000000000000000'],
    },
    { path: '#.data', label: 'Mode', format: 'enum', values: { 0: 'In', 1: 'Out' } },
    { path: '#.data', label: 'New', format: 'raw' },
  ])
  expect(found?.inputs?.[0]?.components?.map(({ name }) => name)).toEqual(['token', 'amount'])
})

test('error: another network, contract or function has no names', async () => {
  const { descriptions } = open({ 'router.json': router })
  const other = `0x${'11'.repeat(20)}`
  expect(await descriptions.find({ chainId: 'eip155:1', address, key })).toBeUndefined()
  expect(await descriptions.find({ chainId, address: other, key })).toBeUndefined()
  expect(await descriptions.find({ chainId, address, key: '0x12345678' })).toBeUndefined()
})

const encodedType = 'Vote(uint256 id,Choice choice)Choice(uint8 side)'
const vote = (formats: object, more: object = {}) => ({
  context: { eip712: { deployments: [{ chainId: 31337, address }], ...more } },
  display: { formats },
})
const fields = [{ path: 'choice.side', label: 'Side', format: 'raw' }]

test('param: typed data is named by its encoded type, or by its name and a schema', async () => {
  const types = {
    Vote: [
      { name: 'id', type: 'uint256' },
      { name: 'choice', type: 'Choice' },
    ],
    Choice: [{ name: 'side', type: 'uint8' }],
  }
  for (const file of [
    vote({ [encodedType]: { fields } }),
    vote({ Vote: { fields } }, { schemas: [{ primaryType: 'Vote', types }] }),
  ]) {
    const { descriptions, problems } = open({ 'vote.json': file })
    expect(problems).toEqual([])
    const found = await descriptions.find({
      chainId,
      address,
      key: keccak256(stringToHex(encodedType)),
    })
    expect(found).toMatchObject({ encodedType, fields: [{ path: '#.choice.side', label: 'Side' }] })
  }
})

test('param: a file includes another of the folder, and its own entries count more', async () => {
  const { context: _, ...common } = router
  const { descriptions, problems } = open({
    'common/router.json': common,
    'own.json': { includes: 'common/router.json', context, metadata: { owner: 'Own' } },
  })
  expect(problems).toEqual([])
  expect(await descriptions.find({ chainId, address, key })).toMatchObject({
    owner: 'Own',
    intent: 'Swap',
  })
})

const withFields = (list: unknown[], more: object = {}) => ({
  context,
  ...more,
  display: {
    definitions: { a: { $ref: '$.display.definitions.a' } },
    formats: { [swap]: { fields: list } },
  },
})

test.each<[string, unknown, RegExp]>([
  ['that is not JSON', '{', /JSON/],
  ['that is too large', `"${'x'.repeat(1_048_577)}"`, /larger/],
  ['that includes itself', { includes: 'bad.json' }, /includes itself/],
  ['that includes a file outside', { includes: '../../etc/passwd' }, /outside|no such file/],
  ['that includes a URL', { includes: 'https://example.org/a.json' }, /never fetched/],
  [
    'with references in circles',
    withFields([{ path: 'data', $ref: '$.display.definitions.a' }]),
    /circular/,
  ],
  [
    'with a reference to nothing',
    withFields([{ path: 'data', $ref: '$.nowhere' }]),
    /does not exist/,
  ],
  [
    'with a label that is too long for the frame',
    withFields([{ path: 'data', label: 'ok', format: 'unit', params: { base: 'x'.repeat(31) } }]),
    /base/,
  ],
  [
    'for a selector without an ABI',
    { context, display: { formats: { '0x12345678': { fields } } } },
    /no ABI/,
  ],
  [
    'with a signature that is none',
    { context, display: { formats: { 'swap(': { fields } } } },
    /swap\(/,
  ],
])('error: a file %s is left out and named, and the others are read', async (_, file, problem) => {
  const { descriptions, problems } = open({ 'bad.json': file, 'router.json': router })
  expect(problems.join()).toMatch(problem)
  expect(problems[0]).toContain('bad.json')
  expect(await descriptions.find({ chainId, address, key })).toMatchObject({ intent: 'Swap' })
})

test('error: a link to a file outside the folder is not followed', async () => {
  const outside = join(write({ 'router.json': router }), 'router.json')
  const { descriptorsDir } = open({})
  symlinkSync(outside, join(descriptorsDir, 'link.json'))
  const read = openDescriptions({ descriptorsDir, abisDir: undefined }, () => {})
  expect(await read.find({ chainId, address, key })).toBeUndefined()
})

const abi = [
  { type: 'event', name: 'swap', inputs: [] },
  {
    type: 'function',
    name: 'swap',
    stateMutability: 'nonpayable',
    outputs: [],
    inputs: [
      {
        name: 'order',
        type: 'tuple',
        internalType: 'struct Order',
        components: [
          { name: 'token', type: 'address' },
          { name: 'amount', type: 'uint256' },
        ],
      },
      { name: 'data', type: 'bytes' },
    ],
  },
]

test.each([
  [`contracts/full_match/31337/${address}/metadata.json`, { output: { abi } }],
  [`contracts/partial_match/31337/${address}/metadata.json`, { output: { abi } }],
  [`31337/${address}.json`, abi],
])('param: a verified ABI at %s names the parameters', async (place, content) => {
  const { descriptions } = open({}, { [place]: content })
  const found = await descriptions.find({ chainId, address, key })
  expect(found).toMatchObject({ source: 'abi', name: 'swap', fields: [] })
  expect(found?.inputs?.map(({ name }) => name)).toEqual(['order', 'data'])
  expect(await descriptions.find({ chainId: 'eip155:1', address, key })).toBeUndefined()
})

test('behavior: a file for the function counts more than the ABI, and a broken ABI is ignored', async () => {
  const place = `31337/${address}.json`
  const both = open({ 'router.json': router }, { [place]: abi })
  expect((await both.descriptions.find({ chainId, address, key }))?.source).toBe('descriptor')
  for (const broken of ['{', [{ type: 'function', name: 'swap' }], { abi }]) {
    const { descriptions } = open({}, { [place]: broken })
    expect(await descriptions.find({ chainId, address, key })).toBeUndefined()
  }
})
