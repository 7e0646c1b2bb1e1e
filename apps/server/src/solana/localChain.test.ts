import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Solana, startSolana } from '@latchkey/dev'
import {
  accountBalanceRoute,
  accountHistoryRoute,
  encodeBase58,
  identityRoute,
  readTokenNamesRoute,
} from '@latchkey/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { makeTestDir, startTestServer, type TestServer } from '../../test/startTestServer.ts'

const chainId = 'solana:5ZZj1D5GxruNRRNgMXnCNbnGtQw6B5vU'
const otherId = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'

let solana: Solana
let server: TestServer
// A source with a price for every token.
const source = createServer(({ url = '' }, response) => {
  const ids = url.slice(url.lastIndexOf('/') + 1).split(',')
  const entry = { price: 2.5, timestamp: Date.now() / 1_000, confidence: 0.99 }
  response.end(JSON.stringify({ coins: Object.fromEntries(ids.map((id) => [id, entry])) }))
})

beforeAll(async () => {
  solana = await startSolana()
  const { token } = solana.addresses
  const folder = await makeTestDir()
  const chain = {
    name: 'Solana',
    nativeCurrency: { name: 'Sol', symbol: 'SOL', decimals: 9 },
    upstreams: [solana.url],
    testnet: true,
    priceSourceChain: 'solana',
    tokenLists: [join(folder, 'tokens.json')],
  }
  const CHAINS_FILE = join(folder, 'chains.json')
  const listed = { chainId: 104, address: token, name: 'Dev Dollar', symbol: 'dUSD', decimals: 6 }
  await writeFile(join(folder, 'tokens.json'), JSON.stringify({ name: 'Test', tokens: [listed] }))
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
  const { port } = source.address() as AddressInfo
  await writeFile(CHAINS_FILE, JSON.stringify({ chains: { [chainId]: chain, [otherId]: chain } }))
  server = await startTestServer({ CHAINS_FILE, PRICE_SOURCE_URL: `http://127.0.0.1:${port}` })
})
afterAll(async () => {
  await server?.stop()
  await solana?.stop()
  source.close()
})

const get = async (path: string, id = chainId) => {
  const query = path.includes('?') ? '&' : '?'
  const response = await fetch(`${server.url}${path}${query}projectId=local&chainId=${id}`)
  return { status: response.status, json: await response.json() }
}
const ownerAt = (index: number) => solana.accounts[index]?.address ?? ''
const newAddress = () => encodeBase58(crypto.getRandomValues(new Uint8Array(32)))

async function call(method: string, params: unknown[]) {
  const response = await fetch(`${server.url}/v1/?projectId=local&chainId=${chainId}`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return response.json()
}

test('default: the tokens of the seeded accounts, with the name of the mint if it has one', async () => {
  const { json } = await get(`/v1/account/${ownerAt(0)}/balance`)
  const { balances } = accountBalanceRoute.result.parse(json)
  expect(balances[0]).toMatchObject({ symbol: 'SOL', quantity: { decimals: '9' } })
  const mints = balances.slice(1).map(({ address }) => address)
  expect(mints.toSorted()).toEqual(
    [solana.addresses.token, solana.addresses.feeToken]
      .map((mint) => `${chainId}:${mint}`)
      .toSorted(),
  )
})

test('behavior: SOL and listed tokens have a value, which totals count', async () => {
  const values = async () => {
    const { json } = await get(`/v1/account/${ownerAt(0)}/balance`)
    const { balances } = accountBalanceRoute.result.parse(json)
    return balances.map(({ address, value, quantity }) => [
      address?.split(':').at(-1),
      value && (value / Number(quantity.numeric)).toFixed(2),
    ])
  }
  await expect.poll(values).toContainEqual([undefined, '2.50'])
  await expect.poll(values).toContainEqual([solana.addresses.token, '2.50'])
  expect(await values()).toContainEqual([solana.addresses.feeToken, undefined])
})

test('default: the frame gets token names and prices of SOL and listed tokens, and nothing else', async () => {
  const ask = async (
    body: object,
    headers: Record<string, string> = { origin: server.frameUrl },
  ) => {
    const response = await fetch(`${server.frameUrl}${readTokenNamesRoute.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return { status: response.status, json: await response.json() }
  }
  const { feeToken, token } = solana.addresses
  const addresses = [feeToken, newAddress(), 'x']
  const fee = { address: feeToken, name: 'Dev Fee', symbol: 'dFEE' }
  const sol = { token: null, usd: 2.5 }
  // No list contains this token, so its price does not count. Answers do not wait for a slow price.
  await expect
    .poll(() => ask({ chainId, addresses }))
    .toEqual({ status: 200, json: { tokens: [fee], prices: [sol] } })
  await expect
    .poll(() => ask({ chainId, addresses: [token, feeToken] }))
    .toEqual({
      status: 200,
      json: {
        tokens: [{ address: token, name: 'Dev Dollar', symbol: 'dUSD' }, fee],
        prices: [sol, { token, usd: 2.5 }],
      },
    })
  expect((await ask({ chainId: 'eip155:999', addresses })).json).toEqual({ tokens: [] })
  expect((await ask({ chainId, addresses: new Array(101).fill(feeToken) })).status).toBe(400)
  expect((await ask({ chainId, addresses }, { origin: 'https://evil.example' })).status).toBe(403)
})

test('default: a transfer is in the history of both sides, and in their balances', async () => {
  const receiver = newAddress()
  await call('requestAirdrop', [receiver, 1_500_000_000])
  const { balances } = accountBalanceRoute.result.parse(
    (await get(`/v1/account/${receiver}/balance`)).json,
  )
  expect(balances).toMatchObject([{ symbol: 'SOL', quantity: { numeric: '1.5' } }])
  const { data, next } = accountHistoryRoute.result.parse(
    (await get(`/v1/account/${receiver}/history`)).json,
  )
  expect(next).toBeNull()
  expect(data).toMatchObject([
    {
      metadata: { operationType: 'receive', status: 'confirmed', sentTo: receiver, chain: chainId },
      transfers: [{ direction: 'in', quantity: { numeric: '1.5' } }],
    },
  ])
})

test('default: the history of the seeded accounts has what their tokens did', async () => {
  const { json } = await get(`/v1/account/${ownerAt(0)}/history`)
  const { data, sync } = accountHistoryRoute.result.parse(json)
  expect(sync?.complete).toBe(true)
  expect(data.length).toBeGreaterThan(0)
  const mints = data.flatMap(({ transfers }) => transfers.flatMap(({ address }) => address ?? []))
  expect(mints).toContain(`${chainId}:${solana.addresses.token}`)
})

test('default: identities are empty and cached', async () => {
  const response = await fetch(`${server.url}/v1/identity/${ownerAt(0)}?projectId=local`)
  expect(response.headers.get('cache-control')).toBe('public, max-age=3600, s-maxage=3600')
  expect(identityRoute.result.parse(await response.json())).toEqual({
    name: null,
    avatar: null,
    resolvedAt: null,
  })
})

test('default: subscribers are notified when an account changes', async () => {
  const account = newAddress()
  const url = server.url.replace('http', 'ws')
  const socket = new WebSocket(`${url}/v1?projectId=local&chainId=${chainId}`)
  await new Promise((resolve) => socket.once('open', resolve))
  const messages: { id?: number; result?: number; method?: string }[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  const options = { commitment: 'confirmed', encoding: 'base64' }
  const params = [account, options]
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'accountSubscribe', params }))
  await expect.poll(() => messages[0]).toMatchObject({ id: 1, result: 1 })
  await call('requestAirdrop', [account, 2_000_000_000])
  await expect
    .poll(() => messages[1])
    .toMatchObject({
      method: 'accountNotification',
      params: { subscription: 1, result: { value: { lamports: 2_000_000_000 } } },
    })
  socket.terminate()
})

test('error: a node that is of another chain than configured is not used, and ready says so', async () => {
  const { status } = await get(`/v1/account/${ownerAt(0)}/balance`, otherId)
  expect(status).toBe(503)
  expect((await get('/ready')).json).toEqual({
    status: 'OK',
    details: expect.arrayContaining([
      { field: 'nodes', description: expect.stringContaining(otherId) },
    ]),
  })
})
