import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Bitcoin, startBitcoin } from '@latchkey/dev'
import {
  accountBalanceRoute,
  accountHistoryRoute,
  accountPortfolioRoute,
  identityRoute,
} from '@latchkey/wire'
import { p2wpkh, Transaction } from '@scure/btc-signer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { makeTestDir, startTestServer, type TestServer } from '../../test/startTestServer.ts'

const chainId = 'bip122:5c66f8fcc1e9488fef9402b1af48d8e7'
const mainnet = 'bip122:000000000019d6689c085ae165831e93'
const regtest = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef }

let bitcoin: Bitcoin
let server: TestServer

beforeAll(async () => {
  bitcoin = await startBitcoin({ blockDelayMs: 'never' })
  const chain = {
    name: 'Bitcoin',
    nativeCurrency: { name: 'Bitcoin', symbol: 'BTC', decimals: 8 },
    upstreams: [bitcoin.url],
    testnet: true,
  }
  const CHAINS_FILE = join(await makeTestDir(), 'chains.json')
  await writeFile(CHAINS_FILE, JSON.stringify({ chains: { [chainId]: chain, [mainnet]: chain } }))
  server = await startTestServer({ CHAINS_FILE })
})
afterAll(async () => {
  await server?.stop()
  await bitcoin?.stop()
})

const get = async (path: string, id = chainId) => {
  const query = path.includes('?') ? '&' : '?'
  const response = await fetch(`${server.url}${path}${query}projectId=local&chainId=${id}`)
  return { status: response.status, json: await response.json() }
}
const keyAt = (index: number) => {
  const account = bitcoin.accounts[index]
  if (!account) throw new Error(`There is no account ${index}`)
  return account.payment
}
const esplora = (path: string, init?: RequestInit) =>
  fetch(`${server.url}/v1/esplora/${chainId}${path}?projectId=local`, init)
const readBalance = async (address: string) =>
  accountBalanceRoute.result.parse((await get(`/v1/account/${address}/balance`)).json).balances
const readHistory = async (address: string) =>
  accountHistoryRoute.result.parse((await get(`/v1/account/${address}/history`)).json).data
const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))

/** Spends the first coin of `from` like a wallet that uses only the server's Esplora. */
async function pay(from: number, to: string, value: bigint) {
  const key = keyAt(from)
  const { script } = p2wpkh(bytes(key.publicKey), regtest)
  const [coin] = await (await esplora(`/address/${key.address}/utxo`)).json()
  const transaction = new Transaction()
  const witnessUtxo = { script, amount: BigInt(coin.value) }
  transaction.addInput({ txid: coin.txid, index: coin.vout, witnessUtxo })
  transaction.addOutputAddress(to, value, regtest)
  transaction.addOutput({ script, amount: BigInt(coin.value) - value - 1_000n })
  transaction.sign(bytes(key.privateKey))
  transaction.finalize()
  return { txid: transaction.id, hex: Buffer.from(transaction.extract()).toString('hex') }
}

test('default: the network and what is on', async () => {
  const { json } = await get('/v1/supported-chains')
  expect(json).toMatchObject({ http: [chainId, mainnet], ws: [] })
  const on = Object.entries(json.features[chainId]).map(([area, state]) => [
    area,
    (state as { on: boolean }).on,
  ])
  expect(Object.fromEntries(on)).toEqual({
    balance: true,
    prices: false,
    activity: true,
    nfts: false,
    allowances: false,
    identity: false,
    names: false,
    swap: false,
    onramp: false,
    faucet: false,
    sessions: false,
  })
})

test('default: a payment is in balances and histories of both sides while it waits, and in its block', async () => {
  const [sender, receiver] = [keyAt(1).address, keyAt(2).address]
  const { txid, hex } = await pay(1, receiver, 12_345_678n)
  const sent = await esplora('/tx', { method: 'POST', body: hex })
  expect([sent.status, await sent.text()]).toEqual([200, txid])
  for (const status of ['pending', 'confirmed']) {
    expect((await readHistory(sender))[0]).toMatchObject({
      metadata: { hash: txid, operationType: 'send', status, sentFrom: sender, sentTo: receiver },
      transfers: [{ direction: 'out', quantity: { numeric: '0.12345678' } }],
    })
    expect((await readHistory(receiver))[0]).toMatchObject({
      metadata: { hash: txid, operationType: 'receive', status, sentFrom: sender },
      transfers: [{ direction: 'in', quantity: { numeric: '0.12345678' } }],
    })
    bitcoin.mine()
  }
  expect(await readBalance(receiver)).toMatchObject([
    { chainId, symbol: 'BTC', quantity: { decimals: '8', numeric: '5.12345678' } },
  ])
  expect(await readBalance(sender)).toMatchObject([{ quantity: { numeric: '4.87653322' } }])
  // Sending it again changes nothing, because the transaction itself has spent its coins.
  const again = await esplora('/tx', { method: 'POST', body: hex })
  expect([again.status, await again.text()]).toEqual([200, txid])
  expect(await (await esplora(`/tx/${txid}/hex`)).text()).toBe(hex)
})

test('error: the words of the node about a transaction that it does not want', async () => {
  const { hex } = await pay(3, keyAt(2).address, 100n)
  const dust = await esplora('/tx', { method: 'POST', body: hex })
  expect([dust.status, await dust.text()]).toEqual([400, expect.stringContaining('dust')])
})

test('default: a portfolio names the network’s currency, and an identity is empty', async () => {
  const { address } = keyAt(4)
  const portfolio = await get(`/v1/account/${address}/portfolio`)
  expect(accountPortfolioRoute.result.parse(portfolio.json).data).toEqual([
    { id: `${chainId}/slip44:0`, name: 'Bitcoin', symbol: 'BTC' },
  ])
  expect(identityRoute.result.parse((await get(`/v1/identity/${address}`)).json).name).toBeNull()
})

test('default: events of an address arrive', async () => {
  const query = `projectId=local&chainId=${chainId}&address=${keyAt(5).address}`
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/account-events?${query}`)
  const first = new Promise((resolve) => socket.once('message', (data) => resolve(String(data))))
  const sync = { complete: true, progress: 1, since: null }
  expect(JSON.parse(String(await first))).toEqual({ type: 'sync', chainId, sync })
  socket.terminate()
})

test.each(['balance', 'history'])(
  'error: %s: a node of another chain is not used, and its addresses are not ours',
  async (area) => {
    const bc = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
    expect((await get(`/v1/account/${bc}/${area}`, mainnet)).status).toBe(503)
    expect((await get(`/v1/account/${bc}/${area}`)).status).toBe(400)
    expect((await get(`/v1/account/${keyAt(0).address}/${area}`, mainnet)).status).toBe(400)
  },
)
