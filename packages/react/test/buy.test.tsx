import { connect, createApp, openModal } from '@latchkey/core'
import type { OnrampOrder } from '@latchkey/wire'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider, PageView } from '../src/index.ts'
import '../src/theme.css'
import { alice, announce, createFakeWallet, phonePage, testApp } from './testApp.ts'
import { violations } from './violations.ts'
import { watchPlace } from './watch/watchPlace.ts'

const chainId = 'eip155:31337'
const orderId = 'a'.repeat(24)
const usd = `0x${'ab'.repeat(20)}`

let silence: () => void
beforeEach(() => {
  silence = announce([{ name: 'Fieldwork', wallet: createFakeWallet() }])
})
afterEach(() => silence())

const limits = [
  { id: 'card', min: '10.00', max: '7500.00' },
  { id: 'ach_bank_account', min: '10.00', max: '25000.00' },
]
const on = (contract_address: string) => ({
  ...{ name: chainId, display_name: 'Latchkey One', chain_id: '31337', contract_address, chainId },
})
const seller = (id: string, name: string, more: object = {}) => ({
  ...{ id, name, feePercent: { min: 1, max: 2 }, currencies: ['USD', 'EUR'] },
  assets: [`${chainId}/native`, `${chainId}/${usd}`],
  methods: ['card', 'ach_bank_account'],
  ...more,
})
const options = {
  purchaseCurrencies: [
    { id: '1', name: 'Ether', symbol: 'ETH', networks: [on('')] },
    { id: '2', name: 'Dev USD', symbol: 'dUSD', networks: [on(usd)] },
  ],
  paymentCurrencies: ['USD', 'EUR'].map((id) => ({ id, payment_method_limits: limits })),
  providers: [seller('shop', 'Shop'), seller('bank', 'Bank', { feePercent: { min: 1, max: 1 } })],
}

type SentRequest = { path: string; body: Record<string, never> }

/** A server that sells, and a browser that opens windows. `order` is the state of the order. */
async function show({
  opens = true,
  answers = {},
  area,
  history = () => ({ data: [], next: null }),
  isOnPage = false,
}: {
  opens?: boolean
  answers?: Record<string, (body: Record<string, unknown>) => unknown>
  area?: Storage
  history?: (search: URLSearchParams) => unknown
  /** Whether the page shows the form in itself. */
  isOnPage?: boolean
} = {}) {
  const asked: SentRequest[] = []
  const order: OnrampOrder = {
    ...{ id: orderId, status: 'created', reason: null, provider: 'shop', providerName: 'Shop' },
    ...{ chainId, symbol: 'ETH', paymentAmount: '100', paymentCurrency: 'USD' },
    ...{ receivedAmount: null, transactionHash: null, createdAt: '2026-01-01T00:00:00.000Z' },
  }
  const opened = {
    ...{ closed: false, opener: {} as unknown, location: { href: 'about:blank' } },
    close: () => {
      opened.closed = true
    },
  }
  const quote = ({ amount, paymentCurrency, purchaseCurrency }: Record<string, unknown>) => {
    const currency = (paymentCurrency as { id: string }).id
    const { symbol } = purchaseCurrency as { symbol: string }
    const money = (value: string) => ({ amount: value, currency })
    return {
      ...{ coinbaseFee: money('1.50'), networkFee: money('0.10'), quoteId: 'q' },
      ...{ paymentSubtotal: money('98.40'), paymentTotal: money(String(amount)) },
      purchaseAmount: { amount: '0.0328009999', currency: symbol },
    }
  }
  const known: typeof answers = {
    '/v1/onramp/options': () => options,
    '/v1/onramp/quote': quote,
    '/v1/generators/onrampurl': () => ({ url: 'https://pay.example/buy', orderId }),
    [`/v1/onramp/orders/${orderId}`]: () => order,
    ...answers,
  }
  const made = testApp(
    {},
    {
      areas: () => ({
        ...{ http: [chainId], ws: [] },
        features: {
          [chainId]: {
            onramp: { on: true, source: 'shop' },
            activity: { on: true, source: '' },
          },
        },
      }),
      history,
    },
  )
  const app = createApp(made.config, {
    area,
    page: {
      ...phonePage(),
      navigator: window.navigator,
      open: () => {
        asked.push({ path: 'window', body: {} })
        return opens ? opened : null
      },
    },
    fetch: async (input, init) => {
      const { pathname } = new URL(String(input))
      const answer = known[pathname]
      if (!answer) return made.environment.fetch(input, init)
      const body = JSON.parse(String(init?.body ?? '{}'))
      asked.push({ path: pathname, body })
      const value = await answer(body)
      return value instanceof Response ? value : Response.json(value)
    },
  })
  onTestFinished(app.destroy)
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
      {isOnPage && <PageView view={{ name: 'Buy' }} />}
    </LatchkeyProvider>,
  )
  await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
  return { app, asked, order, opened, known }
}

const dialog = () => page.getByRole('dialog')
const button = (name: string | RegExp) => dialog().getByRole('button', { name })
const text = (name: string | RegExp) =>
  dialog().getByText(name, { exact: typeof name === 'string' })
const amount = () => dialog().getByRole('textbox', { name: 'You pay' })

async function openForm(parameters: Parameters<typeof show>[0] = {}) {
  const shown = await show(parameters)
  openModal(shown.app)
  await button('Buy').first().click()
  await expect.element(amount()).toBeVisible()
  return shown
}

async function start(parameters: Parameters<typeof show>[0] = {}) {
  const shown = await openForm(parameters)
  await amount().fill('100')
  // The price moves the button: a press at that very moment may miss it.
  await expect.element(text('≈ 0.0328')).toBeVisible()
  await button('Continue to Shop').click()
  return shown
}

test('default: the price, then the checkout in a window that the click opens, then the order until it arrives', async () => {
  let balances = 0
  const { order, opened, asked } = await openForm({
    answers: {
      [`/v1/account/${alice}/balance`]: () => {
        balances += 1
        return { balances: [] }
      },
    },
  })
  expect(await violations()).toEqual([])
  await amount().fill('100')
  await expect.element(text('≈ 0.0328')).toBeVisible()
  await expect.element(text('$1.50')).toBeVisible()
  expect(await violations()).toEqual([])
  await button('Continue to Shop').click()
  await expect.element(text('Waiting for your payment')).toBeVisible()
  expect(opened).toMatchObject({ location: { href: 'https://pay.example/buy' }, opener: null })
  const paths = asked.map(({ path }) => path)
  expect(paths.indexOf('window')).toBeLessThan(paths.indexOf('/v1/generators/onrampurl'))
  expect(asked.find(({ path }) => path.endsWith('onrampurl'))?.body).toMatchObject({
    destinationWallets: [{ address: alice, blockchains: [chainId], assets: ['native'] }],
    presetFiatAmount: 100,
    paymentMethod: 'card',
  })
  expect(await violations()).toEqual([])
  const before = balances
  order.status = 'paid'
  await expect.element(text(/^Shop is sending your ETH/)).toBeVisible()
  order.status = 'sent'
  await expect.element(text(/It arrives once the network confirms it/)).toBeVisible()
  Object.assign(order, { status: 'arrived', receivedAmount: '0.0328' })
  await expect.element(text('0.0328 ETH arrived')).toBeVisible()
  await expect.poll(() => balances).toBeGreaterThan(before)
  expect(await violations()).toEqual([])
  await button('Done').click()
  await expect.element(dialog()).not.toBeInTheDocument()
})

describe('reports what went wrong', () => {
  test.each([
    [{ status: 'declined', reason: 'card' }, 'The card was declined', true],
    [
      { status: 'declined', reason: 'authentication' },
      'Your bank did not confirm the payment',
      true,
    ],
    [{ status: 'declined', reason: 'cancelled' }, 'You canceled the payment', true],
    [{ status: 'declined', reason: null }, 'The payment was declined', true],
    [{ status: 'expired', reason: null }, 'The payment expired', false],
    [{ status: 'failed', reason: null }, 'Shop could not deliver', false],
  ] as const)('behavior: %j', async (state, title, isToPay) => {
    const { order, app } = await show()
    Object.assign(order, state)
    const saved = { id: orderId, url: 'https://pay.example/buy', chainId, address: alice } as const
    app.storage.set('onrampOrders', [{ ...saved, createdAtMs: Date.now() }])
    openModal(app, { view: { name: 'BuyInProgress', orderId } })
    await expect.element(text(title)).toBeVisible()
    // Another payment may follow a declined one.
    expect(dialog().getByRole('alert').elements()).toHaveLength(isToPay ? 0 : 1)
    const link = dialog().getByRole('link', { name: 'Open the checkout again' })
    if (isToPay) await expect.element(link).toHaveAttribute('href', 'https://pay.example/buy')
    else await expect.element(link).not.toBeInTheDocument()
    const seller = dialog().getByRole('link', { name: 'Open Shop' }).elements()
    expect(seller).toHaveLength(state.status === 'failed' ? 1 : 0)
    expect(await violations()).toEqual([])
  })

  test('behavior: a window that the browser did not open is opened by a link', async () => {
    const { order } = await start({ opens: false })
    await expect.element(text('Your browser blocked the window')).toBeVisible()
    await expect
      .element(dialog().getByRole('link', { name: 'Open the checkout' }))
      .toHaveAttribute('href', 'https://pay.example/buy')
    expect(await violations()).toEqual([])
    order.status = 'paid'
    await expect.element(text('Paid')).toBeVisible()
  })

  test('error: a checkout that cannot be had closes the window, and can be tried again', async () => {
    const failure = { status: 'FAILED', reasons: [{ field: 'x', description: 'Shop is away.' }] }
    const refuse = () => Response.json(failure, { status: 503 })
    const { opened, known } = await start({ answers: { '/v1/generators/onrampurl': refuse } })
    await expect.element(text('The checkout could not be opened. Shop is away.')).toBeVisible()
    expect(opened).toMatchObject({ closed: true, location: { href: 'about:blank' } })
    expect(await violations()).toEqual([])
    known['/v1/generators/onrampurl'] = () => ({ url: 'https://pay.example/', orderId })
    await button('Continue to Shop').click()
    await expect.element(text('Waiting for your payment')).toBeVisible()
  })

  test('error: an address that is no page is not opened', async () => {
    const script = { url: 'javascript:alert(1)', orderId }
    const { opened } = await start({ answers: { '/v1/generators/onrampurl': () => script } })
    await expect.element(text(/The checkout could not be opened/)).toBeVisible()
    expect(opened.location.href).toBe('about:blank')
  })

  test('error: an unknown order, and an order that cannot be read', async () => {
    const path = `/v1/onramp/orders/${orderId}`
    const { app, known } = await show({
      answers: { [path]: () => new Response('', { status: 503 }) },
    })
    openModal(app, { view: { name: 'BuyInProgress', orderId } })
    await expect.element(text('The order could not be loaded')).toBeVisible()
    expect(await violations()).toEqual([])
    known[path] = () => new Response('{}', { status: 404 })
    await button('Try again').click()
    await expect.element(text('This order is no longer available')).toBeVisible()
  })

  test('error: what is sold cannot be loaded', async () => {
    const { known, app } = await show({
      answers: { '/v1/onramp/options': () => new Response('', { status: 503 }) },
    })
    openModal(app, { view: { name: 'Buy' } })
    await expect.element(text('Could not load buying options')).toBeVisible()
    const usual = dialog().getByRole('region', { name: 'Usual terms' })
    await expect.element(usual.getByText('Estimate', { exact: true })).toBeVisible()
    await expect.element(usual.getByText('ETH · USDC', { exact: true })).toBeVisible()
    await expect.element(usual.getByText('Fees 1% – 2%')).toBeVisible()
    await expect.element(usual.getByText(/^\$10\.00 to \$7,500\.00 · €10\.00 to/)).toBeVisible()
    await expect.element(usual.getByText(/to \$25,000\.00 · €10\.00 to €25,000\.00$/)).toBeVisible()
    expect(button(/^Continue/).elements()).toEqual([])
    expect(await violations()).toEqual([])
    known['/v1/onramp/options'] = () => ({ ...options, providers: [] })
    await button('Try again').click()
    await expect.element(text('Nothing to buy on Latchkey One')).toBeVisible()
    await expect.element(usual).not.toBeInTheDocument()
  })
})

describe('the form', () => {
  test('behavior: limits, also of the way to pay', async () => {
    await openForm()
    await expect.element(button('Enter an amount')).toBeVisible()
    await amount().fill('9.99')
    await expect.element(button('At least $10.00')).toHaveAttribute('aria-disabled', 'true')
    await amount().fill('8000')
    await expect.element(button('At most $7,500.00')).toBeVisible()
    await dialog()
      .getByRole('radio', { name: /Bank account/ })
      .click()
    await expect.element(button('Continue to Shop')).toBeVisible()
    await amount().fill('ten')
    await expect.element(button('Check the amount')).toBeVisible()
    expect(await violations()).toEqual([])
  })

  test('behavior: token, currency and provider are chosen, and kept', async () => {
    const { asked } = await openForm()
    await amount().fill('100')
    await button('Token: ETH').click()
    await button(/Dev USD/).click()
    await button('Currency: USD').click()
    expect(await violations()).toEqual([])
    await button(/EUR/).click()
    await button(/^Shop Provider/).click()
    await expect.element(text('What you get for €100.00 from each provider.')).toBeVisible()
    await expect.element(button(/Bank.*≈ 0.0328 dUSD/)).toBeVisible()
    expect(await violations()).toEqual([])
    await button(/Bank/).click()
    await expect.element(amount()).toHaveValue('100')
    await button('Continue to Bank').click()
    await expect.element(text('Waiting for your payment')).toBeVisible()
    expect(asked.find(({ path }) => path.endsWith('onrampurl'))?.body).toMatchObject({
      destinationWallets: [{ assets: [usd] }],
      paymentCurrency: 'EUR',
      provider: 'bank',
    })
  })

  test('behavior: an estimate is labeled as an estimate; the user can continue without a price', async () => {
    const { known } = await openForm()
    const quote = known['/v1/onramp/quote']
    known['/v1/onramp/quote'] = (body) => ({ ...(quote?.(body) as object), isEstimate: true })
    await amount().fill('100')
    await expect.element(text('Estimate')).toBeVisible()
    await expect.element(text(/This is an estimate from market prices/)).toBeVisible()
    expect(await violations()).toEqual([])
    known['/v1/onramp/quote'] = () => new Response('', { status: 503 })
    await amount().fill('200')
    await expect.element(text(/No price available/)).toBeVisible()
    await expect.element(button('Continue to Shop')).toBeVisible()
  })

  test('behavior: on a page, its lists and its order open in the modal, which returns to the page', async () => {
    const { app } = await show({ isOnPage: true })
    const onPage = (name: string | RegExp) => page.getByRole('button', { name })
    const isOpen = () => app.store.getState().modal.open
    await page.getByRole('textbox', { name: 'You pay' }).fill('100')
    await onPage('Currency: USD').click()
    await button(/EUR/).click()
    await expect.poll(isOpen).toBe(false)
    await onPage(/^Shop Provider/).click()
    await button(/Bank/).click()
    await expect.poll(isOpen).toBe(false)
    await expect.element(onPage('Currency: EUR')).toBeVisible()
    await expect.element(page.getByText('≈ 0.0328')).toBeVisible()
    await onPage('Continue to Bank').click()
    await expect.element(text('Waiting for your payment')).toBeVisible()
    // The last of two: the header has one too.
    await button('Close').last().click()
    await expect.poll(isOpen).toBe(false)
    await expect.element(onPage(/\$100.00 for ETH/)).toBeVisible()
  })

  test('behavior: an app can open the list of providers first', async () => {
    const { app } = await show()
    openModal(app, { view: { name: 'OnRampProviders' } })
    await button(/Bank/).click()
    await expect.element(button(/^Bank Provider/)).toBeVisible()
  })

  test('behavior: Buy is not offered if nothing is sold', async () => {
    const app = testApp()
    await render(
      <LatchkeyProvider app={app}>
        <ConnectButton />
      </LatchkeyProvider>,
    )
    await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
    openModal(app)
    await expect.element(button('Send')).toBeVisible()
    await expect.element(button('Buy')).not.toBeInTheDocument()
  })
})

test('behavior: after a reload, the order is found in the form and in the activity', async () => {
  localStorage.clear()
  const first = await start({ area: localStorage })
  await expect.element(text('Waiting for your payment')).toBeVisible()
  first.app.destroy()
  document.body.replaceChildren()
  const { app, order } = await show({ area: localStorage })
  order.status = 'paid'
  openModal(app, { view: { name: 'Account', tab: 'activity' } })
  await button(/\$100.00 for ETH/).click()
  await expect.element(text(/^Shop is sending your ETH/)).toBeVisible()
  Object.assign(order, { status: 'arrived', receivedAmount: '0.0328' })
  await expect.element(text('0.0328 ETH arrived')).toBeVisible()
  await button('Back').click()
  await expect.element(button(/\$100.00 for ETH/)).not.toBeInTheDocument()
  localStorage.clear()
})

test('behavior: the form does not move when an order that is open is there', async () => {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const { app, order } = await show({
    answers: { [`/v1/onramp/orders/${orderId}`]: () => answered.then(() => order) },
  })
  const saved = { id: orderId, url: 'https://pay.example/buy', chainId, address: alice } as const
  app.storage.set('onrampOrders', [{ ...saved, createdAtMs: Date.now() }])
  const field = () => document.querySelector('dialog input')?.closest<HTMLElement>('div')
  const stop = watchPlace(() => field()?.parentElement)
  openModal(app, { view: { name: 'Buy' } })
  await expect.element(amount()).toBeVisible()
  answer()
  await expect.element(button(/\$100.00 for ETH/)).toBeVisible()
  expect(stop()).toHaveLength(1)
})

describe('an order continues without its view', () => {
  test.each([
    ['arrived', '0.0328 ETH arrived'],
    ['failed', 'Shop could not deliver'],
  ] as const)('behavior: a toast says "%s" on the page', async (status, message) => {
    let balances = 0
    const { order, app } = await start({
      answers: {
        [`/v1/account/${alice}/balance`]: () => {
          balances += 1
          return { balances: [] }
        },
      },
    })
    await expect.element(text('Waiting for your payment')).toBeVisible()
    // The last of two: the header has one too.
    await button('Close').last().click()
    await expect.element(dialog()).not.toBeInTheDocument()
    const before = balances
    Object.assign(order, { status, receivedAmount: '0.0328' })
    await expect.element(page.getByText(message)).toBeVisible()
    // A refund needs the failed order.
    const kept = status === 'failed' ? [expect.objectContaining({ id: orderId })] : []
    expect(app.storage.get('onrampOrders')).toEqual(kept)
    if (status === 'arrived') await expect.poll(() => balances).toBeGreaterThan(before)
  })

  test('behavior: after a reload, once the activity has shown it', async () => {
    const { order, app } = await show()
    order.status = 'paid'
    const saved = { id: orderId, url: 'https://pay.example/buy', chainId, address: alice } as const
    app.storage.set('onrampOrders', [{ ...saved, createdAtMs: Date.now() }])
    openModal(app, { view: { name: 'Account', tab: 'activity' } })
    await expect.element(button(/\$100.00 for ETH/)).toBeVisible()
    await button('Close').click()
    await expect.element(dialog()).not.toBeInTheDocument()
    Object.assign(order, { status: 'arrived', receivedAmount: '0.0328' })
    await expect.element(page.getByText('0.0328 ETH arrived')).toBeVisible()
  })

  test('behavior: its own view says it, without a toast', async () => {
    const { order, app } = await start()
    await expect.element(text('Waiting for your payment')).toBeVisible()
    Object.assign(order, { status: 'arrived', receivedAmount: '0.0328' })
    await expect.element(text('0.0328 ETH arrived')).toBeVisible()
    expect(app.store.getState().toast).toBeUndefined()
  })
})

test('behavior: what was bought stands in the activity as bought, what failed too', async () => {
  const entry = (hash: string, more: object) => ({
    id: hash,
    metadata: {
      ...{ operationType: 'receive', hash, minedAt: '2026-01-02T00:00:00.000Z', nonce: 0 },
      ...{ sentFrom: usd, sentTo: alice, status: 'confirmed', application: null, chain: chainId },
      ...more,
    },
    transfers: [
      {
        fungible_info: { name: 'Ether', symbol: 'ETH', icon: null },
        ...{ direction: 'in', quantity: { numeric: '0.5' } },
      },
    ],
  })
  const shop = { operationType: 'buy', sentFrom: 'Shop' }
  const { app } = await show({
    history: (search) => ({
      next: null,
      data: search.has('onramp')
        ? [
            entry('0x1', { ...shop, status: 'ONRAMP_TRANSACTION_STATUS_SUCCESS' }),
            entry('', { ...shop, status: 'ONRAMP_TRANSACTION_STATUS_FAILED' }),
          ]
        : [entry('0x1', {})],
    }),
  })
  const failed = {
    createdAt: '2026-01-02T00:00:00.000Z',
    ...{ paymentAmount: '100', paymentCurrency: 'USD' },
  }
  const saved = { id: orderId, url: 'https://pay.example/buy', chainId, address: alice } as const
  app.storage.set('onrampOrders', [{ ...saved, createdAtMs: Date.now(), failed }])
  openModal(app, { view: { name: 'Account', tab: 'activity' } })
  await expect.poll(() => text('Bought').elements().length).toBe(2)
  await expect.poll(() => text('Failed').elements().length).toBe(1)
  expect(text(/Received/).elements()).toEqual([])
  expect(await violations()).toEqual([])
  // The buyer needs the amount and the number of the order for a refund.
  await page.getByRole('button', { name: /\$100\.00 paid to Shop/ }).click()
  await expect.element(page.getByRole('button', { name: 'Copy Order number' })).toBeVisible()
})
