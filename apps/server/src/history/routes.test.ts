import { accountHistoryRoute, type ChainId, type HistoryTransaction } from '@latchkey/wire'
import fc from 'fast-check'
import { encodeAbiParameters, getAddress } from 'viem/utils'
import { afterEach, expect, test } from 'vitest'
import { startUpstream } from '../../test/fakeUpstream.ts'
import { heldActivity } from '../../test/heldActivity.ts'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { startExplorer } from '../../test/startExplorer.ts'
import type { ActivityRow, ActivityTransfer } from '../activity/activity.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import { indexListedTokens } from '../tokens/listedTokens.ts'
import { createTokenFacts } from '../tokens/tokenFacts.ts'
import { evmHistory } from './evmHistory.ts'
import { comparePositions } from './mergePages.ts'
import { historyRoutes } from './routes.ts'

type Hex = `0x${string}`
const me = '0x00000000000000000000000000000000000000a1'
const you = '0x00000000000000000000000000000000000000b2'
/** The spelling with a checksum. */
const shown = (address: Hex) => getAddress(address)
const listed = '0x00000000000000000000000000000000000000d4'
const contracts = {
  gold: '0x0000000000000000000000000000000000000101',
  bytes32: '0x0000000000000000000000000000000000000102',
  liar: '0x0000000000000000000000000000000000000103',
  silent: '0x0000000000000000000000000000000000000104',
  fake: '0x0000000000000000000000000000000000000105',
  items: '0x0000000000000000000000000000000000000106',
  bait: '0x0000000000000000000000000000000000000107',
} as const

const text = (value: string) => encodeAbiParameters([{ type: 'string' }], [value])
const uint = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value])
const said: Record<string, [name: Hex, symbol: Hex, decimals: Hex]> = {
  [contracts.gold]: [text('Gold'), text('GLD'), uint(4n)],
  [contracts.bytes32]: [`0x4d616b6572${'0'.repeat(54)}`, `0x4d4b52${'0'.repeat(58)}`, uint(18n)],
  [contracts.liar]: [
    text(`\u202EevilA\u0000\n  B${'x'.repeat(500)}`),
    text('L'.repeat(99)),
    uint(2n ** 255n),
  ],
  [contracts.silent]: ['0x', '0x', '0x'],
  [contracts.fake]: [text('USD Coin'), text('USDC'), uint(6n)],
  [contracts.items]: [text('Dev Items'), text('ITM'), '0x'],
  [contracts.bait]: [text('Visit gift.com to claim'), text('GIFT'), '0x'],
}
const selectors = ['0x06fdde03', '0x95d89b41', '0x313ce567']

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const row = (block: number, changes: Partial<ActivityRow> = {}): ActivityRow => ({
  chainId: 'eip155:1',
  hash: `0x${block.toString(16).padStart(64, '0')}`,
  blockNumber: BigInt(block),
  index: 0,
  minedAtMs: Date.parse('2026-11-21T12:00:00Z') + block * 1000,
  from: me,
  to: you,
  created: undefined,
  nonce: block,
  valueWei: 0n,
  feeWei: 21_000n,
  selector: undefined,
  status: 'confirmed',
  transfers: [],
  ...changes,
})
const transfer = (changes: Partial<ActivityTransfer> = {}): ActivityTransfer => ({
  standard: 'erc20',
  contract: contracts.gold,
  from: you,
  to: me,
  tokenId: undefined,
  amount: 12_345n,
  ...changes,
})

test('default: newest first, in the wire format', async () => {
  const money = { standard: 'native', contract: undefined } as const
  const { get } = await start([
    row(1, { transfers: [transfer({ ...money, from: me, to: you, amount: 10n ** 18n + 1n })] }),
    row(2, { from: you, to: listed, transfers: [transfer({ contract: listed, amount: 5n })] }),
  ])
  expect(await get()).toEqual({
    status: 200,
    headers: { cache: null, retry: null },
    next: null,
    sync: { complete: false, progress: 2.5 / 3, since: '2026-01-02T00:00:00.000Z' },
    data: [
      {
        id: `eip155:1:${row(2).hash}`,
        metadata: {
          operationType: 'receive',
          hash: row(2).hash,
          minedAt: '2026-11-21T12:00:02.000Z',
          sentFrom: shown(you),
          sentTo: shown(me),
          status: 'confirmed',
          nonce: 2,
          application: null,
          chain: 'eip155:1',
          block: 2,
          fee: { numeric: '0.000000000000021', payer: shown(you) },
        },
        transfers: [
          {
            fungible_info: {
              ...{ name: 'Listed', symbol: 'USDC', icon: { url: 'http://icons/USDC' } },
              is_listed: true,
            },
            nft_info: null,
            direction: 'in',
            quantity: { numeric: '0.000005' },
            value: null,
            price: null,
            address: `eip155:1:${listed}`,
          },
        ],
      },
      expect.objectContaining({
        metadata: expect.objectContaining({ operationType: 'send', sentTo: shown(you) }),
        transfers: [
          {
            fungible_info: {
              ...{ name: 'Ether', symbol: 'ETH', icon: { url: 'http://icons/ETH' } },
              is_listed: true,
            },
            nft_info: null,
            direction: 'out',
            quantity: { numeric: '1.000000000000000001' },
            value: null,
            price: null,
          },
        ],
      }),
    ],
  })
})

test('default: an NFT has a name, our own picture and a flag', async () => {
  const nft = { standard: 'erc721', tokenId: 7n, amount: 1n } as const
  const { get } = await start([
    row(1, { from: you, transfers: [transfer({ ...nft, contract: contracts.items })] }),
    row(2, { from: you, transfers: [transfer({ ...nft, contract: contracts.bait })] }),
    row(3, { transfers: [transfer({ ...nft, contract: contracts.bait, tokenId: 2n ** 200n })] }),
  ])
  const { data } = await get()
  expect(data.map(({ transfers }) => transfers[0]?.nft_info)).toEqual([
    expect.objectContaining({
      name: 'Visit gift.com to claim #160693…1376',
      flags: { is_spam: false },
    }),
    expect.objectContaining({ name: 'Visit gift.com to claim #7', flags: { is_spam: true } }),
    {
      name: 'Dev Items #7',
      content: {
        preview: {
          url: `http://127.0.0.1:3000/v1/nft/eip155:1/${contracts.items}/7/image`,
          content_type: null,
        },
        detail: null,
      },
      flags: { is_spam: false },
    },
  ])
  expect(data[2]?.transfers[0]).toMatchObject({ tokenId: '7', quantity: { numeric: '1' } })
})

test('behavior: an NFT whose metadata is stored has its own name; a lure in the name, or a token, is spam', async () => {
  const nft = (tokenId: bigint) =>
    transfer({ standard: 'erc721', contract: contracts.items, tokenId, amount: 1n })
  const names = new Map([
    [`eip155:1:${contracts.items}:7`, 'Orbit #7'],
    [`eip155:1:${contracts.items}:8`, 'Visit gift.com to claim'],
    [`eip155:1:${contracts.items}:10`, '1,000 USDC'],
  ])
  const asked: bigint[] = []
  const { get } = await start([row(1, { from: you, transfers: [7n, 8n, 9n, 10n].map(nft) })], {
    findNftNames: async (_, ids) => {
      asked.push(...ids.map(({ tokenId }) => tokenId))
      return names
    },
  })
  const [found] = (await get()).data
  expect(found?.transfers.map(({ nft_info: nft }) => [nft?.name, nft?.flags.is_spam])).toEqual([
    ['Orbit #7', false],
    ['Visit gift.com to claim', true],
    ['Dev Items #9', false],
    ['1,000 USDC', true],
  ])
  expect(new Set(asked)).toEqual(new Set([7n, 8n, 9n, 10n]))
})

test('behavior: the fee is left out if it is unknown', async () => {
  const { get } = await start([row(1, { feeWei: undefined })])
  const [found] = (await get()).data
  expect(found?.metadata.block).toBe(1)
  expect(found?.metadata).not.toHaveProperty('fee')
})

test('behavior: the metadata of a token is cleaned and bounded; missing metadata is null', async () => {
  const of = (contract: Hex) => transfer({ contract })
  const { get } = await start([
    row(1, {
      transfers: [
        of(contracts.gold),
        of(contracts.bytes32),
        of(contracts.liar),
        of(contracts.silent),
      ],
    }),
  ])
  const [gold, old, liar, silent] = (await get()).data[0]?.transfers ?? []
  expect(gold?.fungible_info?.is_listed).toBeUndefined()
  expect(gold).toMatchObject({
    fungible_info: { symbol: 'GLD', icon: null },
    quantity: { numeric: '1.2345' },
  })
  expect(old).toMatchObject({ fungible_info: { name: 'Maker', symbol: 'MKR' } })
  expect(liar?.fungible_info?.name).toBe(`evilA B${'x'.repeat(72)}…`)
  expect(liar?.fungible_info?.symbol).toBe(`${'L'.repeat(39)}…`)
  expect(liar?.quantity.numeric).toBe('12345')
  expect(silent).toMatchObject({ fungible_info: { name: null, symbol: null } })
})

test('behavior: all contracts of a page are read together, once', async () => {
  const all = Object.values(contracts).map((contract) => transfer({ contract }))
  const { get, calls } = await start([row(1, { transfers: all })])
  await get()
  const { data } = await get()
  expect(data[0]?.transfers.length).toBe(7)
  expect(calls()).toBe(1)
})

test('behavior: transfers is always an array, empty if nothing moved; an entry with only spam is left out', async () => {
  const fake = transfer({ contract: contracts.fake })
  const poison = transfer({ contract: listed, from: me, to: you, amount: 0n })
  const { read } = await start([
    row(1),
    row(2, { from: you, to: contracts.fake, transfers: [fake] }),
    row(3, { from: you, to: listed, transfers: [poison] }),
    row(4, { from: you, to: you, transfers: [fake, transfer({ contract: listed })] }),
    row(5, { transfers: [fake] }),
  ])
  // The raw response, because our own schema would turn null into an empty array.
  const { data } = (await read()) as { data: HistoryTransaction[] }
  expect(data.every(({ transfers }) => Array.isArray(transfers))).toBe(true)
  expect(data.map(({ metadata, transfers }) => [metadata.nonce, transfers.length])).toEqual([
    [5, 1],
    [4, 1],
    [1, 0],
  ])
})

test('behavior: dust from others and transactions that move nothing are left out', async () => {
  const paid = (amount: bigint, changes: Partial<ActivityTransfer> = {}) =>
    transfer({ standard: 'native', contract: undefined, amount, ...changes })
  const dust = 10n ** 12n - 1n
  const { get } = await start([
    row(1, { from: you, to: me, transfers: [paid(dust)] }),
    row(2, { from: you, to: listed, transfers: [paid(dust, { from: listed })] }),
    row(3, { from: you, to: me }),
    row(4, { from: you, to: me, transfers: [paid(dust + 1n)] }),
    row(5, { from: you, to: listed, transfers: [paid(dust + 1n, { from: listed })] }),
    row(6, { transfers: [paid(dust, { from: me, to: you })] }),
    row(7, { to: me, transfers: [paid(dust, { from: me, to: me })] }),
    row(8, { from: you, to: me, selector: '0x12345678' }),
  ])
  const { data } = await get()
  expect(data.map(({ metadata }) => metadata.nonce)).toEqual([8, 7, 6, 5, 4])
})

test('default: a change of the balance without a transaction, with the blocks in which it happened', async () => {
  const moved = { standard: 'native', contract: undefined, amount: 10n ** 18n } as const
  const none = { hash: '0x', from: '0x', to: undefined } as const
  const { get } = await start([
    row(7, { ...none, sinceBlock: 6n, transfers: [transfer({ ...moved, from: '0x', to: me })] }),
    row(9, { ...none, sinceBlock: 7n, transfers: [transfer({ ...moved, from: me, to: '0x' })] }),
  ])
  const { data } = await get()
  expect(data).toMatchObject([
    {
      id: 'eip155:1:balance:9',
      metadata: { operationType: 'balance', hash: '', blocks: { after: 7, to: 9 } },
      transfers: [{ direction: 'out', quantity: { numeric: '1' } }],
    },
    {
      id: 'eip155:1:balance:7',
      metadata: { sentFrom: '', sentTo: '', blocks: { after: 6, to: 7 } },
      transfers: [{ direction: 'in', quantity: { numeric: '1' } }],
    },
  ])
})

test('behavior: spam makes no page short, but is not passed over without end', async () => {
  const spam = (block: number) =>
    row(block, { from: you, transfers: [transfer({ contract: contracts.bait })] })
  const rows = Array.from({ length: 500 }, (_, at) => (at % 4 === 1 ? row(at) : spam(at)))
  const { get, all } = await start(rows)
  expect((await get()).data.length).toBe(50)
  expect((await all()).map(({ metadata }) => metadata.nonce)).toEqual(
    rows
      .filter((one) => one.from === me)
      .map(({ nonce }) => nonce)
      .reverse(),
  )
  const flood = await start(
    Array.from({ length: 1_000 }, (_, at) => (at === 0 ? row(at) : spam(at))),
  )
  const first = await flood.get()
  expect(first.data).toEqual([])
  expect(first.next).not.toBeNull()
  expect((await flood.all()).length).toBe(1)
})

test('param: cursor, 50 on a page, null at the end', async () => {
  const { get } = await start(Array.from({ length: 100 }, (_, at) => row(at)))
  const first = await get()
  expect(first.data.length).toBe(50)
  const second = await get(`&cursor=${first.next}`)
  expect(second.data.map(({ metadata }) => metadata.nonce)).toEqual(
    Array.from({ length: 50 }, (_, at) => 49 - at),
  )
  expect(second.next).toBeNull()
})

test('param: chainId; without it all networks together, in one order, while new rows come', async () => {
  const chains = fc.constantFrom<ChainId>('eip155:1', 'eip155:2', 'eip155:10')
  const places = fc.uniqueArray(fc.tuple(chains, fc.nat(40), fc.nat(3)), {
    maxLength: 160,
    selector: (place) => place.join(),
  })
  await fc.assert(
    fc.asyncProperty(places, async (made) => {
      const rows = made.map(([chainId, block, index]) =>
        row(block, { chainId, index, minedAtMs: Math.floor(block / 3) * 1000 }),
      )
      const named = (one: {
        chainId?: string
        metadata?: { chain: string | null }
        nonce?: number
      }) => one.chainId ?? one.metadata?.chain
      const expected = [...rows].sort(comparePositions).map(named)
      let block = 100
      const { all, get } = await start(rows, { grow: () => row(block++) })
      const only = await get('&chainId=2')
      const found = await all()
      expect(found.map(named)).toEqual(expected)
      expect(only.data.every((one) => named(one) === 'eip155:2')).toBe(true)
    }),
    { numRuns: 20 },
  )
})

test('param: onramp is an empty list, currency any of the nine', async () => {
  const { get } = await start([row(1)])
  expect(await get('&onramp=coinbase')).toMatchObject({ status: 200, data: [], next: null })
  expect(await get('&currency=EUR')).toMatchObject({ status: 200, data: [{}] })
})

test('error: an onramp provider that is not supported is 400', async () => {
  const { get } = await start([row(1)])
  for (const query of ['&onramp=moonpay', '&onramp=', '&onramp=Coinbase'])
    expect(await get(query)).toMatchObject({ status: 400, field: 'provider' })
})

test('behavior: the progress covers all requested networks', async () => {
  const { get } = await start([])
  expect((await get()).sync).toEqual({
    complete: false,
    progress: 2.5 / 3,
    since: '2026-01-02T00:00:00.000Z',
  })
  expect((await get('&chainId=1')).sync).toEqual({ complete: true, progress: 1, since: null })
})

test('behavior: what is stored is answered while the chain cannot be reached', async () => {
  const { get, stopNode } = await start([row(1, { transfers: [transfer()] })])
  await stopNode()
  const { status, data } = await get()
  expect([status, data[0]?.transfers[0]?.fungible_info?.name]).toEqual([200, null])
})

test.each([
  ['0x12', '', 'address'],
  ['7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV', '', 'address'],
  [me, '&chainId=solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'address'],
  [me, '&chainId=eip155:999', 'chainId'],
  [me, '&chainId=', 'chainId'],
  [me, '&chainId=eip155:3', 'chainId'],
  [me, '&currency=xyz', 'currency'],
  [me, '&cursor=', 'cursor'],
  [me, '&cursor=2', 'cursor'],
  [me, `&cursor=${'A'.repeat(58)}`, 'cursor'],
])('error: %s %s is 400', async (address, query, field) => {
  const { get } = await start([row(1)])
  expect(await get(query, address)).toMatchObject({ status: 400, field })
})

test('behavior: a token that is sent went to who got it, not to its contract; several have no one', async () => {
  const other = `0x${'77'.repeat(20)}` as const
  const sent = { contract: listed, from: me, to: you } as const
  const { get } = await start([
    row(1, { from: me, to: listed, transfers: [transfer(sent)] }),
    row(2, { from: me, to: other, transfers: [transfer(sent), transfer({ ...sent, to: other })] }),
    row(3, { from: other, to: listed, transfers: [transfer({ ...sent, from: you, to: me })] }),
  ])
  const { data } = await get()
  expect(data.map(({ metadata }) => [metadata.sentFrom, metadata.sentTo])).toEqual([
    [shown(you), shown(me)],
    [shown(me), shown(other)],
    [shown(me), shown(you)],
  ])
})

test('error: a cursor of another address or network is 400', async () => {
  const { get } = await start(Array.from({ length: 60 }, (_, at) => row(at)))
  const { next } = await get()
  expect(await get(`&cursor=${next}`)).toMatchObject({ status: 200 })
  expect(await get(`&cursor=${next}`, you)).toMatchObject({ status: 400, field: 'cursor' })
  expect(await get(`&cursor=${next}&chainId=1`)).toMatchObject({ status: 400, field: 'cursor' })
})

test('error: a source that is away is 503 with Retry-After', async () => {
  const { get } = await start([], { outside: 429 })
  expect(await get('&chainId=eip155:4')).toMatchObject({
    status: 503,
    field: 'provider',
    headers: { retry: '60' },
  })
})

/** A node with the answers in `said`, and the number of requests for them. */
async function startNode() {
  let calls = 0
  const node = await startUpstream((response, asked) => {
    if (asked.some(({ method }) => method === 'eth_call')) calls++
    const answers = asked.map(({ id, method, params }) => {
      const [{ to, data } = { to: '', data: '' }] = (params ?? []) as { to: string; data: string }[]
      const result = method === 'eth_chainId' ? '0x1' : said[to]?.[selectors.indexOf(data)]
      return { jsonrpc: '2.0', id, result: result ?? '0x' }
    })
    response.end(JSON.stringify(answers.length === 1 ? answers[0] : answers))
  })
  stops.push(node.stop)
  return { ...node, calls: () => calls }
}

test('behavior: who asks for the first time waits for the newest rows', async () => {
  const rows: ActivityRow[] = []
  let isGrowing = true
  const { get, tell } = await start(rows, { isGrowing: () => isGrowing, patienceMs: 60_000 })
  const first = get()
  rows.push(row(1), row(2))
  tell('eip155:1', 'sync')
  isGrowing = false
  tell('eip155:1', 'changed')
  const { data, next } = await first
  expect([data.length, next]).toEqual([2, null])
})

test('behavior: next is never null while more may come, and no entry appears twice', async () => {
  const rows: ActivityRow[] = []
  let isGrowing = true
  const { get } = await start(rows, { isGrowing: () => isGrowing, patienceMs: 0 })
  const nothing = await get()
  expect([nothing.data, typeof nothing.next]).toEqual([[], 'string'])
  rows.push(row(8), row(9))
  const some = await get(`&cursor=${nothing.next}`)
  expect(some.data.map(({ metadata }) => metadata.nonce)).toEqual([9, 8])
  const none = await get(`&cursor=${some.next}`)
  expect([none.data, typeof none.next]).toEqual([[], 'string'])
  rows.push(row(3))
  isGrowing = false
  const end = await get(`&cursor=${none.next}`)
  expect([end.data.map(({ metadata }) => metadata.nonce), end.next]).toEqual([[3], null])
})

type Options = {
  readonly grow?: () => ActivityRow
  readonly outside?: number
  readonly isGrowing?: () => boolean
  readonly patienceMs?: number
  readonly findNftNames?: Parameters<typeof evmHistory>[1]['findNftNames']
}

async function start(rows: ActivityRow[], options: Options = {}) {
  const { grow, outside, isGrowing, patienceMs, findNftNames } = options
  const node = await startNode()
  const chain = chainWith([node.url])
  const explorer =
    outside === undefined
      ? undefined
      : await startExplorer([], (_, response) => {
          response.writeHead(outside, { 'retry-after': '60' }).end()
          return true
        })
  if (explorer) stops.push(explorer.stop)
  const services = makeServices({
    'eip155:1': chain,
    'eip155:2': chain,
    'eip155:10': chain,
    'eip155:3': { ...chain, activity: { source: 'off' } },
    ...(explorer && {
      'eip155:4': { ...chain, activity: { source: 'etherscan' as const, url: explorer.origin } },
    }),
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': chain,
  })
  const { activity, tell } = heldActivity(rows, isGrowing)
  const upstreams = createUpstreams(services)
  const tokens = [{ address: listed, name: 'Listed', symbol: 'USDC', decimals: 6 }] as const
  const eip155 = evmHistory(services, {
    readPurchases: async ({ provider }) => (provider === 'coinbase' ? [] : undefined),
    activity,
    ...(patienceMs !== undefined && { patienceMs }),
    ...(findNftNames && { findNftNames }),
    upstreams,
    getListed: indexListedTokens(services, async () => tokens),
    getFacts: createTokenFacts({ ...services, upstreams }),
    getTokenIcon: (symbol) => (symbol === 'GLD' ? '' : `http://icons/${symbol}`),
  })
  const app = historyRoutes(services, { eip155 })
  const request = (query: string, address: string) =>
    app.request(`/v1/account/${address}/history?projectId=local${query}`)
  const read = async (): Promise<unknown> => (await request('', me)).json()
  const get = async (query = '', address: string = me) => {
    const response = await request(query, address)
    const headers = {
      cache: response.headers.get('cache-control'),
      retry: response.headers.get('retry-after'),
    }
    const json: unknown = await response.json()
    if (response.ok)
      return { status: response.status, headers, ...accountHistoryRoute.result.parse(json) }
    const { reasons } = json as { reasons: { field: string }[] }
    const nothing = { data: [], next: null, sync: undefined }
    return { status: response.status, headers, field: reasons[0]?.field, ...nothing }
  }
  const all = async (query = '') => {
    const found: HistoryTransaction[] = []
    let next: string | null = ''
    while (next !== null) {
      const page = await get(next === '' ? query : `${query}&cursor=${next}`)
      found.push(...page.data)
      next = page.next
      if (grow) rows.push(grow())
    }
    return found
  }
  return { get, read, all, tell, calls: node.calls, stopNode: node.stop }
}
