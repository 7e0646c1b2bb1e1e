import { connect, openModal, switchConnection } from '@latchkey/core/internal'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../src/index.ts'
import '../src/theme.css'
import { alice, announce, bob, createFakeWallet, type FakeWallet, testApp } from './testApp.ts'
import { violations } from './violations.ts'

const chains = ['eip155:31337', 'eip155:31338']
const balance = { on: true, source: 'node' }
const areas = () => ({
  http: chains,
  ws: [],
  features: Object.fromEntries(chains.map((chain) => [chain, { balance }])),
})
const carol = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const dollars: Record<string, number> = { [alice]: 100, [bob]: 25.5, [carol]: 3 }

let fieldwork: FakeWallet
let orchard: FakeWallet
let silence: () => void
/** The accounts whose balances the server cannot read. */
let broken: readonly string[]

beforeEach(() => {
  broken = []
  fieldwork = createFakeWallet()
  orchard = Object.assign(createFakeWallet(), { accounts: [bob, carol] })
  silence = announce([
    { name: 'Fieldwork', wallet: fieldwork },
    { name: 'Orchard', wallet: orchard },
  ])
})
afterEach(() => silence())

/** The list of wallets, with Fieldwork connected first and Orchard second. */
async function show() {
  const other = ({ pathname }: URL) => {
    const address = /\/(0x\w+)\/balance$/.exec(pathname)?.[1]
    if (address === undefined) return undefined
    if (broken.includes(address)) return new Response('{}', { status: 400 })
    const quantity = { decimals: '18', numeric: '1' }
    const ether = { name: 'Ether', symbol: 'ETH', chainId: chains[0], quantity, iconUrl: '' }
    return { balances: [{ ...ether, price: dollars[address], value: dollars[address] }] }
  }
  const app = testApp({}, { other, areas })
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await connect(app, { connectorId: 'test.fieldwork' })
  await connect(app, { connectorId: 'test.orchard' })
  openModal(app, { view: { name: 'ConnectedWallets' } })
  await expect.element(list()).toBeVisible()
  const inUse = () => {
    const connection = app.store.getState().connections.eip155
    return 'connectorId' in connection ? connection.connectorId : undefined
  }
  return { app, inUse }
}

const dialog = () => page.getByRole('dialog')
const list = () => dialog().getByRole('list', { name: 'Wallets' })
const button = (name: string | RegExp) => dialog().getByRole('button', { name })
const prompts = () =>
  [fieldwork, orchard].flatMap(({ calls }) =>
    calls.filter(({ method }) => method === 'eth_requestAccounts'),
  ).length

test('default: lists each wallet with its accounts and balances; one press switches without a prompt', async () => {
  const { inUse } = await show()
  await expect
    .element(button(/^0x70.*Latchkey One.*\$25\.50.*In use$/))
    .toHaveAttribute('aria-current', 'true')
  await expect.element(button(/^Switch to 0xf3.*Latchkey One.*\$100\.00$/)).toBeVisible()
  await expect.element(list().getByTitle(carol)).toBeVisible()
  await expect.element(list().getByText('$3.00')).toBeVisible()
  expect(await violations()).toEqual([])
  const asked = prompts()
  const names = () => list().getByRole('heading').all()
  const order = (await names()).map((one) => one.element().textContent)
  await button(/^Switch to 0xf3/).click()
  await expect.element(button(/^0xf3.*In use$/)).toHaveFocus()
  expect(inUse()).toBe('test.fieldwork')
  await expect.element(button(/^Switch to 0x70/)).toBeVisible()
  expect((await names()).map((one) => one.element().textContent)).toEqual(order)
  await expect.element(dialog().getByText(/of Fieldwork is in use$/)).toBeInTheDocument()
  expect(prompts()).toBe(asked)
})

test('behavior: one press on a further account lets the wallet switch to it', async () => {
  orchard.answers.wallet_getPermissions = () => []
  orchard.answers.wallet_requestPermissions = () => {
    orchard.accounts = [carol, bob]
    return [{ parentCapability: 'eth_accounts' }]
  }
  const { inUse } = await show()
  await button(/^Switch to 0xf3/).click()
  await expect.poll(inUse).toBe('test.fieldwork')
  await button(/^Switch to 0x3C/).click()
  await expect.element(button(/^0x3C.*In use$/)).toHaveFocus()
  expect(inUse()).toBe('test.orchard')
  await expect.element(dialog().getByText(/^0x3C.*of Orchard is in use$/)).toBeInTheDocument()
  await expect.element(button(/^Switch to 0x70/)).toBeVisible()
  expect(await violations()).toEqual([])
})

test('behavior: each wallet is disconnected alone; the last closes the modal', async () => {
  const { app, inUse } = await show()
  await button('Disconnect Orchard').click()
  await expect.element(button(/^0xf3.*In use$/)).toBeVisible()
  expect(inUse()).toBe('test.fieldwork')
  expect(list().getByText('Orchard').query()).toBeNull()
  await expect.element(button('Connect another wallet')).toHaveFocus()
  await button('Disconnect Fieldwork').click()
  await expect.poll(() => app.store.getState().modal.open).toBe(false)
  expect(inUse()).toBeUndefined()
})

test('behavior: a wallet that is not in use follows its own events', async () => {
  const { inUse } = await show()
  fieldwork.emit('accountsChanged', [carol])
  await expect.element(button(/^Switch to 0x3C.*\$3\.00$/)).toBeVisible()
  fieldwork.emit('accountsChanged', [])
  await expect.poll(() => button('Disconnect Fieldwork').query()).toBeNull()
  expect(inUse()).toBe('test.orchard')
})

test('error: a balance that cannot be read is named, and read again', async () => {
  broken = [alice]
  await show()
  await expect.element(dialog().getByRole('alert')).toHaveTextContent(/could not be loaded/)
  await expect.element(button(/^0x70.*Latchkey One.*\$25\.50.*In use$/)).toBeVisible()
  broken = []
  await button('Try again').click()
  await expect.element(button(/^Switch to 0xf3.*\$100\.00$/)).toBeVisible()
  expect(dialog().getByRole('alert').query()).toBeNull()
})

test('error: a wallet that is gone says so, and nothing changes', async () => {
  const { app, inUse } = await show()
  await expect(switchConnection(app, { connectorId: 'test.gone' })).rejects.toMatchObject({
    code: 'NOT_CONNECTED',
  })
  expect(inUse()).toBe('test.orchard')
})

test('behavior: the account view leads to the list, and the list to the wallets to connect', async () => {
  const { app } = await show()
  openModal(app)
  await button('Wallets').click()
  await button('Connect another wallet').click()
  await expect.element(button(/^Orchard/)).toBeVisible()
  await expect.element(dialog().getByText('Connect wallet', { exact: true })).toBeVisible()
})
