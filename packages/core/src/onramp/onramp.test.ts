import type { ServerResponse } from 'node:http'
import type { HistoryTransaction } from '@latchkey/wire'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { alice, bob } from '../../test/fakeWallet.ts'
import { createPage } from '../../test/page.ts'
import { json, startServer, type TestServer } from '../../test/server.ts'
import { createBrowser, openApp } from '../../test/tab.ts'
import { getBuyOptions } from './buyOptions.ts'
import { openCheckoutWindow } from './checkoutWindow.ts'
import { getBuyQuote } from './getBuyQuote.ts'
import { getOrder } from './getOrder.ts'
import { mergePurchases } from './mergePurchases.ts'
import { findFailedOrder, findSavedOrder, getSavedOrders } from './savedOrders.ts'
import { parseBuyAmount, selectPurchase } from './selectPurchase.ts'
import { startOrder } from './startOrder.ts'

const nowMs = 1_767_225_600_000
const chainId = 'eip155:31337'
const usdc = `0x${'ab'.repeat(20)}`
const orderId = 'a'.repeat(24)

let server: TestServer
let answer: (response: ServerResponse) => void
beforeEach(async () => {
  server = await startServer((_, response) => answer(response))
})
afterEach(() => server.stop())

const open = (browser = createBrowser()) =>
  openApp(
    { ...browser.openTab(), fetch: globalThis.fetch, now: () => nowMs },
    { apiUrl: server.url },
  )

const on = (id: string, contract = '') => ({
  name: id,
  display_name: id,
  chain_id: id.split(':')[1] ?? '',
  contract_address: contract,
  chainId: id,
})
const seller = (id: string, more: object = {}) => ({
  id,
  name: id,
  feePercent: { min: 1, max: 2 },
  assets: [`${chainId}/native`, `${chainId}/${usdc}`],
  currencies: ['USD', 'EUR'],
  methods: ['card'],
  ...more,
})
const limits = { min: '10.00', max: '7500.00' }
const served = {
  purchaseCurrencies: [
    { id: '1', name: 'Ether', symbol: 'ETH', networks: [on('eip155:1'), on(chainId)] },
    { id: '2', name: 'Dollar', symbol: 'USDC', networks: [on(chainId, usdc)] },
    { id: '3', name: 'Orphan', symbol: 'ORP', networks: [on(chainId, bob)] },
  ],
  paymentCurrencies: ['USD', 'EUR', 'GBP'].map((id) => ({
    id,
    payment_method_limits: [
      { id: 'card', ...limits },
      { id: 'ach_bank_account', min: '10.00', max: '25000.00' },
    ],
  })),
  providers: [
    seller('shop'),
    seller('bank', { assets: [`${chainId}/native`], methods: ['ach_bank_account'] }),
    seller('elsewhere', { assets: ['eip155:1/native'] }),
  ],
}
const readOptions = () => {
  answer = (response) => json(response, served)
  return getBuyOptions(open(), { chainId })
}

const purchase = {
  chainId,
  token: { asset: 'native', symbol: 'ETH', name: 'Ether' },
  currency: 'USD',
  method: 'card',
  providerId: 'shop',
  amount: '100.00',
} as const

test('default: what is sold on the network, by whom', async () => {
  const options = await readOptions()
  expect(options.tokens).toEqual([
    { asset: 'native', symbol: 'ETH', name: 'Ether' },
    { asset: usdc, symbol: 'USDC', name: 'Dollar' },
  ])
  expect(options.currencies.map(({ id }) => id)).toEqual(['USD', 'EUR'])
  expect(options.providers.map(({ id }) => id)).toEqual(['shop', 'bank'])
})

test('behavior: a server that names no providers sells nothing here', async () => {
  answer = (response) => json(response, { ...served, providers: undefined })
  const options = await getBuyOptions(open(), { chainId })
  expect(selectPurchase(options, { amount: '' })).toBeUndefined()
})

test('default: a form is filled in with what can be chosen, and what cannot is not kept', async () => {
  const options = await readOptions()
  expect(selectPurchase(options, { amount: '' })).toMatchObject({
    token: { asset: 'native' },
    currency: 'USD',
    method: 'card',
    methods: ['card', 'ach_bank_account'],
    provider: { id: 'shop' },
    limits,
  })
  const byBank = { amount: '', method: 'ach_bank_account', currency: 'EUR' } as const
  expect(selectPurchase(options, byBank)).toMatchObject({
    currency: 'EUR',
    provider: { id: 'bank' },
    limits: { max: '25000.00' },
  })
  // No provider sells this token for a bank transfer.
  expect(selectPurchase(options, { ...byBank, asset: usdc, provider: 'bank' })).toMatchObject({
    token: { asset: usdc },
    method: 'card',
    provider: { id: 'shop' },
  })
})

test.each([
  ['', { problem: 'empty' }],
  ['ten', { problem: 'invalid' }],
  ['1e3', { problem: 'invalid' }],
  ['-20', { problem: 'invalid' }],
  ['10.001', { problem: 'invalid' }],
  ['9.99', { problem: 'tooLow' }],
  ['7500.01', { problem: 'tooHigh' }],
  ['10', { amount: '10.00' }],
  ['010.', { amount: '10.00' }],
  ['7500', { amount: '7500.00' }],
  ['99.5', { amount: '99.50' }],
])('default: the amount "%s" is %j', (typed, expected) => {
  expect(parseBuyAmount(typed, limits)).toEqual(expected)
})

const money = (amount: string, currency = 'USD') => ({ amount, currency })
const quoted = {
  coinbaseFee: money('1.50'),
  networkFee: money('0.00'),
  paymentSubtotal: money('98.50'),
  paymentTotal: money('100.00'),
  purchaseAmount: money('0.0328', 'ETH'),
  quoteId: 'q',
}

test('default: a quote request contains neither account nor order', async () => {
  answer = (response) => json(response, quoted)
  expect(await getBuyQuote(open(), { purchase })).toEqual(quoted)
  expect(server.calls[0]?.body).toEqual({
    purchaseCurrency: { symbol: 'ETH' },
    paymentCurrency: { id: 'USD' },
    network: chainId,
    paymentMethod: 'card',
    provider: 'shop',
    amount: '100.00',
  })
})

test.each([
  { purchaseAmount: money('0.0328', 'BTC') },
  { purchaseAmount: money('-1', 'ETH') },
  { paymentTotal: money('100.00', 'EUR') },
  { paymentTotal: money('50.00') },
  { paymentTotal: money('100.02') },
  { coinbaseFee: money('NaN') },
])('error: a quote with %j is none', async (change) => {
  answer = (response) => json(response, { ...quoted, ...change })
  await expect(getBuyQuote(open(), { purchase })).rejects.toMatchObject({ code: 'ANSWER_INVALID' })
})

/** A window as the browser gives it. */
const fakeWindow = () => {
  const opened = {
    closed: false,
    opener: {} as unknown,
    location: { href: 'about:blank' },
    close: () => {
      opened.closed = true
    },
  }
  return opened
}

test('default: an order leads the window to the checkout, without a way back, and outlives a reload', async () => {
  const url = 'https://pay.example/buy?order=1'
  answer = (response) => json(response, { url, orderId })
  const browser = createBrowser()
  const opened = fakeWindow()
  const app = open(browser)
  const order = await startOrder(app, { purchase, address: alice, opened })
  expect(opened).toMatchObject({ location: { href: url }, opener: null, closed: false })
  expect(server.calls[0]?.body).toMatchObject({
    destinationWallets: [{ address: alice, blockchains: [chainId], assets: ['native'] }],
    presetFiatAmount: 100,
    paymentCurrency: 'USD',
    provider: 'shop',
  })
  const again = open(browser)
  expect(getSavedOrders(again, { address: alice.toLowerCase(), chainId })).toEqual([order])
  expect(getSavedOrders(again, { address: bob, chainId })).toEqual([])
  expect(getSavedOrders(again, { address: alice, chainId: 'eip155:1' })).toEqual([])
  expect(findSavedOrder(again, { id: orderId })).toEqual(order)
})

test.each(['javascript:alert(1)', 'data:text/html,hello', 'http://pay.example/buy', 'pay.example'])(
  'error: the checkout "%s" is not opened',
  async (url) => {
    answer = (response) => json(response, { url, orderId })
    const app = open()
    const opened = fakeWindow()
    await expect(startOrder(app, { purchase, address: alice, opened })).rejects.toMatchObject({
      code: 'ANSWER_INVALID',
    })
    expect(opened).toMatchObject({ closed: true, location: { href: 'about:blank' } })
    expect(getSavedOrders(app, { address: alice, chainId })).toEqual([])
  },
)

test('behavior: an order stands without its window, which the browser may not open', async () => {
  answer = (response) => json(response, { url: 'http://127.0.0.1:3008/buy', orderId })
  const app = open()
  await startOrder(app, { purchase, address: alice, opened: undefined })
  expect(findSavedOrder(app, { id: orderId })).toBeDefined()
  const page = createPage()
  expect(openCheckoutWindow(openApp({ page }))).toBeDefined()
  expect(page.opened).toMatchObject([{ url: 'about:blank', target: '_blank' }])
  expect(openCheckoutWindow(openApp({ page: { ...page, open: () => null } }))).toBeUndefined()
})

const followed = {
  id: orderId,
  status: 'created',
  reason: null,
  provider: 'shop',
  providerName: 'Shop',
  chainId,
  symbol: 'ETH',
  paymentAmount: '100',
  paymentCurrency: 'USD',
  receivedAmount: null,
  transactionHash: null,
  createdAt: '2026-01-01T00:00:00.000Z',
}

test('behavior: an order that has ended, or that the server does not know, is forgotten', async () => {
  for (const over of ['arrived', 'expired', undefined]) {
    answer = (response) => json(response, { url: 'https://pay.example/', orderId })
    const app = open()
    await startOrder(app, { purchase, address: alice, opened: undefined })
    answer = (response) => json(response, followed)
    expect(await getOrder(app, { id: orderId })).toEqual(followed)
    expect(findSavedOrder(app, { id: orderId })).toBeDefined()
    answer = (response) => {
      if (over) return json(response, { ...followed, status: over })
      response.writeHead(404).end('{}')
    }
    expect((await getOrder(app, { id: orderId }))?.status).toBe(over)
    expect(findSavedOrder(app, { id: orderId })).toBeUndefined()
  }
})

test('behavior: a failed order is not followed again, and keeps its number and the paid amount', async () => {
  answer = (response) => json(response, { url: 'https://pay.example/', orderId })
  const app = open()
  await startOrder(app, { purchase, address: alice, opened: undefined })
  answer = (response) => json(response, { ...followed, status: 'failed' })
  await getOrder(app, { id: orderId })
  expect(getSavedOrders(app, { address: alice, chainId })).toEqual([])
  const minedAt = followed.createdAt
  const bought = { operationType: 'bought', status: 'failed', minedAt } as const
  expect(findFailedOrder(app, entry('', bought))).toMatchObject({
    id: orderId,
    failed: { paymentAmount: '100', paymentCurrency: 'USD' },
  })
  const later = { ...bought, minedAt: '2026-01-02T00:00:00.000Z' }
  expect(findFailedOrder(app, entry('', later))).toBeUndefined()
})

const entry = (id: string, metadata: Partial<HistoryTransaction['metadata']>) =>
  ({
    id,
    metadata: {
      operationType: 'receive',
      hash: id,
      minedAt: '2026-01-01T00:00:00.000Z',
      sentFrom: bob,
      sentTo: alice,
      status: 'confirmed',
      nonce: 0,
      application: null,
      chain: chainId,
      ...metadata,
    },
    transfers: [{ direction: 'in', quantity: { numeric: '1' } }],
  }) as HistoryTransaction

test('default: purchases stand among the transactions, what has arrived once', () => {
  const day = (number: number) => `2026-01-0${number}T00:00:00.000Z`
  const transactions = [entry('0x3', { minedAt: day(3) }), entry('0x1', { minedAt: day(1) })]
  const bought = { operationType: 'buy', sentFrom: 'Shop' }
  const purchases = [
    entry('a', { ...bought, hash: '', status: 'pending', minedAt: day(5) }),
    entry('b', { ...bought, hash: '', status: 'pending', minedAt: day(4) }),
    entry('c', { ...bought, hash: '0x3', minedAt: day(2) }),
    entry('d', { ...bought, hash: '', status: 'failed', minedAt: day(2) }),
    entry('e', { ...bought, hash: '0x9', minedAt: day(2) }),
    entry('f', { ...bought, hash: '0x8', status: 'pending', minedAt: day(2) }),
  ]
  const merged = mergePurchases(transactions, {
    purchases,
    shown: new Set([day(5)]),
    hasMore: false,
  })
  expect(
    merged.map(({ id, metadata, transfers }) => [
      id,
      metadata.operationType,
      metadata.application?.name,
      transfers.length,
    ]),
  ).toEqual([
    ['b', 'bought', 'Shop', 0],
    ['0x3', 'bought', 'Shop', 1],
    ['d', 'bought', 'Shop', 0],
    // Ether that a contract passes on is in no index.
    ['e', 'bought', 'Shop', 1],
    ['f', 'bought', 'Shop', 0],
    ['0x1', 'receive', undefined, 1],
  ])
  const first = mergePurchases(transactions.slice(0, 1), {
    purchases,
    shown: new Set(),
    hasMore: true,
  })
  expect(first.map(({ id }) => id)).toEqual(['a', 'b', '0x3'])
})
