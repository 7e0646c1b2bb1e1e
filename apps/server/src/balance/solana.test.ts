import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountBalanceRoute, accountPortfolioRoute, encodeBase58 } from '@latchkey/wire'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  type Handler,
  honestSolana,
  startUpstream,
  tokenAccountData,
} from '../../test/fakeUpstream.ts'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import { createOutbound } from '../outbound/createOutbound.ts'
import { token2022Program, tokenProgram } from '../solana/address.ts'
import { openBalanceSources } from './openBalanceSources.ts'
import { balanceRoutes } from './routes.ts'

const genesis = '5ZZj1D5GxruNRRNgMXnCNbnGtQw6B5vUnGzeCe1P1dFz'
const chainId = `solana:${genesis.slice(0, 32)}` as const
const addressAt = (number: number) => encodeBase58(new Uint8Array(32).fill(number))
const [owner, stranger, usd, fee, bait, nft, plain] = [1, 2, 3, 4, 5, 6, 7].map(addressAt) as [
  string,
  ...string[],
] &
  Record<1 | 2 | 3 | 4 | 5 | 6, string>

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-balance-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('default: SOL first, tokens of both programs added up and named, NFTs and spam left out', async () => {
  const { get, nodes } = await start([honestSolana(genesis, rich)])
  const { status, balances } = await get(owner, `&chainId=${chainId}`)
  expect(status).toBe(200)
  const row = (fields: object) => ({ chainId, iconUrl: expect.any(String), ...fields })
  expect(balances).toEqual([
    row({ name: 'Sol', symbol: 'SOL', quantity: { decimals: '9', numeric: '1.500000001' } }),
    row({
      ...{ name: '', symbol: '', address: `${chainId}:${plain}` },
      quantity: { decimals: '2', numeric: '0.07' },
    }),
    row({
      ...{ name: 'Dev Dollar', symbol: 'dUSD', address: `${chainId}:${usd}` },
      quantity: { decimals: '6', numeric: '3.5' },
    }),
    row({
      ...{ name: 'Fee Token', symbol: 'FEE', address: `${chainId}:${fee}` },
      quantity: { decimals: '9', numeric: '18446744073.709551615' },
    }),
  ])
  // The chain's identity, the balances, and the names.
  expect(nodes[0]?.bodies).toEqual(['getGenesisHash', 'getBalance', 'getMultipleAccounts'])
  await get(owner)
  expect(nodes[0]?.bodies).toHaveLength(4)
})

test('behavior: more lamports than a number holds keep their last digits', async () => {
  const whale: Handler = (response, calls) => {
    const answers = calls.map(({ id, method }) => {
      const value = method === 'getBalance' ? '590000000123456789' : '[]'
      const result = method === 'getGenesisHash' ? JSON.stringify(genesis) : `{"value":${value}}`
      return `{"jsonrpc":"2.0","id":${id},"result":${result}}`
    })
    response.end(answers.length === 1 ? answers[0] : `[${answers.join(',')}]`)
  }
  const { get } = await start([whale])
  const { balances } = await get(owner, `&chainId=${chainId}`)
  expect(balances).toMatchObject([{ quantity: { numeric: '590000000.123456789' } }])
})

test('behavior: each mint is read once; a mint that cannot be read is left out until the next request', async () => {
  const results: Record<string, unknown> = { ...rich, getMultipleAccounts: new Error('busy') }
  const { get, nodes } = await start([honestSolana(genesis, results)])
  const count = async () => {
    const force = `&chainId=${chainId}&forceUpdate=${chainId}:${usd}`
    return (await get(owner, force)).balances.length
  }
  // The listed token has its decimals from the list.
  expect(await count()).toBe(2)
  results.getMultipleAccounts = rich.getMultipleAccounts
  expect(await count()).toBe(4)
  const asked = () => nodes[0]?.bodies.filter((method) => method === 'getMultipleAccounts').length
  const before = asked()
  expect(await count()).toBe(4)
  expect(asked()).toBe(before)
})

test('behavior: mints, and accounts of owners, that differ only in their last bits are distinguished', async () => {
  // A mint's cached data is found by the first bytes of an account. The mint ends within a base64
  // character that also contains bits of the owner.
  const differing = [0b00, 0b01, 0b10, 0b11].map((bits) => {
    const bytes = new Uint8Array(32).fill(9)
    bytes[31] = bits
    return encodeBase58(bytes)
  })
  const holders = [0x00, 0x40, 0x80, 0xc0].map((first) => {
    const bytes = new Uint8Array(32).fill(8)
    bytes[0] = first
    return encodeBase58(bytes)
  })
  const results = {
    ...rich,
    getTokenAccountsByOwner: ([of, { programId: program }]: TokenAccountsParameters) => ({
      value:
        program === tokenProgram
          ? differing.map((mint, at) => account({ mint, amount: BigInt(at + 1), program, of }))
          : [],
    }),
    getMultipleAccounts: ([mints]: [string[]]) => ({ value: mints.map(() => mintAccount(2)) }),
  }
  const { get } = await start([honestSolana(genesis, results)])
  for (const holder of [...holders, ...holders]) {
    const { balances } = await get(holder, `&chainId=${chainId}`)
    const held = balances.slice(1).map(({ address, quantity }) => [address, quantity.numeric])
    expect(held.sort()).toEqual(
      differing.map((mint, at) => [`${chainId}:${mint}`, `0.0${at + 1}`]).sort(),
    )
  }
})

test('param: forceUpdate: shown although empty, in the case of the request, without the cache', async () => {
  const { get, nodes } = await start([
    honestSolana(genesis, { ...rich, getTokenAccountsByOwner: none }),
  ])
  await get(owner, `&chainId=${chainId}`)
  const { balances } = await get(owner, `&chainId=${chainId}&forceUpdate=${chainId}:${usd}`)
  expect(balances.map(({ symbol, quantity }) => `${symbol} ${quantity.numeric}`)).toEqual([
    'SOL 1.500000001',
    'dUSD 0',
  ])
  expect(nodes[0]?.bodies.filter((method) => method === 'getBalance')).toHaveLength(2)
})

test('default: a portfolio names what is held', async () => {
  const { portfolio } = await start([honestSolana(genesis, rich)])
  const { data } = accountPortfolioRoute.result.parse(await portfolio(owner))
  expect(data.map(({ id }) => id)).toContain(`${chainId}:${usd}`)
})

const broken: [string, Record<string, unknown>][] = [
  ['accounts that are not a list', { getTokenAccountsByOwner: { value: null } }],
  ['an error', { getTokenAccountsByOwner: new Error('no such method here') }],
  ['a balance that is no number', { getBalance: { value: '7' } }],
  ['a negative balance', { getBalance: { value: -1 } }],
  ['another chain', { getGenesisHash: stranger }],
]
test.each(broken)('error: a node with %s is 503, never an empty wallet', async (_, results) => {
  const { get } = await start([honestSolana(genesis, { ...rich, ...results })])
  expect(await get(owner, `&chainId=${chainId}`)).toMatchObject({ status: 503, field: 'chainId' })
})

test('behavior: a failing node is followed by the next; foreign or malformed accounts are left out', async () => {
  const lies = {
    ...rich,
    getTokenAccountsByOwner: ([, { programId }]: TokenAccountsParameters) => ({
      value: [
        null,
        'x',
        { pubkey: addressAt(20), account: { owner: programId, data: ['AA==', 'base64'] } },
        { pubkey: addressAt(20), account: { owner: programId, data: ['!'.repeat(96), 'base64'] } },
        { pubkey: addressAt(20), account: { owner: programId, data: { parsed: { info: {} } } } },
        account({ mint: usd, of: stranger, amount: 9n, program: programId }),
        account({ mint: usd, amount: 9n, program: stranger }),
      ],
    }),
  }
  const { get } = await start([(response) => response.destroy(), honestSolana(genesis, lies)])
  const { balances } = await get(owner, `&chainId=${chainId}`)
  expect(balances.map(({ symbol }) => symbol)).toEqual(['SOL'])
})

test.each([
  ['0x0000000000000000000000000000000000000001', `&chainId=${chainId}`, 'address'],
  [owner.slice(1), `&chainId=${chainId}`, 'address'],
  [owner, '&chainId=eip155:5', 'address'],
  [owner, '&chainId=bip122:regtest', 'address'],
  [owner, '&chainId=polkadot:x', 'address'],
  [owner, `&forceUpdate=${chainId}:0x0000000000000000000000000000000000000001`, 'forceUpdate'],
])('error: %s%s', async (address, query, field) => {
  const { get } = await start([honestSolana(genesis, rich)])
  expect(await get(address, query)).toMatchObject({ status: 400, field })
})

type TokenAccountsParameters = [string, { programId: string }]
type Made = { mint: string; amount: bigint; program: string; of?: string }
const account = ({ mint, amount, program, of = owner }: Made) => ({
  pubkey: addressAt(30),
  account: { owner: program, data: tokenAccountData({ mint, owner: of, amount }) },
})
const none = { context: { slot: 1 }, value: [] }
const mintAccount = (decimals: number, extensions: unknown[] = []) => ({
  owner: extensions.length > 0 ? token2022Program : tokenProgram,
  data: { parsed: { type: 'mint', info: { decimals, extensions } } },
})
const metadata = (mint: string, name: string, symbol: string) =>
  mintAccount(9, [{ extension: 'tokenMetadata', state: { mint, name, symbol } }, null])
const mintAccounts = new Map<string, unknown>([
  [usd, mintAccount(6)],
  [nft, mintAccount(0)],
  [plain, mintAccount(2)],
  [fee, metadata(fee, 'Fee\u202e Token\n', 'FEE')],
  [bait, metadata(bait, 'Claim at example.com', 'USDC')],
])
const rich = {
  getBalance: { context: { slot: 1 }, value: 1_500_000_001 },
  getTokenAccountsByOwner([, { programId: program }]: TokenAccountsParameters) {
    const of = { program }
    if (program === tokenProgram)
      return {
        value: [
          account({ mint: usd, amount: 1_500_000n, ...of }),
          account({ mint: usd, amount: 2_000_000n, ...of }),
          account({ mint: nft, amount: 1n, ...of }),
          account({ mint: plain, amount: 7n, ...of }),
        ],
      }
    return {
      value: [
        account({ mint: fee, amount: 2n ** 64n - 1n, ...of }),
        account({ mint: bait, amount: 5n, ...of }),
      ],
    }
  },
  getMultipleAccounts: ([mints]: [string[]]) => ({
    value: mints.map((mint) => mintAccounts.get(mint) ?? null),
  }),
}

async function start(handlers: Handler[]) {
  const nodes = await Promise.all(handlers.map((handler) => startUpstream(handler)))
  onTestFinished(async () => void (await Promise.all(nodes.map(({ stop }) => stop()))))
  const list = join(folder, `${Math.random()}.json`)
  const token = { address: usd, name: 'Dev Dollar', symbol: 'dUSD', decimals: 6 }
  const tokens = [
    { chainId: 101, ...token, symbol: 'other chain' },
    { chainId: 104, ...token },
  ]
  await writeFile(list, JSON.stringify({ name: 'Test', tokens }))
  const solana = {
    ...chainWith(nodes.map(({ url }) => url)),
    nativeCurrency: { name: 'Sol', symbol: 'SOL', decimals: 9 },
    tokenLists: [list],
  }
  const services = makeServices({
    [chainId]: solana,
    'eip155:5': chainWith(['http://127.0.0.1:9']),
    'bip122:regtest': chainWith(['http://127.0.0.1:9']),
    'polkadot:x': chainWith(['http://127.0.0.1:9']),
  })
  const ways = { upstreams: createUpstreams(services), outbound: createOutbound(services) }
  const app = balanceRoutes(openBalanceSources(services, ways))
  const get = async (address: string, query = '') => {
    const response = await app.request(`/v1/account/${address}/balance?projectId=local${query}`)
    const json: unknown = await response.json()
    if (response.ok)
      return { status: response.status, field: '', ...accountBalanceRoute.result.parse(json) }
    const { reasons } = json as { reasons: { field: string }[] }
    return { status: response.status, field: reasons[0]?.field, balances: [] }
  }
  const portfolio = async (address: string): Promise<unknown> =>
    (await app.request(`/v1/account/${address}/portfolio?projectId=local`)).json()
  return { get, portfolio, nodes }
}
