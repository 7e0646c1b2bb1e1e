import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jwtVerify } from 'jose'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { startCheckout } from '../../../test/startCheckout.ts'
import type { CoinbaseConfig } from '../onrampConfig.ts'
import type { StoredOrder } from '../orderStore.ts'
import { createCoinbase } from './createCoinbase.ts'

const price = (value: string, currency = 'USD') => ({ value, currency })
const asset = {
  chainId: 'eip155:1',
  asset: 'native',
  name: 'Ether',
  symbol: 'ETH',
  decimals: 18,
} as const
const order = {
  id: 'order-1',
  asset,
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  paymentAmount: '100.5',
  paymentCurrency: 'USD',
  paymentMethod: 'card',
  status: 'created',
} as unknown as StoredOrder

function makeKey(kind: 'ES256' | 'EdDSA'): { keySecret: string; publicKey: KeyObject } {
  if (kind === 'ES256') {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    return { keySecret: String(privateKey.export({ type: 'sec1', format: 'pem' })), publicKey }
  }
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' })
  const bytes = Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')])
  return { keySecret: bytes.toString('base64'), publicKey }
}

/** A Coinbase client for an API in this process, with its log lines. */
function open(
  apiUrl: string,
  keySecret = makeKey('EdDSA').keySecret,
  more: Partial<CoinbaseConfig> = {},
) {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const coinbase = createCoinbase({ log, clock: Date.now }, 'coinbase', {
    type: 'coinbase',
    name: 'Coinbase',
    feePercent: { min: 1, max: 2 },
    currencies: ['USD'],
    methods: ['card'],
    keyId: 'key',
    keySecret,
    country: 'US',
    apiUrl,
    payUrl: 'https://pay.coinbase.com/buy/select-asset',
    ...more,
  })
  return { coinbase, lines }
}

/** A quote from Coinbase's documentation. */
const answered = (currency: string) => ({
  coinbase_fee: price('1.00', currency),
  network_fee: price('0.10', currency),
  payment_subtotal: price('98.90', currency),
  payment_total: price('100.00', currency),
  purchase_amount: price('0.03', 'ETH'),
  quote_id: 'q1',
})

test.each(['ES256', 'EdDSA'] as const)(
  'default: %s: quote, session and transactions, each request signed',
  async (kind) => {
    const { keySecret, publicKey } = makeKey(kind)
    const answers: Record<string, unknown> = {
      '/onramp/v1/buy/quote': answered('USD'),
      '/onramp/v1/token': { token: 'session', channel_id: '' },
      '/onramp/v1/buy/user/order-1/transactions': {
        transactions: [
          {
            status: 'ONRAMP_TRANSACTION_STATUS_SUCCESS',
            tx_hash: '0x1',
            created_at: '2026-01-01T00:00:00Z',
          },
        ],
      },
    }
    const api = await startCheckout(async ({ method, path, headers }) => {
      const token = String(headers.authorization).replace('Bearer ', '')
      const { payload, protectedHeader } = await jwtVerify(token, publicKey, {
        issuer: 'cdp',
        subject: 'key',
      })
      expect(protectedHeader).toMatchObject({
        alg: kind,
        kid: 'key',
        typ: 'JWT',
        nonce: expect.any(String),
      })
      expect(payload.uris).toEqual([`${method} ${headers.host}${path}`])
      expect(Number(payload.exp) - Number(payload.nbf)).toBe(120)
      return answers[path] ?? 404
    })
    const { coinbase } = open(api.url, keySecret)
    const purchase = { asset, currency: 'USD', method: 'card', amount: '100.00' } as const
    expect(await coinbase.quote(purchase)).toMatchObject({
      quoteId: 'q1',
      purchaseAmount: { amount: '0.03', currency: 'ETH' },
    })
    expect(api.calls[0]?.body).not.toContain(order.address)
    const url = new URL((await coinbase.getCheckoutUrl(order, { clientIp: '192.0.2.1' })) ?? '')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      sessionToken: 'session',
      partnerUserRef: 'order-1',
      presetFiatAmount: '100.5',
    })
    expect(url.searchParams.has('presetCryptoAmount')).toBe(false)
    expect(url.href).not.toContain(order.address)
    expect(JSON.parse(api.calls[1]?.body ?? '')).toMatchObject({
      addresses: [{ address: order.address, blockchains: ['ethereum'] }],
      clientIp: '192.0.2.1',
    })
    expect(await coinbase.readReport?.(order)).toMatchObject({
      status: 'sent',
      transactionHash: '0x1',
    })
    answers['/onramp/v1/buy/user/order-1/transactions'] = { transactions: [] }
    expect(await coinbase.readReport?.(order)).toBe('none')
    api.state.answer = () => 401
    expect(await coinbase.readReport?.(order)).toBeUndefined()
    expect(await coinbase.quote(purchase)).toBeUndefined()
  },
)

const solana = {
  chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  asset: 'native',
  name: 'SOL',
  symbol: 'SOL',
  decimals: 9,
} as const

test.each<[string, Partial<CoinbaseConfig>, object, object]>([
  [
    'a card',
    {},
    { asset, currency: 'USD', method: 'card' },
    {
      ...{ country: 'US', paymentCurrency: 'USD', paymentMethod: 'CARD' },
      ...{ purchaseCurrency: 'ETH', purchaseNetwork: 'ethereum' },
    },
  ],
  [
    'a bank account of a state',
    { subdivision: 'NY' },
    { asset: solana, currency: 'USD', method: 'ach_bank_account' },
    {
      ...{ country: 'US', subdivision: 'NY', paymentCurrency: 'USD' },
      paymentMethod: 'ACH_BANK_ACCOUNT',
      ...{ purchaseCurrency: 'SOL', purchaseNetwork: 'solana' },
    },
  ],
])('default: what a quote for %s asks', async (_, config, purchase, expected) => {
  const api = await startCheckout(() => answered('USD'))
  const { coinbase } = open(api.url, undefined, config)
  const whole = { ...purchase, amount: '100.00' } as Parameters<typeof coinbase.quote>[0]
  expect(await coinbase.quote(whole)).toMatchObject({ quoteId: 'q1' })
  expect(JSON.parse(api.calls[0]?.body ?? '')).toEqual({ ...expected, paymentAmount: '100.00' })
})

test('error: a quote in dollars is ignored if another currency was requested', async () => {
  const api = await startCheckout(() => answered('USD'))
  const { coinbase } = open(api.url, undefined, { currencies: ['EUR'], country: 'DE' })
  const purchase = { asset, currency: 'EUR', method: 'card', amount: '100.00' } as const
  expect(await coinbase.quote(purchase)).toBeUndefined()
  expect(JSON.parse(api.calls[0]?.body ?? '')).toMatchObject({ paymentCurrency: 'EUR' })
  api.state.answer = () => answered('EUR')
  expect(await coinbase.quote(purchase)).toMatchObject({
    paymentTotal: { amount: '100.00', currency: 'EUR' },
  })
})

test('default: the checkout of a purchase on Solana by a bank account', async () => {
  const api = await startCheckout(() => ({ token: 'session', channel_id: '' }))
  const { coinbase } = open(api.url)
  const address = '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv'
  const bought = { ...order, asset: solana, address, paymentMethod: 'ach_bank_account' as const }
  const url = new URL((await coinbase.getCheckoutUrl(bought, { clientIp: '192.0.2.1' })) ?? '')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    ...{ sessionToken: 'session', defaultNetwork: 'solana', defaultAsset: 'SOL' },
    ...{ fiatCurrency: 'USD', defaultPaymentMethod: 'ACH_BANK_ACCOUNT' },
    ...{ partnerUserRef: 'order-1', presetFiatAmount: '100.5' },
  })
  expect(JSON.parse(api.calls[0]?.body ?? '')).toEqual({
    addresses: [{ address, blockchains: ['solana'] }],
    assets: ['SOL'],
    clientIp: '192.0.2.1',
  })
})

test.each([401, {}, 'order-1 is not known'])(
  'error: what Coinbase refuses with %j is in the log, the id of the order is not',
  async (answer) => {
    const api = await startCheckout(() => answer)
    const { coinbase, lines } = open(api.url)
    expect(await coinbase.readReport?.(order)).toBeUndefined()
    expect(api.calls[0]?.path).toContain(order.id)
    expect(lines).toEqual([expect.stringContaining('"subject":"transactions"')])
    expect(lines.join()).not.toContain(order.id)
  },
)

test('error: an answer that is no JSON is not quoted in the log', async () => {
  const api = createServer((_, response) => response.end(order.id))
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void api.close())
  const { coinbase, lines } = open(`http://127.0.0.1:${(api.address() as AddressInfo).port}`)
  expect(await coinbase.readReport?.(order)).toBeUndefined()
  expect(lines).toHaveLength(1)
  expect(lines.join()).not.toContain(order.id)
})
