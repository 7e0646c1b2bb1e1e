import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDatabase } from '@latchkey/dev'
import {
  accountBalanceRoute,
  accountHistoryRoute,
  encodeBase58,
  type HistoryTransaction,
} from '@latchkey/wire'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { honestSolana, startUpstream, tokenAccountData } from '../../../test/fakeUpstream.ts'
import { makeTestDir, startTestServer, type TestServer } from '../../../test/startTestServer.ts'
import { token2022Program, tokenProgram, wrappedSol } from '../../solana/address.ts'

const genesis = '5ZZj1D5GxruNRRNgMXnCNbnGtQw6B5vUnGzeCe1P1dFz'
const chainId = `solana:${genesis.slice(0, 32)}`
const addressAt = (number: number) => {
  const bytes = Buffer.alloc(32, 7)
  bytes.writeUInt32BE(number)
  return encodeBase58(bytes)
}
const signatureAt = (number: number) => {
  const bytes = Buffer.alloc(64, 9)
  bytes.writeUInt32BE(number)
  return encodeBase58(bytes)
}
const [friend, usd, fee, program] = [1, 2, 3, 4].map(addressAt) as [string, string, string, string]
const system = '11111111111111111111111111111111'

type Entry = {
  signature: string
  slot: number
  addresses: string[]
  failed?: boolean
  final?: boolean
  result: unknown
}

let node: Awaited<ReturnType<typeof startUpstream>>
let server: TestServer
let env: Record<string, string>
const nowMs = { value: Date.now() }
/** The node's transactions, newest first, and the answers that replace its own. */
let ledger: Entry[] = []
let answers: Record<string, unknown> = {}
const tokenAccounts = new Map<string, string[]>()
let owners = 1_000
const nextOwner = () => addressAt(owners++)

beforeAll(async () => {
  const dir = await makeTestDir()
  const results = Object.fromEntries(
    Object.entries(honestAnswers).map(([method, honest]) => [
      method,
      (params: never) => {
        const other = answers[method]
        return typeof other === 'function' ? other(params, honest) : (other ?? honest(params))
      },
    ]),
  )
  node = await startUpstream(honestSolana(genesis, results))
  const list = [{ chainId: 104, address: usd, name: 'Dev Dollar', symbol: 'dUSD', decimals: 6 }]
  await writeFile(join(dir, 'tokens.json'), JSON.stringify({ name: 'Test', tokens: list }))
  const chain = {
    name: 'Solana',
    nativeCurrency: { name: 'Sol', symbol: 'SOL', decimals: 9 },
    upstreams: [node.url],
    tokenLists: ['tokens.json'],
  }
  const CHAINS_FILE = join(dir, 'chains.json')
  await writeFile(CHAINS_FILE, JSON.stringify({ chains: { [chainId]: chain } }))
  env = { CHAINS_FILE, KEYRING_DIR: join(dir, 'keyring'), DATABASE_URL: await makeDatabase() }
  server = await startTestServer(env, { clock: () => nowMs.value })
})
afterEach(() => {
  ledger = []
  answers = {}
  nowMs.value += 10_000
})
afterAll(async () => {
  await server?.stop()
  await node?.stop()
})

test('default: what moved for the account, the fee apart, and what that was', async () => {
  const me = nextOwner()
  const mine = addressAt(9_001)
  tokenAccounts.set(me, [mine])
  const token = (owner: string, before: number, after: number, more: object = {}) => ({
    ...{ mint: usd, owner, before, after, decimals: 6, ...more },
  })
  ledger = [
    pay(10, { keys: [me, friend], sol: [-1_000_005_000, 1_000_000_000], types: ['transfer'] }),
    pay(9, {
      keys: [friend, mine],
      sol: [-5_000, 0],
      tokens: [undefined, token(me, 1, 2_500_001)],
    }),
    pay(8, {
      keys: [me, mine, friend],
      sol: [-2_005_000, 0, 2_000_000],
      tokens: [undefined, token(me, 5_000_000, 0), token(friend, 0, 5_000_000)],
      programs: [program],
    }),
    pay(7, {
      keys: [me, mine],
      sol: [2_000_000_000 - 5_000, 0],
      tokens: [undefined, token(me, 3_000_000, 0)],
      programs: [program],
    }),
    // Rent of the owner's own account is not spent.
    pay(6, {
      keys: [me, mine],
      sol: [-2_044_280, 2_039_280],
      tokens: [undefined, token(me, 0, 4_000_000, { mint: fee })],
      types: ['mintToChecked'],
    }),
    pay(5, {
      keys: [me, mine],
      sol: [-5_000, 0],
      tokens: [undefined, token(me, 9, 2)],
      types: ['burn'],
    }),
    pay(4, { keys: [me, mine], sol: [-5_000, 0], types: ['approveChecked'] }),
    // Wrapped SOL is SOL.
    pay(3, {
      keys: [me, mine],
      sol: [-1_002_044_280, 1_002_039_280],
      tokens: [undefined, token(me, 0, 1_000_000_000, { mint: wrappedSol, decimals: 9 })],
      types: ['transfer', 'syncNative'],
    }),
    pay(2, {
      ...{ keys: [me, friend], sol: [-5_000, 0], failed: true },
      types: ['transfer', 'transferChecked'],
      infos: [
        { source: me, destination: friend, lamports: 1_500_000_000 },
        {
          ...{ source: mine, destination: friend, authority: me, mint: usd },
          tokenAmount: { amount: '2500000', decimals: 6 },
        },
      ],
    }),
    pay(1, { keys: [me, program], sol: [-5_000, 0], programs: [program] }),
  ]
  const { data, next, sync } = await read(me)
  expect(data.map(describe)).toEqual([
    'send confirmed: out 1 SOL',
    'receive confirmed: in 2.5 dUSD',
    'send confirmed: out 0.002 SOL, out 5 dUSD',
    'trade confirmed: in 2 SOL, out 3 dUSD',
    'mint confirmed: in 4 FEE',
    'burn confirmed: out 0.000007 dUSD',
    'approve confirmed: ',
    'send confirmed: ',
    'send failed: out 1.5 SOL, out 2.5 dUSD',
    'execute confirmed: ',
  ])
  expect(data[0]).toMatchObject({
    id: `${chainId}:${signatureAt(10)}`,
    metadata: { sentFrom: me, sentTo: friend, chain: chainId, minedAt: expect.any(String) },
  })
  expect(data[0]?.metadata).toMatchObject({ block: 10, fee: { payer: me, numeric: '0.000005' } })
  expect(data[1]?.transfers[0]?.address).toBe(`${chainId}:${usd}`)
  expect({ next, sync }).toEqual({ next: null, sync: { complete: true, progress: 1, since: null } })
})

test('behavior: pages of 100 without gaps or duplicates, which survive a restart', async () => {
  const me = nextOwner()
  const mine = addressAt(9_002)
  tokenAccounts.set(me, [mine])
  // Every third transaction is only in the list of the token account, and many share a slot. The
  // node returns 40 at a time.
  const made = Array.from({ length: 250 }, (_, index) => {
    const number = 1_000 + index
    const entry = pay(number, { keys: [me, friend], sol: [-5_001, 1] })
    return { ...entry, slot: 100 + Math.floor(index / 7), addresses: [index % 3 ? me : mine] }
  })
  ledger = made.toReversed()
  answers.getSignaturesForAddress = (params: Listing, honest: typeof list) => honest(params, 40)
  const pages = [await read(me)]
  ledger = [pay(5_000, { keys: [me, friend], sol: [-5_001, 1], slot: 900 }), ...ledger]
  nowMs.value += 10_000
  while (pages.at(-1)?.next) pages.push(await read(me, `&cursor=${pages.at(-1)?.next}`))
  const hashes = pages.flatMap(({ data }) => data.map(({ metadata }) => metadata.hash))
  expect(new Set(hashes)).toEqual(new Set(made.map(({ signature }) => signature)))
  expect(hashes).toHaveLength(250)
  expect(pages.map(({ data }) => data.length)).toEqual([100, 100, 50])
  const first = await read(me)
  expect(first.data[0]?.metadata.hash).toBe(signatureAt(5_000))
  const again = await startTestServer(env, { clock: () => nowMs.value })
  node.bodies.length = 0
  const kept = await read(me, '', again.url)
  await again.stop()
  // Pictures are at the address of each server.
  expect(kept.data.map(({ metadata }) => metadata)).toEqual(
    first.data.map(({ metadata }) => metadata),
  )
  expect(node.bodies.filter((method) => method !== 'getGenesisHash')).toEqual([])
})

test('behavior: what is rolled back is gone, what became final stays', async () => {
  const me = nextOwner()
  const [old, lost, other] = [2_001, 2_002, 2_003].map((number) =>
    pay(number, { keys: [me, friend], sol: [-5_001, 1] }),
  ) as [Entry, Entry, Entry]
  ledger = [{ ...lost, final: false }, old]
  expect((await read(me)).data.map(({ metadata }) => metadata.hash)).toEqual([
    lost.signature,
    old.signature,
  ])
  ledger = [other, old]
  nowMs.value += 10_000
  expect((await read(me)).data.map(({ metadata }) => metadata.hash)).toEqual([
    other.signature,
    old.signature,
  ])
})

test('behavior: transactions of others, malformed ones and such without a name are left out', async () => {
  const me = nextOwner()
  const own = pay(3_001, { keys: [me, friend], sol: [-5_001, 1] })
  const wrong = [
    { ...pay(3_002, { keys: [friend, program], sol: [-5_001, 1] }), addresses: [me] },
    { ...pay(3_003, { keys: [me, friend], sol: [-5_001, 1] }), result: own.result },
    { ...pay(3_004, { keys: [me, friend], sol: [-5_001, 1] }), result: null },
    { ...pay(3_005, { keys: [me, friend], sol: [-5_001, 1] }), result: { meta: 'x' } },
    pay(3_006, { keys: [me, friend], sol: [-5_001] }),
  ]
  ledger = [...wrong.toReversed(), own]
  const { data, next, sync } = await read(me)
  expect(data.map(({ metadata }) => metadata.hash)).toEqual([own.signature])
  expect({ next, complete: sync?.complete }).toEqual({ next: null, complete: false })
})

const entry = { signature: signatureAt(1), slot: 7, err: null, blockTime: 1 }
test.each<[string, Record<string, unknown>]>([
  ['is no list', { getSignaturesForAddress: { value: [] } }],
  ['has no signatures', { getSignaturesForAddress: [{ ...entry, signature: 'x' }] }],
  ['is out of order', { getSignaturesForAddress: [entry, { ...entry, slot: 8 }] }],
  ['never ends', { getSignaturesForAddress: [entry, entry] }],
  ['is an error', { getSignaturesForAddress: new Error('no') }],
  ['has no transactions', { getTransaction: new Error('no') }],
])('error: an answer that %s is 503 for an unknown account', async (_, given) => {
  const me = nextOwner()
  ledger = [pay(4_001, { keys: [me, friend], sol: [-5_001, 1] })]
  answers = given
  const response = await fetch(historyUrl(me))
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('5')
})

test('error: a list of signatures above 64 bytes is 503', async () => {
  const me = nextOwner()
  ledger = Array.from({ length: 150 }, (_, index) => {
    const honest = pay(6_000 - index, { keys: [me, friend], sol: [-5_001, 1] })
    const signature = `${'z'.repeat(85)}${encodeBase58(Buffer.from([200, index])).padStart(3, 'z')}`
    const text = JSON.stringify(honest.result).replaceAll(honest.signature, signature)
    return { ...honest, signature, slot: 1_000 - index, result: JSON.parse(text) }
  })
  expect((await fetch(historyUrl(me))).status).toBe(503)
})

test('error: transactions that the node refuses: the others are there, and the blocks of these are named', async () => {
  const me = nextOwner()
  const [bad, good] = [4_103, 4_101].map((number) =>
    pay(number, { keys: [me, friend], sol: [-5_001, 1] }),
  ) as [Entry, Entry]
  const refusing: Honest = (params, honest) =>
    params[0] === bad.signature
      ? new Error('Transaction version (1) is not supported')
      : honest(params)
  answers = { getTransaction: refusing }
  const unread = { blocks: 1, latest: new Date((1_700_000_000 + 4_103) * 1000).toISOString() }
  ledger = [bad, good]
  const both = await read(me)
  expect(both.data.map(({ metadata }) => metadata.hash)).toEqual([good.signature])
  expect(both.sync).toMatchObject({ complete: false, unread })
  // A page without anything else.
  const other = nextOwner()
  ledger = [{ ...bad, addresses: [other] }]
  expect(await read(other)).toMatchObject({ data: [], sync: { complete: false, unread } })
})

test('error: with too many token accounts, the rest of the history and of the balance is still there', async () => {
  const me = nextOwner()
  const one = pay(4_201, { keys: [me, friend], sol: [-5_001, 1] })
  ledger = [one]
  const flood: Honest = (params, honest) =>
    params[0] === me && params[1]?.programId === token2022Program
      ? { value: [{ pubkey: 'x'.repeat(11 * 1024 * 1024) }] }
      : honest(params)
  answers = { getTokenAccountsByOwner: flood }
  const { data, sync } = await read(me)
  expect(data.map(({ metadata }) => metadata.hash)).toEqual([one.signature])
  expect(sync).toMatchObject({ complete: false })
  const response = await fetch(historyUrl(me).replace('/history', '/balance'))
  expect(response.status).toBe(200)
  const { balances, unavailable } = accountBalanceRoute.result.parse(await response.json())
  expect([balances.map(({ symbol }) => symbol), unavailable]).toEqual([['SOL'], [chainId]])
})

test('behavior: while the nodes are away a known account has its history, which says that it is not new', async () => {
  const me = nextOwner()
  ledger = [pay(5_001, { keys: [me, friend], sol: [-5_001, 1] })]
  const known = await read(me)
  nowMs.value += 10_000
  answers = { getBalance: new Error('away') }
  expect(await read(me)).toEqual({ ...known, sync: { ...known.sync, complete: false } })
  answers = {}
  // A probe that was on its way may still fail and start another rest.
  const statusLater = async () => {
    nowMs.value += 10_000
    return (await fetch(historyUrl(nextOwner()))).status
  }
  await expect.poll(statusLater).toBe(200)
})

test('error: an address of another namespace, and a cursor of another account', async () => {
  const me = nextOwner()
  const [evm, short] = ['0x0000000000000000000000000000000000000001', me.slice(2)]
  for (const address of [evm, short]) expect((await fetch(historyUrl(address))).status).toBe(400)
  ledger = Array.from({ length: 101 }, (_, index) =>
    pay(6_101 - index, { keys: [me, friend], sol: [-5_001, 1] }),
  )
  const { next } = await read(me)
  expect(next).not.toBeNull()
  const other = await fetch(`${historyUrl(nextOwner())}&cursor=${next}`)
  expect(await other.json()).toMatchObject({ reasons: [{ field: 'cursor' }] })
  expect((await fetch(`${historyUrl(me)}&cursor=${next?.slice(1)}`)).status).toBe(400)
})

const historyUrl = (address: string, url = server.url) =>
  `${url}/v1/account/${address}/history?projectId=local&chainId=${chainId}`

async function read(address: string, query = '', url?: string) {
  const response = await fetch(`${historyUrl(address, url)}${query}`)
  expect(response.status).toBe(200)
  return accountHistoryRoute.result.parse(await response.json())
}

const describe = ({ metadata, transfers }: HistoryTransaction) =>
  `${metadata.operationType} ${metadata.status}: ${transfers
    .map(
      ({ direction, quantity, fungible_info }) =>
        `${direction} ${quantity.numeric} ${fungible_info?.symbol}`,
    )
    .join(', ')}`

type Holding = { mint: string; owner: string; before: number; after: number; decimals: number }
type Payment = {
  keys: string[]
  /** How the lamports of each key change; the fee of the first is in it. */
  sol: number[]
  tokens?: (Holding | undefined)[]
  types?: string[]
  /** The parsed parameters of the instructions in `types`. */
  infos?: object[]
  programs?: string[]
  failed?: boolean
  slot?: number
}

/** A transaction in a node's form. It is in the lists of all its keys. */
function pay(number: number, parameters: Payment): Entry {
  const { keys, sol, tokens = [], types = [], infos = [], programs = [] } = parameters
  const { failed = false } = parameters
  const start = 10_000_000_000
  const balances = (side: 'before' | 'after') =>
    [...tokens].flatMap((token, accountIndex) =>
      token === undefined
        ? []
        : {
            ...{ accountIndex, mint: token.mint, owner: token.owner },
            programId: token.mint === fee ? token2022Program : tokenProgram,
            uiTokenAmount: { amount: String(token[side]), decimals: token.decimals },
          },
    )
  const meta = {
    err: failed ? { InstructionError: [0, 'Custom'] } : null,
    fee: 5_000,
    preBalances: sol.map(() => start),
    postBalances: sol.map((change) => start + change),
    preTokenBalances: balances('before'),
    postTokenBalances: balances('after'),
    innerInstructions: [],
  }
  const message = {
    accountKeys: keys.map((pubkey, index) => ({ pubkey, signer: index === 0 })),
    instructions: [
      ...types.map((type, index) => ({
        programId: system,
        parsed: { type, info: infos[index] ?? {} },
      })),
      ...programs.map((programId) => ({ programId, accounts: [], data: '' })),
    ],
  }
  const signature = signatureAt(number)
  const transaction = { signatures: [signature], message }
  const { slot = number } = parameters
  return { signature, slot, failed, addresses: keys, result: { slot, meta, transaction } }
}

type Params = [string, { programId?: string }?]
type Honest = (params: Params, honest: (params: Params) => unknown) => unknown

type Listing = [string, { before?: string; until?: string; limit: number }]

function list([address, { before, until, limit }]: Listing, most = 1_000) {
  const own = ledger.filter(({ addresses }) => addresses.includes(address))
  const place = (signature: string | undefined, fallback: number) => {
    const at = own.findIndex((one) => one.signature === signature)
    return at < 0 ? fallback : at
  }
  return own
    .slice(place(before, -1) + 1, place(until, own.length))
    .slice(0, Math.min(limit, most))
    .map(({ signature, slot, failed, final = true }) => ({
      ...{ signature, slot, blockTime: 1_700_000_000 + slot },
      err: failed ? {} : null,
      confirmationStatus: final ? 'finalized' : 'confirmed',
    }))
}

const honestAnswers: Record<string, (params: never) => unknown> = {
  getBalance: () => ({ value: 1 }),
  getTokenAccountsByOwner: ([owner, { programId }]: [string, { programId: string }]) => ({
    value: (programId === tokenProgram ? (tokenAccounts.get(owner) ?? []) : []).map((pubkey) => ({
      pubkey,
      account: { owner: programId, data: tokenAccountData({ mint: usd, owner, amount: 1n }) },
    })),
  }),
  getMultipleAccounts: ([mints]: [string[]]) => ({
    value: mints.map((mint) => ({
      owner: token2022Program,
      data: {
        parsed: {
          type: 'mint',
          info: {
            decimals: 6,
            extensions: [
              { extension: 'tokenMetadata', state: { mint, name: 'Fee', symbol: 'FEE' } },
            ],
          },
        },
      },
    })),
  }),
  getSignaturesForAddress: (params: Listing) => list(params),
  getTransaction: ([signature]: [string]) =>
    ledger.find((one) => one.signature === signature)?.result ?? null,
}
