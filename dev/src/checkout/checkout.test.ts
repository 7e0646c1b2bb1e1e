import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { solanaChain } from '../chains/solana/definition.ts'
import { type Stack, startStack } from '../stack.ts'

let stack: Stack
const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-test-'))

beforeAll(async () => {
  stack = await startStack({
    mode: 'production',
    ports: 'free',
    dataDir,
    parts: ['chains', 'solana', 'checkout', 'server'],
    log: () => {},
  })
}, 120_000)
afterAll(async () => {
  await stack?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const evmBuyer = '0x00000000000000000000000000000000000B0b00'
const solanaBuyer = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi'

async function call(path: string, body?: object) {
  const init = body && { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(`${stack.urls.web}/v1/${path}?projectId=local`, init)
  return { status: response.status, body: await response.json() }
}

/** Opens a checkout as the modal does. */
async function open(chainId = 'eip155:31337', asset = 'native') {
  const address = chainId.startsWith('solana') ? solanaBuyer : evmBuyer
  const { body } = await call('generators/onrampurl', {
    destinationWallets: [{ address, blockchains: [chainId], assets: [asset] }],
    presetFiatAmount: 150,
    paymentCurrency: 'USD',
  })
  return body as { url: string; orderId: string }
}

/** Performs an action on the page of a checkout, and returns the page's message after it. */
async function act(url: string, name: string) {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams({ act: name }) })
  return [answer.status, await answer.text()] as const
}

const until = (id: string, expected: object) =>
  vi.waitFor(async () => expect((await call(`onramp/orders/${id}`)).body).toMatchObject(expected), {
    timeout: 60_000,
    interval: 500,
  })

test.each([
  ['eip155:31337', 'native', 'ETH', '0.04925'],
  ['eip155:31338', 'dUSD', 'dUSD', '147.75'],
  [solanaChain.id, 'native', 'SOL', '0.985'],
  [solanaChain.id, 'dUSD', 'dUSD', '147.75'],
])('default: what is bought on %s (%s) arrives, and is what was quoted', async (...row) => {
  const [chainId, asset, symbol, receivedAmount] = row
  const quote = await call('onramp/quote', {
    purchaseCurrency: { symbol },
    paymentCurrency: { id: 'USD' },
    amount: '150.00',
    network: chainId,
  })
  expect(quote.body).toMatchObject({
    coinbaseFee: { amount: '2.25' },
    purchaseAmount: { amount: receivedAmount, currency: symbol },
  })
  const { url, orderId } = await open(chainId, asset)
  expect(await (await fetch(url)).text()).toContain(`${receivedAmount} ${symbol}`)
  expect((await act(url, 'paid'))[1]).toContain('Paid.')
  await until(orderId, { status: 'arrived', receivedAmount })
})

test('behavior: the bank requests a confirmation, and only this pays or refuses', async () => {
  const { url, orderId } = await open()
  await act(url, 'confirm')
  expect((await act(url, 'secure'))[1]).toContain('Your bank asks')
  await act(url, 'refuse')
  await until(orderId, { status: 'declined', reason: 'authentication' })
  await act(url, 'secure')
  await act(url, 'confirm')
  await until(orderId, { status: 'arrived' })
})

test.each([
  ['declined', { status: 'declined', reason: 'card' }],
  ['cancel', { status: 'declined', reason: 'cancelled' }],
  ['undelivered', { status: 'failed' }],
])('behavior: the card "%s" leads to %j', async (name, expected) => {
  const { url, orderId } = await open()
  await act(url, name)
  await until(orderId, expected)
})

test('behavior: an order is paid once, however often the page is sent', async () => {
  const balance = async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [evmBuyer, 'latest'] }
    const init = { method: 'POST', body: JSON.stringify(body) }
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(stack.urls.rpc['eip155:31337'], { ...init, headers })
    return BigInt((await answer.json()).result)
  }
  const before = await balance()
  const { url, orderId } = await open()
  for (const name of ['paid', 'paid', 'declined', 'paid']) await act(url, name)
  await until(orderId, { status: 'arrived' })
  expect((await balance()) - before).toBe(49_250_000_000_000_000n)
})

test('error: a changed address, amount or order, and quotes without a signature, are refused', async () => {
  const { url } = await open()
  const changed = [
    url.replace(evmBuyer, '0x00000000000000000000000000000000000Bad00'),
    url.replace('amount=150', 'amount=7000'),
    url.replace(/order=./, 'order='),
    `${url}&amount=7000`,
    url.replace(/&signature=.*/, ''),
    stack.urls.checkout,
  ]
  for (const other of changed) {
    expect(other).not.toBe(url)
    expect((await act(other, 'paid'))[0]).toBe(400)
  }
  expect((await fetch(`${stack.urls.checkout}/quote`, { method: 'POST', body: '{}' })).status).toBe(
    400,
  )
})
