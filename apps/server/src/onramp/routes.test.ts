import { createHmac } from 'node:crypto'
import { onrampOptionsRoute, onrampQuoteRoute } from '@latchkey/wire'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { honest, honestSolana, startUpstream } from '../../test/fakeUpstream.ts'
import { chainWith } from '../../test/makeServices.ts'
import { openOnramp, secret, webhookSecret } from '../../test/openOnramp.ts'
import { openTestDatabase } from '../../test/openTestDatabase.ts'
import { startCheckout } from '../../test/startCheckout.ts'
import type { CheckoutConfig } from './onrampConfig.ts'
import { isWebhookSigned } from './webhookSignature.ts'

const chainId = 'eip155:31337'
const solanaId = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const genesis = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const account = alice.toLowerCase()
const token = `0x${'ab'.repeat(20)}`
const eur = `0x${'ce'.repeat(20)}`
/** Everything else costs 3 000 dollars. */
const prices: Record<string, bigint> = { [token]: 10n ** 18n, [eur]: 11n * 10n ** 17n }
const payee = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const mint = 'So11111111111111111111111111111111111111112'
const hash = `0x${'1'.repeat(64)}`
const otherHash = `0x${'2'.repeat(64)}`
const signature = '5'.repeat(88)

let opened: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  opened = await openTestDatabase()
})
afterAll(() => opened?.close())

const shop: CheckoutConfig = {
  type: 'checkout',
  name: 'Shop',
  feePercent: { min: 1, max: 2 },
  currencies: ['USD', 'EUR'],
  methods: ['card', 'ach_bank_account'],
  assets: { [chainId]: ['native', token], [solanaId]: ['native'] },
  url: 'https://pay.example/buy?order={orderId}&to={address}&asset={asset}&amount={amount}&currency={currency}&signature={signature}',
  webhookSecret,
}

/** The area with two chains that return `results`. */
async function open(config: Partial<CheckoutConfig> = {}, evmChain: { eur?: string } = {}) {
  await opened.db.deleteFrom('onramp_orders').execute()
  const results: Record<string, unknown> = {}
  const [evm, solana] = await Promise.all([
    startUpstream((...call) => honest(31337, results)(...call)),
    startUpstream((...call) => honestSolana(genesis, results)(...call)),
  ])
  onTestFinished(async () => {
    await Promise.all([evm.stop(), solana.stop()])
  })
  const sol = { name: 'Sol', symbol: 'SOL', decimals: 9 }
  const area = openOnramp({
    db: opened.db,
    chains: {
      [chainId]: { ...chainWith([evm.url]), ...evmChain },
      [solanaId]: { ...chainWith([solana.url]), nativeCurrency: sol },
    },
    onramp: new Map([
      ['shop', { ...shop, ...config }],
      [
        'other',
        {
          ...shop,
          name: 'Other',
          webhookSecret: `whsec_${Buffer.alloc(32, 8).toString('base64')}`,
        },
      ],
    ]),
    tokens: [
      { address: token, name: 'Dollar', symbol: 'dUSD', decimals: 6 },
      { address: mint, name: 'Solana Dollar', symbol: 'sUSD', decimals: 6 },
    ],
    readPrices: async ({ tokens }) =>
      tokens.map((one) => ({
        price: prices[one] ?? 3_000n * 10n ** 18n,
        seenAtMs: 0,
        source: 'usd' as const,
      })),
  })
  return { ...area, results }
}

const quote = (more: object = {}) => ({
  purchaseCurrency: { symbol: 'ETH' },
  paymentCurrency: { id: 'USD' },
  amount: '100.00',
  network: chainId,
  ...more,
})

const order = (more: object = {}) => ({
  destinationWallets: [{ address: alice, blockchains: [chainId], assets: ['native'] }],
  partnerUserId: alice,
  presetFiatAmount: 100.5,
  paymentCurrency: 'USD',
  ...more,
})

async function place(area: Awaited<ReturnType<typeof open>>, more: object = {}) {
  const { status, body } = await area.ask('/v1/generators/onrampurl', order(more))
  expect(status).toBe(200)
  return body.orderId as string
}

/** A transaction on the chain that pays `value` to alice, in a block at the area's time. */
function pay(
  area: Awaited<ReturnType<typeof open>>,
  { value = 10n ** 16n, to = account, logs = [] as object[], ageMs = 0 } = {},
) {
  Object.assign(area.results, {
    eth_getTransactionReceipt: { status: '0x1', blockNumber: '0x5', logs },
    eth_getTransactionByHash: { to, value: `0x${value.toString(16)}` },
    eth_getBlockByNumber: {
      timestamp: `0x${Math.floor((area.state.nowMs - ageMs) / 1000).toString(16)}`,
    },
    eth_getBalance: '0x0',
  })
}

const transfer = (to: string, amount: bigint, from = `0x${'9'.repeat(40)}`) => ({
  address: token,
  topics: [
    '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    `0x${from.slice(2).padStart(64, '0')}`,
    `0x${to.slice(2).padStart(64, '0')}`,
  ],
  data: `0x${amount.toString(16).padStart(64, '0')}`,
})

test('default: options: what is sold, with which limits, by whom', async () => {
  const { ask } = await open()
  const { body } = await ask('/v1/onramp/options')
  const options = onrampOptionsRoute.result.parse(body)
  expect(options.purchaseCurrencies.map(({ symbol }) => symbol)).toEqual(['ETH', 'dUSD', 'SOL'])
  expect(options.purchaseCurrencies[1]).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/),
    name: 'Dollar',
    symbol: 'dUSD',
    networks: [
      { name: chainId, display_name: 'Test', chain_id: '31337', contract_address: token, chainId },
    ],
  })
  expect(options.paymentCurrencies).toEqual(
    ['USD', 'EUR'].map((id) => ({
      id,
      payment_method_limits: [
        { id: 'card', min: '10.00', max: '7500.00' },
        { id: 'ach_bank_account', min: '10.00', max: '25000.00' },
      ],
    })),
  )
  expect(options.providers?.map(({ id, feePercent }) => [id, feePercent])).toEqual([
    ['shop', { min: 1, max: 2 }],
    ['other', { min: 1, max: 2 }],
  ])
})

test('default: a quote is what the provider answers, to a signed request without an account', async () => {
  const usd = (amount: string) => ({ amount, currency: 'USD' })
  const answer = {
    fee: usd('1.50'),
    networkFee: usd('0.10'),
    paymentSubtotal: usd('98.40'),
    paymentTotal: usd('100.00'),
    purchaseAmount: { amount: '0.0328', currency: 'ETH' },
    quoteId: 'q1',
  }
  const checkout = await startCheckout(() => answer)
  const { ask, state } = await open({ quoteUrl: `${checkout.url}/quote` })
  const { body } = await ask('/v1/onramp/quote', quote())
  const { fee, ...rest } = answer
  expect(body).toEqual({ ...rest, coinbaseFee: fee })
  const [call] = checkout.calls
  const header = (name: string) => String(call?.headers[name])
  const signed = {
    id: header('webhook-id'),
    timestamp: header('webhook-timestamp'),
    body: call?.body ?? '',
  }
  const signatures = header('webhook-signature')
  expect(isWebhookSigned(secret, signed, { signatures, nowMs: state.nowMs })).toBe(true)
  expect(call?.body.toLowerCase()).not.toContain(account)
  // Older clients send the symbol in place of the network.
  expect((await ask('/v1/onramp/quote', quote({ network: 'ETH' }))).status).toBe(200)
})

test.each([500, {}, { purchaseAmount: { amount: '-1', currency: 'ETH' } }])(
  'behavior: where the provider answers %j, a quote is an estimate and says so',
  async (answer) => {
    const checkout = await startCheckout(() => answer)
    const { ask } = await open({ quoteUrl: checkout.url })
    const { body } = await ask('/v1/onramp/quote', quote())
    expect(onrampQuoteRoute.result.parse(body)).toMatchObject({
      isEstimate: true,
      coinbaseFee: { amount: '2.00', currency: 'USD' },
      paymentSubtotal: { amount: '98.00' },
      paymentTotal: { amount: '100.00' },
      purchaseAmount: { amount: '0.032666666666666666', currency: 'ETH' },
      quoteId: expect.stringMatching(/^estimate-/),
    })
    const euros = await ask('/v1/onramp/quote', quote({ paymentCurrency: { id: 'EUR' } }))
    expect(euros).toMatchObject({ status: 503, body: { reasons: [{ field: 'provider' }] } })
  },
)

test('behavior: without a response of the provider, a payment in euros is estimated with the euro token', async () => {
  const { ask } = await open({ quoteUrl: 'http://127.0.0.1:9/quote' }, { eur })
  const euros = { paymentCurrency: { id: 'EUR' } }
  const { body } = await ask('/v1/onramp/quote', quote(euros))
  expect(onrampQuoteRoute.result.parse(body)).toMatchObject({
    isEstimate: true,
    coinbaseFee: { amount: '2.00', currency: 'EUR' },
    paymentSubtotal: { amount: '98.00', currency: 'EUR' },
    paymentTotal: { amount: '100.00', currency: 'EUR' },
    purchaseAmount: { amount: '0.035933333333333333', currency: 'ETH' },
  })
  const onSolana = { ...euros, purchaseCurrency: { symbol: 'SOL' }, network: solanaId }
  const { body: other } = await ask('/v1/onramp/quote', quote(onSolana))
  expect(other.purchaseAmount).toEqual({ amount: '0.035933333', currency: 'SOL' })
})

test('behavior: a quote in another currency than requested is not returned', async () => {
  const eur = { amount: '100.00', currency: 'EUR' }
  const answer = {
    ...{ fee: eur, networkFee: eur, paymentSubtotal: eur, paymentTotal: eur, quoteId: 'q1' },
    purchaseAmount: { amount: '1', currency: 'ETH' },
  }
  const checkout = await startCheckout(() => answer)
  const { ask } = await open({ quoteUrl: checkout.url })
  expect((await ask('/v1/onramp/quote', quote())).body.isEstimate).toBe(true)
})

test.each([
  [{ amount: '9.99' }, 'amount'],
  [{ amount: '7500.01' }, 'amount'],
  [{ amount: '25000.01', paymentMethod: 'ach_bank_account' }, 'amount'],
  [{ amount: '1e3' }, 'amount'],
  [{ amount: '10.001' }, 'amount'],
  [{ amount: '-50' }, 'amount'],
  [{ paymentCurrency: { id: 'GBP' } }, 'paymentCurrency'],
  [{ purchaseCurrency: { symbol: 'DOGE' } }, 'purchaseCurrency'],
  [{ network: 'eip155:1' }, 'purchaseCurrency'],
  [{ provider: 'nobody' }, 'provider'],
])('error: a quote for %j is 400', async (more, field) => {
  const { ask } = await open()
  const { status, body } = await ask('/v1/onramp/quote', quote(more))
  expect([status, body.reasons[0].field]).toEqual([400, field])
  expect(
    (await ask('/v1/onramp/quote', quote({ amount: '7500.01', paymentMethod: 'ach_bank_account' })))
      .status,
  ).toBe(200)
})

test('default: an order has the address of a checkout, signed, and can be followed', async () => {
  const { ask } = await open()
  const { body } = await ask('/v1/generators/onrampurl', order())
  const url = new URL(body.url)
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    order: body.orderId,
    to: alice,
    asset: 'native',
    amount: '100.5',
    currency: 'USD',
  })
  const [text = '', signed] = body.url.split(/(?<=&signature=)/)
  expect(createHmac('sha256', secret).update(text).digest('base64url')).toBe(signed)
  expect((await ask(`/v1/onramp/orders/${body.orderId}`)).body).toEqual({
    id: body.orderId,
    status: 'created',
    reason: null,
    provider: 'shop',
    providerName: 'Shop',
    chainId,
    symbol: 'ETH',
    paymentAmount: '100.5',
    paymentCurrency: 'USD',
    receivedAmount: null,
    transactionHash: null,
    createdAt: expect.any(String),
  })
  expect((await ask(`/v1/onramp/orders/${'a'.repeat(24)}`)).status).toBe(404)
})

test('behavior: what older clients send opens a checkout too', async () => {
  const { ask } = await open()
  const old = {
    destinationWallets: [{ address: alice, blockchains: ['ethereum-mainnet'] }, { address: alice }],
    partnerUserId: alice,
    defaultNetwork: chainId,
  }
  expect((await ask('/v1/generators/onrampurl', old)).body.url).toContain('https://pay.example/')
})

test.each([
  { destinationWallets: [] },
  { destinationWallets: [{ address: alice, blockchains: [solanaId] }] },
  { destinationWallets: [{ address: payee, blockchains: [chainId] }] },
  { destinationWallets: [{ address: alice, assets: ['DOGE'] }] },
  { destinationWallets: [{ address: 'alice' }] },
  { presetFiatAmount: 1 },
  { provider: 'nobody' },
  { paymentCurrency: 'GBP' },
])('error: an order with %j is refused', async (more) => {
  const { ask } = await open()
  expect([400, 422]).toContain((await ask('/v1/generators/onrampurl', order(more))).status)
})

test('behavior: one client cannot open checkouts without end', async () => {
  const { ask } = await open()
  const statuses = []
  for (let count = 0; count < 11; count++)
    statuses.push((await ask('/v1/generators/onrampurl', order())).status)
  expect(statuses.filter((status) => status === 429)).toHaveLength(1)
})

test('default: an order is paid, sent, and has arrived once the chain shows it', async () => {
  const area = await open()
  const id = await place(area)
  expect(await area.report({ orderId: id, status: 'paid' })).toBe(204)
  expect(await area.follow(id)).toMatchObject({ status: 'paid' })
  expect(await area.report({ orderId: id, status: 'sent', transactionHash: hash })).toBe(204)
  area.results.eth_getTransactionReceipt = null
  expect(await area.follow(id)).toMatchObject({ status: 'sent', receivedAmount: null })
  pay(area)
  expect(await area.follow(id)).toMatchObject({
    status: 'arrived',
    receivedAmount: '0.01',
    transactionHash: hash,
  })
  const history = await area.ask(`/v1/account/${alice}/history?projectId=local&onramp=shop`)
  expect(history.body.data).toMatchObject([
    {
      metadata: {
        operationType: 'buy',
        status: 'ONRAMP_TRANSACTION_STATUS_SUCCESS',
        sentFrom: 'Shop',
        hash,
        nonce: 1,
      },
      transfers: [{ direction: 'in', quantity: { numeric: '0.01' } }],
    },
  ])
  expect(JSON.stringify(history.body)).not.toContain(id)
})

test('behavior: no report makes an order arrive without its own successful transaction', async () => {
  const area = await open()
  const id = await place(area)
  expect(await area.report({ orderId: id, status: 'arrived', transactionHash: hash })).toBe(400)
  await area.report({ orderId: id, status: 'sent', transactionHash: hash })
  const isSent = async () => expect((await area.follow(id)).status).toBe('sent')
  pay(area, { to: `0x${'7'.repeat(40)}` })
  await isSent()
  pay(area, { value: 0n })
  await isSent()
  pay(area, { ageMs: 3_600_000 })
  await isSent()
  pay(area)
  area.results.eth_getTransactionReceipt = { status: '0x0', blockNumber: '0x5', logs: [] }
  await isSent()
  pay(area)
  expect((await area.follow(id)).status).toBe('arrived')
  // The same transaction does not fulfill a second order.
  const second = await place(area)
  await area.report({ orderId: second, status: 'sent', transactionHash: hash })
  pay(area)
  expect((await area.follow(second)).status).toBe('sent')
})

test('behavior: of two orders that one transaction would bring at the same moment, one arrives', async () => {
  const area = await open()
  const [first, second] = [await place(area), await place(area)]
  for (const orderId of [first, second])
    await area.report({ orderId, status: 'sent', transactionHash: hash })
  pay(area)
  let following: ReturnType<typeof area.follow> | undefined
  await opened.db.transaction().execute(async (trx) => {
    const arrived = { status: 'arrived', received: '1' }
    await trx.updateTable('onramp_orders').set(arrived).where('id', '=', first).execute()
    following = area.follow(second)
    const waiting = sql`
      select from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`
    await expect.poll(async () => (await waiting.execute(opened.db)).rows.length).toBe(1)
  })
  expect(await following).toMatchObject({ status: 'sent', receivedAmount: null })
})

test('behavior: tokens count by their transfers, ether from a contract by the balance', async () => {
  const area = await open()
  const id = await place(area, { destinationWallets: [{ address: alice, assets: ['dUSD'] }] })
  await area.report({ orderId: id, status: 'sent', transactionHash: hash })
  const foreign = { ...transfer(account, 9n ** 9n), address: `0x${'cd'.repeat(20)}` }
  pay(area, { logs: [foreign, transfer(`0x${'7'.repeat(40)}`, 5n)] })
  expect((await area.follow(id)).status).toBe('sent')
  pay(area, {
    logs: [transfer(account, 2_500_000n), transfer(`0x${'7'.repeat(40)}`, 500_000n, account)],
  })
  expect(await area.follow(id)).toMatchObject({ status: 'arrived', receivedAmount: '2' })

  const ether = await place(area)
  await area.report({ orderId: ether, status: 'sent', transactionHash: otherHash })
  pay(area, { to: `0x${'7'.repeat(40)}`, value: 0n })
  area.results.eth_getBalance = ([, block]: [string, string]) => (block === '0x5' ? '0x64' : '0x60')
  expect(await area.follow(ether)).toMatchObject({
    status: 'arrived',
    receivedAmount: '0.000000000000000004',
  })
})

test('default: on Solana an order arrives too', async () => {
  const area = await open()
  const id = await place(area, {
    destinationWallets: [{ address: payee, blockchains: [solanaId] }],
  })
  await area.report({ orderId: id, status: 'sent', transactionHash: signature })
  const transaction = (err: unknown) => ({
    blockTime: Math.floor(area.state.nowMs / 1000),
    meta: { err, preBalances: [9, 1_000], postBalances: [4, 500_001_000] },
    transaction: { message: { accountKeys: [{ pubkey: 'x' }, { pubkey: payee }] } },
  })
  area.results.getTransaction = transaction({ InstructionError: [0, 'Custom'] })
  expect((await area.follow(id)).status).toBe('sent')
  area.results.getTransaction = transaction(null)
  expect(await area.follow(id)).toMatchObject({
    status: 'arrived',
    receivedAmount: '0.5',
    symbol: 'SOL',
  })
})

test('default: an SPL token arrives by what its owner holds, and by nothing else', async () => {
  const area = await open({ assets: { [solanaId]: [mint] } })
  const id = await place(area, {
    destinationWallets: [{ address: payee, blockchains: [solanaId], assets: ['sUSD'] }],
  })
  await area.report({ orderId: id, status: 'sent', transactionHash: signature })
  const held = (amount: string, of: { mint?: string; owner?: string } = {}) => [
    { mint, owner: payee, uiTokenAmount: { amount }, ...of },
  ]
  const transaction = (before: object[], after: object[]) => ({
    blockTime: Math.floor(area.state.nowMs / 1000),
    meta: {
      ...{ err: null, preBalances: [9], postBalances: [4] },
      ...{ preTokenBalances: before, postTokenBalances: after },
    },
    transaction: { message: { accountKeys: [{ pubkey: payee }] } },
  })
  for (const [before, after] of [
    [held('5'), held('5')],
    [[], held('7000000', { mint: payee })],
    [[], held('7000000', { owner: 'x' })],
    [held('7000000'), []],
  ] as const) {
    area.results.getTransaction = transaction([...before], [...after])
    expect((await area.follow(id)).status).toBe('sent')
  }
  area.results.getTransaction = transaction(held('500000'), held('7500000'))
  expect(await area.follow(id)).toMatchObject({ status: 'arrived', receivedAmount: '7' })
})

test('error: a forged, changed, foreign, old or future report changes nothing', async () => {
  const area = await open()
  const id = await place(area)
  const paid = { orderId: id, status: 'paid' }
  expect(await area.report(paid, { key: Buffer.alloc(32, 1) })).toBe(401)
  expect(await area.report(paid, { body: '{}' })).toBe(401)
  expect(await area.report(paid, { signedAtMs: area.state.nowMs - 301_000 })).toBe(401)
  expect(await area.report(paid, { signedAtMs: area.state.nowMs + 301_000 })).toBe(401)
  expect(await area.report(paid, { provider: 'nobody' })).toBe(401)
  expect(await area.report(paid, { provider: 'other' })).toBe(401)
  // Another provider with another secret.
  expect(await area.report(paid, { provider: 'other', key: Buffer.alloc(32, 8) })).toBe(404)
  expect(await area.report({ orderId: 'a'.repeat(24), status: 'paid' })).toBe(404)
  expect((await area.follow(id)).status).toBe('created')
})

test('behavior: reports that come twice, late or in another order never take an order back', async () => {
  const area = await open()
  const id = await place(area)
  const at = area.state.nowMs
  const tell = (status: string, seconds: number, more = {}) =>
    area.report({ orderId: id, status, ...more }, { atMs: at + seconds * 1000 })
  await tell('paid', 2)
  expect(await tell('declined', 1, { reason: 'card' })).toBe(204)
  expect(await area.follow(id)).toMatchObject({ status: 'paid', reason: null })
  area.results.eth_getTransactionReceipt = null
  await tell('sent', 4, { transactionHash: otherHash })
  await tell('sent', 3, { transactionHash: hash })
  await tell('sent', 4, { transactionHash: hash })
  await tell('paid', 9)
  await tell('expired', 9)
  expect(await area.follow(id)).toMatchObject({ status: 'sent', transactionHash: otherHash })
  await tell('failed', 3)
  expect((await area.follow(id)).status).toBe('sent')
  // The report of a replacement transaction comes later.
  await tell('sent', 5, { transactionHash: hash })
  pay(area)
  expect((await area.follow(id)).status).toBe('arrived')
  await tell('failed', 99)
  expect((await area.follow(id)).status).toBe('arrived')
})

test('behavior: after a declined card another may pay; an unpaid checkout expires', async () => {
  const area = await open()
  const id = await place(area)
  await area.report({ orderId: id, status: 'declined', reason: 'authentication' })
  expect(await area.follow(id)).toMatchObject({ status: 'declined', reason: 'authentication' })
  await area.report({ orderId: id, status: 'paid' })
  expect((await area.follow(id)).status).toBe('paid')
  const [idle, declined] = [await place(area), await place(area)]
  await area.report({ orderId: declined, status: 'declined', reason: 'card' })
  area.state.nowMs += 4 * 3_600_000
  expect((await area.follow(idle)).status).toBe('expired')
  expect(await area.follow(declined)).toMatchObject({ status: 'expired', reason: 'card' })
  // No one can put unpaid orders into the history of other accounts.
  const history = await area.ask(`/v1/account/${alice}/history?projectId=local&onramp=all`)
  expect(history.body.data).toMatchObject([
    { metadata: { status: 'ONRAMP_TRANSACTION_STATUS_IN_PROGRESS' } },
  ])
})
