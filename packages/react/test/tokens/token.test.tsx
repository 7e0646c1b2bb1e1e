import { type Config, connect, latchkeyOne, openModal } from '@latchkey/core/internal'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import '../../src/theme.css'
import { announce, bob, createFakeWallet, testApp } from '../testApp.ts'
import { violations } from '../violations.ts'

const dollars = 'eip155:31337:0x5FbDB2315678afecb367f032d93F642f64180aa3'

let silence: () => void
beforeEach(() => {
  silence = announce([{ name: 'Fieldwork', wallet: createFakeWallet() }])
})
afterEach(() => silence())

const moved = (id: string, address: string | undefined) => ({
  id,
  metadata: {
    operationType: 'receive',
    hash: `0x${id.padStart(64, '0')}`,
    minedAt: '2024-03-05T10:00:00Z',
    sentFrom: bob,
    sentTo: bob,
    status: 'confirmed',
    nonce: 1,
    application: null,
    chain: 'eip155:31337',
  },
  transfers: [
    {
      fungible_info: { name: 'Test Dollar', symbol: `S${id}` },
      direction: 'in',
      quantity: { numeric: id },
      ...(address && { address }),
    },
  ],
})

async function show(answers: Parameters<typeof testApp>[1] = {}, config: Partial<Config> = {}) {
  const app = testApp(config, answers)
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
  openModal(app, { view: { name: 'Account', tab: 'tokens' } })
  return app
}

const dialog = () => page.getByRole('dialog')
const button = (name: string | RegExp) => dialog().getByRole('button', { name })

test('default: balance, price, contract and what moved it', async () => {
  const data = [moved('1', dollars.toLowerCase()), moved('2', undefined), moved('3', dollars)]
  await show({ history: () => ({ data, next: null }) })
  await button(/^Test Dollar/).click()
  await expect.element(dialog().getByRole('heading', { name: 'Test Dollar' })).toBeVisible()
  await expect.element(dialog().getByText('1,250.5 TUSD')).toBeVisible()
  await expect.element(dialog().getByText('$1,250.50')).toBeVisible()
  await expect.element(button('Copy Contract 0x5F…180aa3')).toBeVisible()
  await expect.element(dialog().getByText(/S1/)).toBeVisible()
  await expect.element(dialog().getByText(/S3/)).toBeVisible()
  await expect.element(dialog().getByText(/S2/)).not.toBeInTheDocument()
  expect(await violations()).toEqual([])
})

test('default: it is sent with the form filled in', async () => {
  const app = await show()
  await button(/^Test Dollar/).click()
  await button('Send').click()
  await expect.element(button('Token TUSD')).toBeVisible()
  expect(app.store.getState().sendDraft.token).toBe(dollars)
})

const hourMs = 3_600_000
const earlier = (prices: readonly number[]) => ({
  points: prices.map((price, index) => ({
    atMs: Date.now() - (prices.length - index) * hourMs,
    price,
  })),
})

test('default: its price over a day as a line and as a table; loads another period', async () => {
  const asked: string[] = []
  await show({
    other: ({ pathname, searchParams }) => {
      if (pathname !== '/v1/fungible/history') return
      asked.push(`${searchParams.get('address')} ${searchParams.get('period')}`)
      return earlier(searchParams.get('period') === 'day' ? [1, 0.000123, 2] : [3, 4])
    },
  })
  await button(/^Test Dollar/).click()
  await expect
    .element(
      dialog().getByRole('img', { name: 'From $1.00 to $2.00. Lowest $0.000123, highest $2.00.' }),
    )
    .toBeVisible()
  await expect.poll(() => document.querySelectorAll('canvas').length).toBe(1)
  await button('Show as table').click()
  await expect.element(dialog().getByRole('cell', { name: '$0.000123' })).toBeVisible()
  expect(await violations()).toEqual([])
  await dialog().getByRole('tab', { name: 'Year' }).click()
  await expect.element(dialog().getByRole('cell', { name: '$4.00' })).toBeVisible()
  await button('Show as chart').click()
  await expect.element(dialog().getByRole('img', { name: /^From \$3\.00/ })).toBeVisible()
  expect(await violations()).toEqual([])
  expect(asked).toEqual([`${dollars} day`, `${dollars} year`])
})

test.each([
  ['Day', 2],
  ['Week', 3],
  ['Month', 4],
  ['Year', 5],
])('param: period: %s has its own prices', async (name, last) => {
  const prices: Record<string, number> = { day: 2, week: 3, month: 4, year: 5 }
  await show({
    other: ({ pathname, searchParams }) =>
      pathname === '/v1/fungible/history'
        ? earlier([1, prices[searchParams.get('period') ?? ''] ?? 0])
        : undefined,
  })
  await button(/^Test Dollar/).click()
  await dialog().getByRole('tab', { name }).click()
  await expect
    .element(dialog().getByRole('img', { name: `From $1.00 to $${last}.00.` }))
    .toBeVisible()
})

test('default: its price says how old it is', async () => {
  const balance = (symbol: string, address: string, ageMs: number) => ({
    ...{ name: `Test ${symbol}`, symbol, chainId: 'eip155:31337', iconUrl: '' },
    ...{ address, quantity: { decimals: '6', numeric: '1' }, price: 1, value: 1 },
    priceUpdatedAt: new Date(Date.now() - ageMs).toISOString(),
  })
  const old = balance('OLD', `eip155:31337:${bob}`, 24 * hourMs)
  await show({ balances: () => ({ balances: [balance('NEW', dollars, 0), old] }) })
  await button(/^Test NEW/).click()
  await expect.element(dialog().getByText('A moment ago')).toBeVisible()
  await button('Back').click()
  await button(/^Test OLD/).click()
  const date = new Date(old.priceUpdatedAt).toLocaleString('en', {
    dateStyle: 'medium',
    timeStyle: 'short',
  })
  await expect.element(dialog().getByText(`Price from ${date}`)).toBeVisible()
})

test('default: its contract is copied', async () => {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await show()
  await button(/^Test Dollar/).click()
  await button('Copy Contract 0x5F…180aa3').click()
  await expect.element(dialog().getByText('Copied', { exact: true })).toBeInTheDocument()
  expect(write).toHaveBeenCalledExactlyOnceWith(dollars.split(':').at(-1))
})

test('behavior: an explorer shows its contract, by https alone', async () => {
  const url = 'https://explorer.example'
  const https = { ...latchkeyOne, blockExplorer: { name: 'Explorer', url } }
  await show({}, { networks: [https] })
  await button(/^Test Dollar/).click()
  await expect
    .element(dialog().getByRole('link', { name: /^View in explorer/ }))
    .toHaveAttribute('href', `${url}/address/${dollars.split(':').at(-1)}`)
})

test('error: an explorer that is not reached by https is not linked', async () => {
  const blockExplorer = { name: 'Explorer', url: 'http://explorer.example' }
  await show({}, { networks: [{ ...latchkeyOne, blockExplorer }] })
  await button(/^Test Dollar/).click()
  await expect.element(button('Copy Contract 0x5F…180aa3')).toBeVisible()
  await expect.element(dialog().getByRole('link')).not.toBeInTheDocument()
})

test('behavior: a period without a known price shows a note, and a period that fails is loaded again', async () => {
  let isAway = true
  await show({
    other: ({ pathname, searchParams }) => {
      if (pathname !== '/v1/fungible/history') return
      if (searchParams.get('period') === 'day') return earlier([1])
      return isAway ? new Response('{}', { status: 400 }) : earlier([1, 2])
    },
  })
  await button(/^Ether/).click()
  await expect.element(dialog().getByText('No price history for this period')).toBeVisible()
  await dialog().getByRole('tab', { name: 'Week' }).click()
  await expect.element(dialog().getByText('The price history could not be loaded')).toBeVisible()
  isAway = false
  await button('Try again').click()
  await expect.element(dialog().getByRole('img', { name: /^From/ })).toBeVisible()
})

test('default: it is swapped with the form filled in', async () => {
  const areas = {
    http: ['eip155:31337'],
    ws: [],
    features: { 'eip155:31337': { swap: { on: true, source: 'pools', kind: 'uniswap' } } },
  }
  const app = await show({ areas: () => areas })
  await button(/^Test Dollar/).click()
  await button('Swap').click()
  expect(app.store.getState().swapDraft).toMatchObject({
    from: { symbol: 'TUSD', address: dollars.split(':').at(-1), decimals: 6 },
  })
})

test('behavior: the network’s own currency has no contract, and a token without a price says so', async () => {
  await show()
  await button(/^Ether/).click()
  await expect.element(dialog().getByText('9,999.123456 ETH')).toBeVisible()
  await expect.element(button(/Contract/)).not.toBeInTheDocument()
  await button('Back').click()
  await button(/^A coin nobody prices/).click()
  await expect.element(dialog().getByText('No price available')).toBeVisible()
})

test('behavior: a token without a current price shows its earlier prices', async () => {
  await show({
    other: ({ pathname }) => (pathname === '/v1/fungible/history' ? earlier([3, 4]) : undefined),
  })
  await button(/^A coin nobody prices/).click()
  await expect.element(dialog().getByText('No price available')).toBeVisible()
  await expect.element(dialog().getByRole('img', { name: /^From \$3\.00/ })).toBeVisible()
  await expect
    .element(dialog().getByRole('tab', { name: 'Year' }))
    .toHaveAttribute('aria-selected', 'true')
})

test('behavior: a token of another network is shown, and leads to its network', async () => {
  const two = 'eip155:31338'
  const gold = `${two}:${bob}`
  const on = { on: true, source: '' }
  const balance = {
    ...{ name: 'Gold', symbol: 'GLD', chainId: two, address: gold, iconUrl: '' },
    ...{ quantity: { decimals: '18', numeric: '3' }, price: 2, value: 6 },
  }
  const app = await show({
    areas: () => ({
      ...{ http: ['eip155:31337', two], ws: [] },
      features: { 'eip155:31337': { balance: on }, [two]: { balance: on } },
    }),
    balances: () => ({ balances: [balance] }),
  })
  openModal(app, { view: { name: 'TokenDetail', token: { chainId: two, address: gold } } })
  await expect.element(dialog().getByText('3 GLD')).toBeVisible()
  await expect.element(dialog().getByText('This token is on Latchkey Two.')).toBeVisible()
  await expect.element(dialog().getByText('$2.00')).toBeVisible()
  await expect.element(button('Send')).not.toBeInTheDocument()
  expect(await violations()).toEqual([])
  await button('Switch to Latchkey Two to use it').click()
  await expect.element(button('Send')).toBeVisible()
  await expect.element(dialog().getByText('3 GLD')).toBeVisible()
  await expect.element(button(/^Switch to/)).not.toBeInTheDocument()
})

test('behavior: if no loaded transaction moved it, more are loaded on request', async () => {
  const pages: Record<string, unknown> = {
    '': { data: [moved('2', undefined)], next: 'more' },
    more: { data: [moved('1', dollars)], next: null },
  }
  const asked: string[] = []
  await show({
    history: (search) => {
      const cursor = search.get('cursor') ?? ''
      asked.push(cursor)
      return pages[cursor]
    },
  })
  await button(/^Test Dollar/).click()
  await expect
    .element(dialog().getByText('None of your latest transactions moved this token.'))
    .toBeVisible()
  expect(asked).not.toContain('more')
  await button('Load more').click()
  await expect.element(dialog().getByText(/S1/)).toBeVisible()
})

test('error: a token that the account does not hold', async () => {
  const app = await show()
  openModal(app, {
    view: {
      name: 'TokenDetail',
      token: { chainId: 'eip155:31337', address: `eip155:31337:${bob}` },
    },
  })
  await expect.element(dialog().getByText('This token is not in your account')).toBeVisible()
})
