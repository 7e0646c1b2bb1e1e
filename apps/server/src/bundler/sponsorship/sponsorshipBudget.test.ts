import type { Address } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestDatabase } from '../../../test/openTestDatabase.ts'
import type { AskChain } from '../askChain.ts'
import {
  assertDraftBudget,
  type LimitReached,
  type SponsorshipBudget,
  spendBudget,
  takeBudget,
} from './sponsorshipBudget.ts'

const chainId = 'eip155:31337'
const accounts = Array.from(
  { length: 8 },
  (_, index): Address => `0x${String(index + 1).padStart(40, '0')}`,
)
const [alice = '0x', bob = '0x'] = accounts
const startMs = Date.UTC(2026, 0, 1, 12)

let opened: Awaited<ReturnType<typeof openTestDatabase>>
let nowMs = startMs
/** The chain: its time, and the next nonce of each `sender key`; `fail` instead of an answer. */
let chain = { seconds: 0, nonces: new Map<string, bigint>(), fail: false, asked: 0 }

beforeAll(async () => {
  opened = await openTestDatabase()
})
afterAll(() => opened?.close())
beforeEach(async () => {
  nowMs = startMs
  refused.length = 0
  chain = { seconds: startMs / 1_000, nonces: new Map(), fail: false, asked: 0 }
  await opened.db.deleteFrom('sponsored_days').execute()
  await opened.db.deleteFrom('sponsorships').execute()
})

const toHex = (value: bigint, bytes: number) => `0x${value.toString(16).padStart(bytes * 2, '0')}`

const ask: AskChain = async (calls) => {
  chain.asked += 1
  return calls.map(({ method, params }) => {
    if (method === 'eth_getBlockByNumber')
      return { result: { number: '0x7', timestamp: `0x${chain.seconds.toString(16)}` } }
    // Ended promises are checked in the block whose time was read.
    if (chain.fail && params[1] === '0x7')
      return { error: { code: -32000, message: 'header not found' } }
    expect(['latest', '0x7']).toContain(params[1])
    const { data } = params[0] as { data: string }
    const sender = `0x${data.slice(34, 74)}`
    const key = BigInt(`0x${data.slice(74)}`)
    const next = chain.nonces.get(`${sender} ${key}`) ?? 0n
    return { result: toHex((key << 64n) | next, 32) }
  })
}

const policy = {
  paymaster: alice,
  name: 'Shop',
  weiPerAccountAndDay: 10n,
  weiPerClientAndDay: 15n,
  weiPerDay: 25n,
} as const

const refused: LimitReached[] = []
const budget = (): SponsorshipBudget => ({
  ...{ db: opened.db, ask, chainId, policy, clock: () => nowMs },
  onRefused: (limit: LimitReached) => void refused.push(limit),
})

let lastKey = 0n
const take = (account: Address, cost: bigint, key = ++lastKey) =>
  takeBudget(budget(), { account, nonce: key << 64n, cost, until: Math.floor(nowMs / 1_000) + 600 })
const look = (account: Address, cost: bigint) => assertDraftBudget(budget(), { account, cost })
const spent = async (account: string) =>
  (
    await opened.db
      .selectFrom('sponsored_days')
      .select('wei')
      .where('account', '=', account)
      .executeTakeFirst()
  )?.wei

/** Moves the clock, and the chain's time unless the chain stands still. */
function pass(seconds: number, chainSeconds = seconds) {
  nowMs += seconds * 1_000
  chain.seconds += chainSeconds
}

const ownLimit = 'the limit of this account is reached for today'

test('default: what rejected approvals were promised is there again once the promises have ended', async () => {
  await take(alice, 6n)
  await take(alice, 4n)
  await expect(take(alice, 1n)).rejects.toThrow(ownLimit)
  pass(721)
  await take(alice, 9n)
  expect([await spent(alice), await spent('all')]).toEqual(['9', '9'])
})

test('default: the remaining budget is reported without using it, and grows when promises expire', async () => {
  await look(alice, 10n)
  await expect(look(alice, 11n)).rejects.toThrow(ownLimit)
  await take(alice, 6n)
  await look(alice, 4n)
  await expect(look(alice, 5n)).rejects.toThrow(ownLimit)
  await Promise.all([take(bob, 9n), take(accounts[2] ?? bob, 9n)])
  await expect(look(accounts[3] ?? bob, 2n)).rejects.toThrow('the limit of this network')
  await expect(look(alice, 1n).then(() => spent(alice))).resolves.toBe('6')
  pass(721)
  await look(alice, 10n)
  expect(await spent(alice)).not.toBe('6')
})

test('security: what a block has used is not given back', async () => {
  await take(alice, 6n, 1_000n)
  await take(alice, 4n, 2_000n)
  chain.nonces.set(`${alice} 1000`, 1n)
  pass(721)
  await take(alice, 4n)
  await expect(take(alice, 1n)).rejects.toThrow(ownLimit)
  expect([await spent(alice), await spent('all')]).toEqual(['10', '10'])
})

test.each<[string, () => void]>([
  ['a promise that has not ended', () => pass(600)],
  ['a chain that stands still and may include it yet', () => pass(7_200, 700)],
  [
    'a node that does not know',
    () => {
      pass(7_200)
      chain.fail = true
    },
  ],
])('security: nothing is given back: %s', async (_, happen) => {
  await take(alice, 10n)
  happen()
  await expect(take(alice, 1n)).rejects.toThrow(ownLimit)
  expect([await spent(alice), await spent('all')]).toEqual(['10', '10'])
})

test('security: an attacker with many accounts blocks the limit of all only until the promises expire', async () => {
  for (const account of accounts.slice(2, 4)) await take(account, 10n)
  await take(accounts[4] ?? bob, 5n)
  await expect(take(bob, 10n)).rejects.toThrow('the limit of this network is reached for today')
  expect(await spent(bob)).toBeUndefined()
  pass(721)
  await take(bob, 10n)
  expect([await spent(bob), await spent('all')]).toEqual(['10', '10'])
})

test('behavior: a refusal names its limit; an operation that fits after a settlement is accepted', async () => {
  await take(alice, 10n)
  await expect(take(alice, 1n)).rejects.toThrow(ownLimit)
  await expect(take(bob, 11n)).rejects.toThrow(ownLimit)
  await take(bob, 10n)
  await expect(take(accounts[2] ?? bob, 6n)).rejects.toThrow('the limit of this network')
  expect(refused).toEqual(['account', 'operation', 'network'])
  pass(721)
  await take(accounts[2] ?? bob, 6n)
  expect(refused).toHaveLength(3)
})

test('security: a draft, which may name any cost, is refused without an alarm', async () => {
  await Promise.all([take(alice, 10n), take(bob, 10n)])
  await expect(look(accounts[2] ?? bob, 6n)).rejects.toThrow('the limit of this network')
  await expect(look(alice, 1n)).rejects.toThrow(ownLimit)
  await expect(look(alice, 11n)).rejects.toThrow(ownLimit)
  expect(refused).toEqual([])
})

test('behavior: within the limits nothing is looked up but the nonce', async () => {
  await take(alice, 5n)
  pass(721)
  await take(alice, 5n)
  expect(chain.asked).toBe(2)
})

test('behavior: an operation above a limit on its own causes no request about unused promises', async () => {
  await take(alice, 10n)
  pass(721)
  const { asked } = chain
  await expect(look(alice, 11n)).rejects.toThrow(ownLimit)
  expect(chain.asked).toBe(asked)
  expect(await spent(alice)).toBe('10')
})

test('security: nothing is promised for a used nonce, because it would look like a promise that was used', async () => {
  chain.nonces.set(`${alice} 1000`, 1n)
  await expect(take(alice, 1n, 1_000n)).rejects.toThrow('the nonce was used already')
  expect(await spent('all')).toBeUndefined()
})

test('behavior: many at the same time neither wait for each other nor get more than the limits', async () => {
  for (const account of accounts.slice(0, 2)) await take(account, 10n)
  pass(721)
  const asked = accounts.flatMap((account) => [account, account, account])
  const outcomes = await Promise.allSettled(asked.map((account) => take(account, 5n)))
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.message] : []))
  for (const message of refused) expect(message).toMatch(/^Not sponsored: the limit of this/)
  const taken = outcomes.length - refused.length
  expect(taken).toBeGreaterThan(0)
  expect(await spent('all')).toBe(String(taken * 5))
  expect(taken).toBeLessThanOrEqual(5)
  const rows = await opened.db.selectFrom('sponsorships').select('id').execute()
  expect(rows).toHaveLength(taken)
})

test('behavior: what is spent at once counts towards both limits, and never comes back', async () => {
  const spend = (account: Address, cost: bigint) => spendBudget(budget(), { account, cost })
  await spend(alice, 6n)
  await take(alice, 4n)
  await expect(spend(alice, 1n)).rejects.toThrow('the limit of this account is reached for today')
  expect(refused).toEqual(['account'])
  expect(await spent(alice)).toBe('10')
  expect(await spent('all')).toBe('10')
  // The promise ended without use. The spent amount stays.
  nowMs += 3_600_000
  chain.seconds = nowMs / 1_000
  await spend(alice, 4n)
  expect(await spent(alice)).toBe('10')
  await expect(spend(alice, 1n)).rejects.toThrow('reached for today')
  await expect(spend(bob, 11n)).rejects.toThrow('reached for today')
  expect(refused.at(-1)).toBe('operation')
})
