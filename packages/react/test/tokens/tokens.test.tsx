import { connect, openModal } from '@latchkey/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import '../../src/theme.css'
import { announce, createFakeWallet, type FakeWallet, testApp } from '../testApp.ts'
import { violations } from '../violations.ts'

let wallet: FakeWallet
let silence: () => void
beforeEach(() => {
  wallet = createFakeWallet()
  silence = announce([{ name: 'Fieldwork', wallet }])
})
afterEach(() => silence())

async function show(answers: Parameters<typeof testApp>[1] = {}) {
  const app = testApp({}, answers)
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
const rows = () => dialog().getByRole('listitem')
const token = (symbol: string, more: Record<string, unknown>) => ({
  name: symbol,
  symbol,
  chainId: 'eip155:31337',
  quantity: { decimals: '18', numeric: '2' },
  iconUrl: '',
  ...more,
})

test('default: a total that says what it leaves out', async () => {
  await show()
  await expect.element(rows().nth(2)).toHaveTextContent(/A coin nobody prices.*No price/)
  await expect.element(rows().nth(2)).toHaveTextContent('0.00000012')
  await expect.element(dialog().getByText(/^Total \$19,999,497\.41/)).toBeVisible()
  await expect.element(dialog().getByText('1 token without a price is not counted')).toBeVisible()
  expect(await violations()).toEqual([])
})

test('default: the list of a wallet that discovers assets is shown in the place of the server’s', async () => {
  const name = `Fort\u202e Knox\n${'o'.repeat(90)}`
  const metadata = { name, symbol: 'KNOX', decimals: 6, price: 1.5 }
  const knox = { address: `0x${'12'.repeat(20)}`, balance: '0x1e8480', type: 'ERC20', metadata }
  wallet.answers.wallet_getCapabilities = () => ({
    '0x7a69': { assetDiscovery: { supported: true } },
  })
  wallet.answers.wallet_getAssets = () => ({
    '0x7a69': [{ address: 'native', balance: '0xde0b6b3a7640000', type: 'NATIVE' }, knox],
  })
  let asked = 0
  await show({
    balances: () => {
      asked += 1
      return { balances: [token('SERVED', {})] }
    },
  })
  await expect.element(rows().nth(1)).toHaveTextContent(/Fort Knox o+….*2\.000.*\$3\.00/)
  await expect.element(rows().first()).toHaveTextContent(/ETH.*1\.000/)
  expect(rows().elements()).toHaveLength(2)
  expect(asked).toBe(0)
  expect(await violations()).toEqual([])
})

/**
 * Resolves when a place is the same in ten frames in a row: the size of a view that has just opened
 * follows a few frames later.
 */
async function standsStill(place: () => string) {
  for (let same = 0, last = ''; same < 10; ) {
    await new Promise(requestAnimationFrame)
    const now = place()
    same = now === last ? same + 1 : 0
    last = now
  }
}

test('behavior: many tokens that arrive late move no button below them, which stay in sight', async () => {
  let arrive = (_: unknown) => {}
  const late = new Promise((resolve) => {
    arrive = resolve
  })
  await show({ balances: () => late })
  const disconnect = dialog().getByRole('button', { name: 'Disconnect', exact: true })
  await expect.element(dialog().getByRole('status', { name: 'Loading…' })).toBeVisible()
  // The list of server features arrives late and adds a button above this button.
  await expect.element(dialog().getByRole('button', { name: 'Allowances' })).toBeVisible()
  const place = () => JSON.stringify(disconnect.element().getBoundingClientRect())
  await standsStill(place)
  const before = place()
  const address = (index: number) => `eip155:31337:0x${String(index).padStart(40, '0')}`
  arrive({
    balances: Array.from({ length: 9 }, (_, index) =>
      token(`T${index}`, { address: index === 0 ? undefined : address(index) }),
    ),
  })
  await expect.element(rows().nth(8)).toHaveTextContent('T8')
  await standsStill(place)
  expect(place()).toBe(before)
  const { bottom } = disconnect.element().getBoundingClientRect()
  expect(bottom).toBeLessThanOrEqual(window.innerHeight)
  // The last one can be chosen: it does not stay behind the buttons.
  await rows().nth(8).getByRole('button').click()
  await expect.element(dialog().getByRole('button', { name: 'Back' })).toBeVisible()
})

test('behavior: a price that is not new says when it is from', async () => {
  const native = token('ETH', {
    price: 2000,
    value: 4000,
    priceUpdatedAt: new Date(Date.now() - 3_600_000).toISOString(),
  })
  const fresh = token('NEW', {
    address: 'eip155:31337:0x5FbDB2315678afecb367f032d93F642f64180aa3',
    price: 1,
    value: 2,
    priceUpdatedAt: new Date().toISOString(),
  })
  await show({ balances: () => ({ balances: [native, fresh] }) })
  await expect
    .element(
      rows()
        .first()
        .getByTitle(/^Price from /),
    )
    .toHaveTextContent('ETH · $2,000')
  expect(
    rows()
      .nth(1)
      .getByTitle(/^Price from /)
      .elements(),
  ).toEqual([])
})

test('behavior: an empty account is offered to buy, to receive and, on a network with a faucet, test money', async () => {
  const paid: unknown[] = []
  const on = { on: true, source: '' }
  const features = { 'eip155:31337': { balance: on, faucet: on, onramp: on } }
  let balances: unknown[] = []
  const app = await show({
    areas: () => ({ http: ['eip155:31337'], ws: [], features }),
    balances: () => ({ balances }),
    other: ({ pathname }) => {
      if (pathname !== '/v1/faucet') return undefined
      balances = [token('ETH', {})]
      paid.push(pathname)
      if (paid.length < 2) return { status: 'SUCCESS' }
      return new Response('{}', { status: 429, headers: { 'retry-after': '42' } })
    },
  })
  const ready = dialog().getByText('Your account is ready')
  await expect.element(ready).toBeVisible()
  const steps = () => [...(ready.element().parentElement?.querySelectorAll('button') ?? [])]
  const names = ['Get test money']
  await expect.poll(() => steps().map(({ textContent }) => textContent)).toEqual(names)
  expect(await violations()).toEqual([])
  // The actions of the account stand above, once.
  for (const name of ['Buy', 'Receive']) {
    await dialog().getByRole('button', { name }).click()
    await expect.poll(() => app.store.getState().modal.history.at(-1)?.name).toBe(name)
    await dialog().getByRole('button', { name: 'Back' }).click()
    await expect.element(ready).toBeVisible()
  }
  await dialog().getByRole('button', { name: 'Get test money' }).click()
  await expect.element(page.getByText('Test money is on its way')).toBeVisible()
  await expect.element(rows().first()).toHaveTextContent('ETH')
  expect(ready.elements()).toEqual([])
  expect(await violations()).toEqual([])
  await dialog().getByRole('button', { name: 'Get test money' }).click()
  await expect
    .element(page.getByText('Test money was sent a moment ago. Try again in 42 s.'))
    .toBeVisible()
  expect(paid).toHaveLength(2)
})

test('behavior: no faucet is offered if the server names none', async () => {
  await show()
  await expect.element(rows().nth(2)).toBeVisible()
  expect(dialog().getByRole('button', { name: 'Get test money' }).elements()).toEqual([])
})

test('error: the native balance stands alone, and may be tried again after 30 s', async () => {
  let isDown = true
  await show({
    balances: () =>
      isDown
        ? new Response('', { status: 503 })
        : { balances: [token('ETH', {}), token('NEW', { address: 'eip155:31337:0x1' })] },
  })
  await expect.element(dialog().getByText('Only the balance of ETH is up to date.')).toBeVisible()
  await expect.element(rows()).toHaveTextContent('10,000.000')
  const again = dialog().getByRole('button', { name: /^Try again in \d+ s$/ })
  await expect.element(again).toHaveAttribute('aria-disabled', 'true')
  expect(await violations()).toEqual([])
  // Screen readers do not announce the countdown.
  expect(again.element().closest('[role="status"]')).toBeNull()
  isDown = false
})
