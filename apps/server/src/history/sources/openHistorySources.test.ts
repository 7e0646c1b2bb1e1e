import type { ServerResponse } from 'node:http'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { startUpstream } from '../../../test/fakeUpstream.ts'
import { chainWith, makeServices } from '../../../test/makeServices.ts'
import { minedAt, type Seen, startExplorer } from '../../../test/startExplorer.ts'
import type { Activity, ActivityPosition, ActivityRow } from '../../activity/activity.ts'
import { createUpstreams } from '../../nodes/upstreams.ts'
import type { HistorySource } from './historySource.ts'
import { openHistorySources } from './openHistorySources.ts'

type Hex = `0x${string}`
const chainId = 'eip155:1'
const me = '0x00000000000000000000000000000000000000a1'
const you = '0x00000000000000000000000000000000000000b2'
const router = '0x00000000000000000000000000000000000000c3'
const gold = '0x00000000000000000000000000000000000000d4'
const kinds = ['etherscan', 'blockscout'] as const
const key = 'operators-secret'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

test.each(kinds)('default: %s, one transaction with all it moved', async (kind) => {
  const { page } = await start(kind, [
    seen(7, 3, {
      from: me,
      to: router,
      value: 5n,
      input: '0x38ed1739ff',
      internal: [{ from: router, to: me, value: 2n }],
      tokens: [
        token({ from: router, to: me, amount: 10n ** 30n }),
        token({ standard: 'erc721', from: router, to: me, id: 2n ** 255n }),
        token({ standard: 'erc1155', from: me, to: router, id: 4n, amount: 6n }),
      ],
    }),
  ])
  const { rows, next } = await page()
  expect(next).toBeUndefined()
  expect(rows.map((row) => ({ ...row, transfers: [] }))).toEqual([
    {
      chainId,
      hash: hashAt(7, 3),
      blockNumber: 7n,
      index: 3,
      minedAtMs: minedAt(7) * 1000,
      from: me,
      to: router,
      created: undefined,
      nonce: 5,
      valueWei: 5n,
      feeWei: 21_000_000_000_000n,
      selector: '0x38ed1739',
      status: 'confirmed',
      transfers: [],
    },
  ])
  const money = { contract: undefined, tokenId: undefined, standard: 'native' }
  expect(sorted(rows[0]?.transfers ?? [])).toEqual(
    sorted([
      { ...money, from: me, to: router, amount: 5n },
      { ...money, from: router, to: me, amount: 2n },
      {
        standard: 'erc20',
        contract: gold,
        tokenId: undefined,
        from: router,
        to: me,
        amount: 10n ** 30n,
      },
      { standard: 'erc721', contract: gold, tokenId: 2n ** 255n, from: router, to: me, amount: 1n },
      { standard: 'erc1155', contract: gold, tokenId: 4n, from: me, to: router, amount: 6n },
    ]),
  )
})

test.each(kinds)(
  'behavior: %s, what only a token list names has its sender and place from the node',
  async (kind) => {
    const { page } = await start(kind, [
      seen(9, 4, {
        from: you,
        to: gold,
        input: '0xa9059cbb',
        tokens: [token({ from: you, to: me })],
      }),
      seen(9, 2, { from: you, to: router, internal: [{ from: router, to: me, value: 8n }] }),
      seen(8, 0, { from: me, to: gold, failed: true, value: 9n }),
    ])
    const { rows } = await page()
    expect(
      rows.map(({ index, from, to, selector, status, nonce }) => [
        index,
        from,
        to,
        selector,
        status,
        nonce,
      ]),
    ).toEqual([
      [4, you, gold, '0xa9059cbb', 'confirmed', 77],
      [2, you, router, undefined, 'confirmed', 77],
      [0, me, gold, undefined, 'failed', 5],
    ])
    expect(rows.at(-1)?.transfers).toEqual([])
  },
)

test.each(kinds)(
  'behavior: %s, events that the node has forgotten are still reported',
  async (kind) => {
    const world = [seen(9, 4, { from: you, to: gold, tokens: [token({ from: you, to: me })] })]
    const { page } = await start(kind, world, { known: [] })
    const [row] = (await page()).rows
    expect(row).toMatchObject({ from: you, to: gold, nonce: 0, status: 'confirmed' })
    expect(row?.transfers.length).toBe(1)
  },
)

test.each(kinds)(
  'behavior: %s, pages without gap or duplicate across lists, large blocks and new transactions',
  async (kind) => {
    const world = makeWorld(700)
    const { page } = await start(kind, world)
    const expected = world.map(({ hash }) => hash)
    const found: ActivityRow[] = []
    let after: ActivityPosition | undefined
    do {
      const got = await page(after, 37)
      found.push(...got.rows)
      if (got.next !== undefined) expect(got.rows.length).toBe(37)
      after = got.next
      const block = 10_000 + found.length
      world.push(seen(block, 0, { from: you, to: me, value: 1n }))
    } while (after !== undefined)
    expect(found.map(({ hash }) => hash)).toEqual(expected)
    const given = (rows: readonly { hash: string }[]) => new Map(rows.map((row) => [row.hash, row]))
    const moved = given(found) as Map<string, ActivityRow>
    for (const one of world.filter(({ block }) => block < 10_000)) {
      const own = one.from === me || one.to === me
      const count =
        one.tokens.length + one.internal.length + (own && one.value > 0n && !one.failed ? 1 : 0)
      expect([one.hash, moved.get(one.hash)?.transfers.length]).toEqual([one.hash, count])
    }
  },
  60_000,
)

test.each(kinds)('behavior: %s, a place on another chain counts by its time', async (kind) => {
  const { page } = await start(kind, makeWorld(60))
  const all = (await page(undefined, 100)).rows
  const at = all[30]
  if (at === undefined) throw new Error('There are 60 rows')
  const { minedAtMs } = at
  const place = { minedAtMs, blockNumber: 5n, index: 1 }
  const later = await page({ ...place, chainId: 'eip155:0' }, 100)
  expect(later.rows).toEqual(all.filter((row) => row.minedAtMs < minedAtMs))
  const before = await page({ ...place, chainId: 'eip155:9' }, 100)
  expect(before.rows).toEqual(all.filter((row) => row.minedAtMs <= minedAtMs))
})

const refuse =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, headers).end('{}')
const say = (body: string) => (response: ServerResponse) => response.writeHead(200).end(body)
const failures: [string, (response: ServerResponse) => void, tries: number][] = [
  ['429', refuse(429), 3],
  ['429 for a minute', refuse(429, { 'retry-after': '60' }), 1],
  ['500', refuse(500), 3],
  ['403', refuse(403), 1],
  ['a redirect', refuse(302, { location: 'http://127.0.0.1:9/' }), 1],
  ['no JSON', say('<html>'), 3],
  ['other JSON', say('[1]'), 1],
  ['rows of another shape', say('{"status":"1","message":"OK","result":[{}],"items":[{}]}'), 1],
  [
    'an end in the middle',
    (response) => void response.writeHead(200).write('{', () => response.destroy()),
    3,
  ],
  ['silence', () => {}, 1],
  ['an endless answer', (response) => endless(response), 1],
]

test.each(
  kinds.flatMap((kind) => failures.map(([name, ...rest]) => [kind, name, ...rest] as const)),
)('error: %s says %s', async (kind, name, answer, tries) => {
  const timeoutMs = name === 'silence' ? 2_000 : 30_000
  const { page, urls } = await start(kind, [], { answer, timeoutMs })
  await expect(page()).rejects.toMatchObject({ code: 'HISTORY_UNAVAILABLE' })
  expect(urls.length).toBe(tries)
})

const mined = { timeStamp: '1700000000', blockNumber: '7', transactionIndex: '0' }
test.each([
  { ...mined, timeStamp: '999999999999999' },
  { ...mined, blockNumber: '9'.repeat(30) },
  { ...mined, transactionIndex: '4294967296' },
])('error: Etherscan says what no chain has: %j', async (changes) => {
  const common = { hash: hashAt(7, 0), nonce: '1', from: me, to: you, value: '1' }
  const body = JSON.stringify({ status: '1', message: 'OK', result: [{ ...common, ...changes }] })
  const { page } = await start('etherscan', [], { answer: say(body) })
  await expect(page()).rejects.toMatchObject({ code: 'HISTORY_UNAVAILABLE' })
})

test('behavior: a request waits for the rate limit of Etherscan', async () => {
  let refused = 0
  const limited = '{"status":"0","message":"NOTOK","result":"Max rate limit reached"}'
  const { page } = await start('etherscan', [seen(1, 0, { from: me, to: you })], {
    answer: (response) => (refused++ === 0 ? say(limited)(response) : false),
  })
  expect((await page()).rows.length).toBe(1)
})

test.each(kinds)('error: %s, a node that is away is RPC_UNAVAILABLE', async (kind) => {
  const world = [seen(9, 4, { from: you, to: gold, tokens: [token({ from: you, to: me })] })]
  const { page, stopNode } = await start(kind, world)
  await stopNode()
  await expect(page()).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE' })
})

test.each(kinds)('behavior: %s, the key is sent and in no log', async (kind) => {
  const { page, urls, logged } = await start(kind, [], { answer: refuse(500) })
  await expect(page()).rejects.toMatchObject({ code: 'HISTORY_UNAVAILABLE' })
  expect(urls[0]?.searchParams.get('apikey')).toBe(key)
  expect(logged()).toContain('history source failed')
  expect(logged()).not.toContain(key)
})

test.each(kinds)('error: %s, calldata larger than an answer may be', async (kind) => {
  const input = `0xa9059cbb${'ff'.repeat(100_000)}`
  const world = Array.from({ length: 20 }, (_, at) => seen(at, 0, { to: me, input }))
  const { rows } = await (await start(kind, world)).page()
  expect(rows.map(({ selector }) => selector)).toEqual(world.map(() => '0xa9059cbb'))
})

const floods: [(typeof kinds)[number], string, () => Partial<Seen>][] = [
  [
    'etherscan',
    'transfers',
    () => ({ tokens: Array.from({ length: 4_100 }, () => token({ to: me })) }),
  ],
  [
    'blockscout',
    'calls without money',
    () => ({ internal: Array.from({ length: 2_100 }, () => ({ from: you, to: me, value: 0n })) }),
  ],
]
test.each(floods)(
  'error: %s, a transaction with thousands of %s: it is named, and the list goes on',
  async (kind, _, create) => {
    const own = (block: number) => seen(block, 0, { to: me, value: 1n })
    const world = [own(9), seen(8, 0, create()), own(7), own(6)]
    const { page } = await start(kind, world)
    const first = await page()
    const second = await page(first.next)
    const third = await page(second.next)
    const pages = [first, second, third]
    const blocks = pages.map(({ rows }) => rows.map(({ blockNumber }) => blockNumber))
    expect(blocks.flat().filter((block) => block !== 8n)).toEqual([9n, 7n, 6n])
    expect(pages.map(({ unread }) => unread)).toEqual([
      undefined,
      { blocks: 1, latestMs: minedAt(8) * 1000 },
      undefined,
    ])
    expect([second.next !== undefined, third.next]).toEqual([true, undefined])
  },
)

const hashAt = (block: number, index: number): Hex =>
  `0x${block.toString(16).padStart(32, '0')}${index.toString(16).padStart(32, '0')}`

const seen = (block: number, index: number, changes: Partial<Seen>): Seen => ({
  block,
  index,
  hash: hashAt(block, index),
  from: you,
  to: router,
  value: 0n,
  input: '0x',
  failed: false,
  internal: [],
  tokens: [],
  ...changes,
})

const token = (changes: Partial<Seen['tokens'][number]>): Seen['tokens'][number] => ({
  standard: 'erc20',
  contract: gold,
  from: you,
  to: me,
  id: 0n,
  amount: 1n,
  ...changes,
})

/**
 * Newest first: sparse blocks and full ones, transactions that one list names, or several, or
 * tokens alone.
 */
function makeWorld(count: number): Seen[] {
  const world = Array.from({ length: count }, (_, at) => {
    const block = at < count / 2 ? Math.floor(at / 90) : at
    const index = at < count / 2 ? at % 90 : 1
    const standard = (['erc20', 'erc721', 'erc1155'] as const)[at % 3] ?? 'erc20'
    const many = Array.from({ length: at % 11 === 0 ? 7 : 1 }, (_, id) =>
      token({ standard, id: BigInt(id) }),
    )
    return [
      seen(block, index, { from: me, to: you, value: 3n, failed: at % 4 === 0 }),
      seen(block, index, { tokens: many }),
      seen(block, index, { from: me, tokens: many, value: 1n }),
      seen(block, index, { internal: [{ from: router, to: me, value: 1n }], tokens: many }),
    ][(at % 7) % 4]
  })
  return world.flatMap((one) => one ?? []).reverse()
}

const sorted = (list: readonly object[]) => {
  const text = (one: object) =>
    JSON.stringify(Object.entries(one).sort(), (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
  return [...list].sort((a, b) => (text(a) < text(b) ? -1 : 1))
}

function endless(response: ServerResponse): void {
  const chunk = `{"status":"${'1'.repeat(65_536)}`
  const write = () => {
    while (!response.destroyed && response.write(chunk)) {}
    if (!response.destroyed) response.once('drain', write)
  }
  response.on('close', () => response.destroy())
  write()
}

type Options = {
  readonly answer?: (response: ServerResponse) => unknown
  readonly timeoutMs?: number
  /** The transactions of the node. Default: all. */
  readonly known?: readonly Seen[]
}

const hex = (value: number | bigint) => `0x${value.toString(16)}`

/** A node that returns transactions by their hash. */
const startNode = (known: () => readonly Seen[]) =>
  startUpstream((response, calls) => {
    const answers = calls.map(({ id, method, params }) => {
      const one = known().find(({ hash }) => hash === (params as string[])[0])
      const { from, to, value, input, index } = one ?? {}
      const result =
        method === 'eth_chainId'
          ? '0x1'
          : one && {
              from,
              to,
              input,
              value: hex(value ?? 0n),
              nonce: hex(77),
              transactionIndex: hex(index ?? 0),
            }
      return { jsonrpc: '2.0', id, result: result ?? null }
    })
    response.end(JSON.stringify(answers.length === 1 ? answers[0] : answers))
  })

async function start(
  kind: (typeof kinds)[number],
  world: Seen[],
  { answer, known, timeoutMs = 30_000 }: Options = {},
) {
  const node = await startNode(() => known ?? world)
  const explorer = await startExplorer(
    world,
    (_, response) => answer !== undefined && answer(response) !== false,
  )
  stops.push(node.stop, explorer.stop)
  const activity = {
    source: kind,
    url: `${explorer.origin}${kind === 'etherscan' ? '/v2/api' : '/'}`,
    apiKey: key,
  }
  const services = makeServices({ [chainId]: { ...chainWith([node.url]), activity } })
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const source = openHistorySources(
    { ...services, log },
    {
      upstreams: createUpstreams(services),
      activity: noActivity,
      limits: { timeoutMs, maxBytes: 1_000_000, retries: 2, pauseMs: 5 },
    },
  )(chainId) as HistorySource
  return {
    page: (after?: ActivityPosition, limit = 50) =>
      source.page({ chainId, address: me, after, limit }),
    urls: explorer.urls,
    logged: () => lines.join(''),
    stopNode: node.stop,
  }
}

const noActivity: Activity = {
  follow: async () => {},
  page: async () => ({ rows: [], next: undefined, isIncomplete: false, hasNewest: true }),
  sync: async () => ({ complete: true, progress: 1, since: null }),
  readTokens: async () => [],
  readChanges: async () => [],
  readNfts: async () => [],
  readApprovals: async () => [],
  listen: () => () => {},
  stop: async () => {},
}
