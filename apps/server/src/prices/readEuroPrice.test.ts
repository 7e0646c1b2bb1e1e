import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChainId } from '@latchkey/wire'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { chainWith } from '../../test/makeServices.ts'
import { readChains } from '../config/chainsFile.ts'
import { readEuroPrice } from './readEuroPrice.ts'

const [one, two, three] = ['eip155:1', 'eip155:2', 'eip155:3'] as const
const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const tokens = { [one]: `0x${'1'.repeat(40)}`, [two]: `0x${'2'.repeat(40)}` }
const cents = (amount: bigint) => amount * 10n ** 16n

/** A network of the chains file: its `eur` token, and the token's price. */
type Network = { eur?: string; price?: bigint; testnet?: boolean }

/**
 * The price of the euro for a purchase on `chainId`, the networks that were read, and the lines of
 * the log.
 */
async function read(chainId: ChainId, networks: Record<ChainId, Network>) {
  const lines: string[] = []
  const asked: unknown[] = []
  const chains = Object.fromEntries(
    Object.entries(networks).map(([id, { eur, testnet }]) => [
      id,
      { ...chainWith([]), eur, testnet },
    ]),
  )
  const deps = {
    config: { chains },
    log: pino({}, { write: (line) => void lines.push(line) }),
    readPrices: async (query: { chainId: ChainId; tokens: readonly string[] }) => {
      asked.push([query.chainId, ...query.tokens])
      const price = networks[query.chainId]?.price
      return [price === undefined ? undefined : { price, seenAtMs: 0, source: 'outside' as const }]
    },
  }
  return { price: await readEuroPrice(deps, chainId), asked, lines }
}

test("default: the price of the network's own token, before those on other networks", async () => {
  const networks = {
    [one]: { eur: tokens[one], price: cents(110n) },
    [two]: { eur: tokens[two], price: cents(111n) },
  }
  expect(await read(two, networks)).toEqual({
    price: cents(111n),
    asked: [[two, tokens[two]]],
    lines: [],
  })
})

test("behavior: without a euro token, a network uses the first other network's token with a price", async () => {
  const networks = {
    [solana]: {},
    [three]: {},
    [one]: { eur: tokens[one] },
    [two]: { eur: tokens[two], price: cents(109n) },
  }
  for (const chainId of [solana, three] as const) {
    const { price, asked } = await read(chainId, networks)
    expect(price).toBe(cents(109n))
    expect(asked).toEqual([
      [one, tokens[one]],
      [two, tokens[two]],
    ])
  }
  expect((await read(one, networks)).price).toBe(cents(109n))
})

test('behavior: no token is named, or none has a price', async () => {
  expect(await read(one, { [one]: {} })).toEqual({ price: undefined, asked: [], lines: [] })
  const { price } = await read(one, { [one]: { eur: tokens[one] } })
  expect(price).toBeUndefined()
})

test('behavior: a test network prices nothing that is bought on a real one', async () => {
  const networks = {
    [one]: {},
    [two]: { eur: tokens[two], price: cents(110n), testnet: true },
    [three]: { testnet: true },
  }
  expect(await read(one, networks)).toEqual({ price: undefined, asked: [], lines: [] })
  expect((await read(three, networks)).price).toBe(cents(110n))
})

test.each([
  ['half a dollar', cents(50n), true],
  ['two dollars', cents(200n), true],
  ['less than half a dollar', cents(50n) - 1n, false],
  ['more than two dollars', cents(200n) + 1n, false],
])('param: a euro of %s', async (_, price, counts) => {
  const found = await read(one, { [one]: { eur: tokens[one], price } })
  expect(found.price).toBe(counts ? price : undefined)
  expect(found.lines).toHaveLength(counts ? 0 : 1)
  for (const line of found.lines)
    expect(JSON.parse(line)).toMatchObject({ level: 40, chain: one, token: tokens[one] })
})

test('error: after a price that is absurd comes the next network', async () => {
  const networks = {
    [one]: { eur: tokens[one], price: cents(6_000_000n) },
    [two]: { eur: tokens[two], price: cents(108n) },
  }
  const { price, lines } = await read(one, networks)
  expect([price, lines.length]).toEqual([cents(108n), 1])
})

test.each([
  [one, 'EURC', 'must be an address (0x and 40 hex digits)'],
  [solana, tokens[one], 'is for eip155 networks'],
])('error: on %s the token %s is refused', async (id, eur, reason) => {
  const file = join(await mkdtemp(join(tmpdir(), 'chains-')), 'chains.json')
  const chain = { ...chainWith(['http://x.test']), eur }
  await writeFile(file, JSON.stringify({ chains: { [id]: chain } }))
  expect(readChains(file).problems).toEqual([`CHAINS_FILE: chains.${id}.eur: ${reason}`])
})
