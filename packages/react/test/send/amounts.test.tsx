import { connect, openModal, type View } from '@latchkey/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import '../../src/theme.css'
import { announce, bob, createFakeWallet, nodeAnswer, testApp } from '../testApp.ts'
import { violations } from '../violations.ts'

let silence: () => void
beforeEach(async () => {
  await page.viewport(390, 844)
  silence = announce([{ name: 'Fieldwork', wallet: createFakeWallet() }])
})
afterEach(async () => {
  silence()
  await page.viewport(1280, 860)
})

const dialog = () => page.getByRole('dialog')
const amountField = () => dialog().getByRole('textbox', { name: 'Amount' })

async function show(locale: string, view: View, answers: Parameters<typeof testApp>[1] = {}) {
  const app = testApp({}, answers)
  await render(
    <LatchkeyProvider app={app} locale={locale}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
  openModal(app, { view })
  return app
}

test('default: a thousand that is typed with a comma is a thousand', async () => {
  const app = await show('en', { name: 'Send' })
  await amountField().fill('1,000')
  await expect.element(amountField()).toHaveValue('1,000')
  expect(app.store.getState().sendDraft.amount).toBe('1000')
  await expect.element(dialog().getByText('$2,000,000.00')).toBeVisible()
  for (const [typed, amount] of [
    ['9,999.123 ETH', '9999.123'],
    ['٢٫٥', '2.5'],
    ['1’000.5', '1000.5'],
    ['0,25', '0.25'],
  ] as const) {
    await amountField().fill(typed)
    expect(app.store.getState().sendDraft.amount).toBe(amount)
  }
  await amountField().fill('1.000.5')
  await expect.element(dialog().getByRole('button', { name: 'Incorrect value' })).toBeVisible()
  // An address in the wrong field, and more than anyone has, have no value in dollars.
  for (const typed of [bob, '9'.repeat(40)]) {
    await amountField().fill(typed)
    expect(app.store.getState().sendDraft.amount).toBe(typed)
    await expect.element(dialog().getByText('$')).not.toBeInTheDocument()
  }
  await amountField().fill('1,000')
  await dialog().getByRole('textbox', { name: 'To' }).fill(bob)
  await dialog().getByRole('button', { name: 'Review' }).click()
  await expect.element(dialog().getByText('1000 ETH')).toBeVisible()
  expect(await violations()).toEqual([])
})

test('behavior: the user chooses between two meanings before the form can be reviewed', async () => {
  const app = await show('de', { name: 'Send' })
  await dialog().getByRole('textbox', { name: 'To' }).fill(bob)
  await amountField().fill('1.234')
  const question = dialog().getByText('1.234 can mean two amounts. Which one?')
  await expect.element(question).toBeVisible()
  await expect.element(dialog().getByRole('button', { name: 'Add amount' })).toBeVisible()
  expect(app.store.getState().sendDraft.amount).toBe('')
  expect(await violations()).toEqual([])
  await dialog().getByRole('button', { name: '1234', exact: true }).click()
  await expect.element(amountField()).toHaveValue('1234')
  expect(app.store.getState().sendDraft.amount).toBe('1234')
  await expect.element(question).not.toBeInTheDocument()
  await expect.element(dialog().getByRole('button', { name: 'Review' })).toBeVisible()
  await amountField().fill('1,234')
  await dialog().getByRole('button', { name: '1.234', exact: true }).click()
  await expect.element(amountField()).toHaveValue('1.234')
  expect(app.store.getState().sendDraft.amount).toBe('1.234')
  await expect.element(question).not.toBeInTheDocument()
  await dialog().getByRole('button', { name: /^Max/ }).click()
  await expect.poll(() => app.store.getState().sendDraft.amount).toMatch(/^9999\.\d+$/)
  await expect.element(amountField()).toHaveValue(app.store.getState().sendDraft.amount)
})

test('default: a payment link fills in the form', async () => {
  const app = await show('en', { name: 'Send' })
  const to = dialog().getByRole('textbox', { name: 'To' })
  await to.fill(`ethereum:${bob}@31337?value=1.25e18`)
  await expect.element(to).toHaveValue(bob)
  await expect.element(amountField()).toHaveValue('1.25')
  await expect.element(dialog().getByRole('button', { name: 'Review' })).toBeVisible()
  const usd = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
  await to.fill(`ethereum:${usd}@31337/transfer?address=${bob}&uint256=2500000`)
  await expect.element(amountField()).toHaveValue('2.5')
  await expect.element(dialog().getByRole('button', { name: 'Token TUSD' })).toBeVisible()
  expect(app.store.getState().sendDraft).toMatchObject({ amount: '2.5', receiverAddress: bob })
  await to.fill(`eip155:31337:${bob}`)
  await expect.element(to).toHaveValue(bob)
  await expect.element(amountField()).toHaveValue('2.5')
  await to.fill(`lk1:${bob}`)
  await expect.element(to).toHaveValue(bob)
  await expect.element(dialog().getByRole('button', { name: 'Review' })).toBeVisible()
})

test('behavior: a page fills in the form; a token that the account lacks is named', async () => {
  const token = 'eip155:31337:0x5fbdb2315678afecb367f032d93f642f64180aa3'
  const draft = { token, amount: '2.5', receiverAddress: bob }
  const app = await show('en', { name: 'Send', draft })
  const review = dialog().getByRole('button', { name: 'Review' })
  await expect.element(amountField()).toHaveValue('2.5')
  await expect.element(dialog().getByRole('button', { name: 'Token TUSD' })).toBeVisible()
  await expect.element(review).toBeVisible()
  const unknown = `eip155:31337:0x${'12'.repeat(20)}`
  openModal(app, { view: { name: 'Send', draft: { ...draft, token: unknown } } })
  await expect.element(dialog().getByText(/^This account does not have this token/)).toBeVisible()
  await expect.element(amountField()).toHaveValue('2.5')
  await expect.element(review).not.toBeInTheDocument()
  expect(await violations()).toEqual([])
})

test('behavior: an account with nothing keeps what a link has filled in, and is offered to get something', async () => {
  const on = { on: true, source: '' }
  const features = { 'eip155:31337': { balance: on, faucet: on, onramp: on } }
  const app = await show(
    'en',
    { name: 'Send' },
    {
      areas: () => ({ http: ['eip155:31337'], ws: [], features }),
      balances: () => ({ balances: [] }),
    },
  )
  const offered = async () => {
    for (const name of ['Buy', 'Receive', 'Get test money'])
      await expect.element(dialog().getByRole('button', { name, exact: true })).toBeVisible()
    expect(await violations()).toEqual([])
  }
  await expect.element(dialog().getByText('Nothing to send yet')).toBeVisible()
  await offered()
  const draft = { token: 'native', amount: '2.5', receiverAddress: bob }
  openModal(app, { view: { name: 'Send', draft } })
  const to = dialog().getByRole('textbox', { name: 'To' })
  await expect.element(to).toHaveValue(bob)
  await expect.element(amountField()).toHaveValue('2.5')
  await offered()
  await to.fill('')
  await expect.element(amountField()).toHaveValue('2.5')
})

test('error: a payment link for another network or token fills in nothing', async () => {
  const app = await show('en', { name: 'Send' })
  const to = dialog().getByRole('textbox', { name: 'To' })
  const unknown = `0x${'12'.repeat(20)}`
  for (const [link, message] of [
    [`ethereum:${bob}@31338?value=1e18`, /^This is for Latchkey Two/],
    [`ethereum:${bob}@1`, /^This is for eip155:1\./],
    [`lk2:${bob}`, /^This is for Latchkey Two/],
    [`matic:${bob}`, /^This is for eip155:137\./],
    [`nowhere:${bob}`, /^The network prefix “nowhere” is unknown/],
    ['bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=1', /^This is for Bitcoin/],
    [`ethereum:${unknown}/transfer?address=${bob}&uint256=1`, /does not have the token/],
  ] as const) {
    await to.fill(link)
    await expect.element(dialog().getByText(message)).toBeVisible()
    await expect.element(to).toHaveValue(link)
    expect(app.store.getState().sendDraft.amount).toBe('')
  }
  await amountField().fill('1')
  await expect.element(dialog().getByRole('button', { name: 'Invalid address' })).toBeVisible()
  expect(await violations()).toEqual([])
})

test('behavior: a small balance is not shown as zero in the button and the header', async () => {
  const native = {
    name: 'Ether',
    symbol: 'ETH',
    chainId: 'eip155:31337',
    quantity: { decimals: '18', numeric: '0.0004' },
    price: 2000,
    value: 0.8,
    iconUrl: '',
  }
  const rpc = (method: string, params: unknown) =>
    method === 'eth_getBalance' ? '0x16bcc41e90000' : nodeAnswer(method, params)
  const cheap = {
    ...native,
    symbol: 'TINY',
    price: 0.0000012,
    value: 0.004,
    address: `eip155:31337:${bob}`,
  }
  const balances = () => ({ balances: [native, cheap] })
  await show('en', { name: 'Account', tab: 'tokens' }, { balances, rpc })
  const shown = page.getByText('0.0004 ETH')
  await expect.poll(() => shown.elements().length).toBe(2)
  await expect.element(dialog().getByText('TINY · $0.0000012')).toBeVisible()
  await expect.element(dialog().getByText('$0.004', { exact: true })).toBeVisible()
  expect(page.getByText('0.000 ETH').elements()).toEqual([])
})
