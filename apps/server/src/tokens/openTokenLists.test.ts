import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAddress } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { createOutbound } from '../outbound/createOutbound.ts'
import { openTokenLists } from './openTokenLists.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-lists-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('default: the bundled list, each address with its right checksum, once a network', async () => {
  const file = new URL('../../data/tokens.json', import.meta.url)
  const { tokens } = JSON.parse(await readFile(file, 'utf8')) as {
    tokens: { chainId: number; address: `0x${string}`; symbol: string }[]
  }
  for (const { address } of tokens) expect(getAddress(address)).toBe(address)
  const symbols = tokens.map(({ chainId, symbol }) => `${chainId} ${symbol}`)
  expect(new Set(symbols).size).toBe(tokens.length)
  const { tokensOf } = open([])
  expect((await tokensOf('eip155:1')).map(({ symbol }) => symbol)).toContain('USDC')
  expect(await tokensOf('eip155:31337')).toEqual([])
})

test('behavior: lists in their order, of the chain alone, cleaned, what is not of the format left out', async () => {
  const [a, b] = [
    await write([
      entry(1),
      { ...entry(2), symbol: '\u202eT2\n' },
      'junk',
      { ...entry(3), decimals: 0 },
      { ...entry(6), symbol: '\u200b' },
    ]),
    await write([{ ...entry(1), symbol: 'LATE' }, entry(4), { ...entry(5), chainId: 1 }]),
  ]
  const { tokensOf } = open([a, b])
  const tokens = await tokensOf('eip155:31337')
  expect(tokens.map(({ symbol }) => symbol)).toEqual(['T1', 'T2', 'T4'])
  expect(await tokensOf('eip155:31337')).toBe(tokens)
})

test('behavior: a list of a URL is refreshed, and its last good copy survives errors and a restart', async () => {
  const site = await serve()
  site.body = JSON.stringify({ name: 'A', tokens: [entry(1)] })
  const { tokensOf, now } = open([site.url], site.host)
  const symbols = async (of = tokensOf) => (await of('eip155:31337')).map(({ symbol }) => symbol)
  expect(await symbols()).toEqual(['T1'])
  site.body = JSON.stringify({ name: 'A', tokens: [entry(1), entry(2)] })
  expect(await symbols()).toEqual(['T1'])
  now.ms += 6 * 3_600_000
  await symbols()
  await expect.poll(() => symbols()).toEqual(['T1', 'T2'])
  site.body = '<html>'
  now.ms += 6 * 3_600_000
  await symbols()
  await expect.poll(() => site.requests).toBe(3)
  expect(await symbols()).toEqual(['T1', 'T2'])
  site.stop()
  expect(await symbols(open([site.url], site.host).tokensOf)).toEqual(['T1', 'T2'])
})

test('error: a list that never was there is empty, and tried again after a minute', async () => {
  const site = await serve()
  site.body = '[]'
  const { tokensOf, now } = open([site.url, join(folder, 'no.json')], site.host)
  expect(await tokensOf('eip155:31337')).toEqual([])
  site.body = JSON.stringify({ name: 'A', tokens: [entry(1)] })
  now.ms += 61_000
  await tokensOf('eip155:31337')
  await expect.poll(async () => (await tokensOf('eip155:31337')).length).toBe(1)
  site.stop()
})

test('error: a list in the own network is not fetched unless it is allowed', async () => {
  const site = await serve()
  site.body = JSON.stringify({ name: 'A', tokens: [entry(1)] })
  expect(await open([site.url]).tokensOf('eip155:31337')).toEqual([])
  expect(site.requests).toBe(0)
  site.stop()
})

const entry = (index: number) => ({
  chainId: 31337,
  address: `0x${String(index).padStart(40, '0')}`,
  name: `Token ${index}`,
  symbol: `T${index}`,
  decimals: 18,
})

async function write(tokens: unknown[]) {
  const file = join(folder, `${Math.random()}.json`)
  await writeFile(file, JSON.stringify({ name: 'Test', tokens }))
  return file
}

function open(tokenLists: string[], host?: string) {
  const chains = {
    'eip155:31337': { ...chainWith(['http://x.test']), tokenLists },
    'eip155:1': chainWith(['http://x.test']),
  }
  const now = { ms: 1_000 }
  const made = makeServices(chains, () => now.ms)
  const outboundAllow = host === undefined ? [] : [host]
  const services = { ...made, config: { ...made.config, dataDir: folder, outboundAllow } }
  const tokensOf = openTokenLists({ ...services, outbound: createOutbound(services) })
  return { tokensOf, now }
}

async function serve() {
  const site = { body: '', requests: 0, url: '', host: '', stop: () => {} }
  const server = createServer((_, response) => {
    site.requests++
    response.setHeader('content-type', 'application/json')
    response.end(site.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  site.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  site.url = `http://${site.host}/list.json`
  site.stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return site
}
