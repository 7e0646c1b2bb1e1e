import {
  type App,
  bitcoin,
  forceCloseModal,
  latchkeyOne,
  latchkeyTwo,
  openModal,
  polkadot,
  type State,
  searchWallets,
  selectNamespace,
  solana,
  solanaDevnet,
} from '@latchkey/core/internal'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider, NetworkButton } from '../src/index.ts'
import '../src/theme.css'
import { registerSolana, solanaAddress } from './fakes/fakeStandardWallet.ts'
import { refuse } from './fakes/fakeWallet.ts'
import { findDefects } from './gallery/measures.ts'
import { alice, announce, createFakeWallet, type FakeWallet, testApp } from './testApp.ts'
import { violations } from './violations.ts'

const networks = [latchkeyOne, latchkeyTwo, solana, solanaDevnet, polkadot] as const
let wallet: FakeWallet
let silence: () => void
const ends: (() => void)[] = []

beforeEach(() => {
  wallet = createFakeWallet()
  silence = announce([{ name: 'Fieldwork', wallet }])
})

afterEach(() => {
  silence()
  for (const end of ends.splice(0)) end()
})

const dialog = () => page.getByRole('dialog')
const button = (name: string | RegExp) => dialog().getByRole('button', { name })
const statuses = ({ connections: { eip155, solana: other } }: State) => [
  eip155.status,
  other.status,
]

/** A page with a wallet of both namespaces, and a wallet of Solana alone. */
async function show(...parameters: Parameters<typeof testApp>) {
  const [config, ...rest] = parameters
  ends.push(registerSolana('Fieldwork'), registerSolana('Only Solana'))
  const app = testApp({ networks, ...config }, ...rest)
  ends.push(app.destroy)
  await render(
    <LatchkeyProvider app={app}>
      <NetworkButton />
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await searchWallets(app)
  return { app }
}

async function press() {
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await button('Fieldwork Installed').click()
}

/** Presses the wallet on a network that it does not serve, so that it offers all its namespaces. */
async function choose(app: App) {
  selectNamespace(app, { namespace: 'polkadot' })
  await press()
}

const question = () => dialog().getByText(/^Fieldwork is connected\. .* connect Solana\?$/)

test('default: a wallet of two namespaces is one row, and connects the selected namespace with one prompt', async () => {
  const { app } = await show()
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await expect.element(button('Only Solana')).toBeVisible()
  expect(await button(/Fieldwork/).all()).toHaveLength(1)
  await button('Fieldwork Installed').click()
  await expect.poll(() => app.store.getState().modal.open).toBe(false)
  expect(statuses(app.store.getState())).toEqual(['connected', 'disconnected'])
  expect(wallet.calls.filter(({ method }) => method === 'eth_requestAccounts')).toHaveLength(1)
})

test('default: the account offers the other namespace, until it is connected', async () => {
  const { app } = await show()
  await press()
  await expect.poll(() => app.store.getState().modal.open).toBe(false)
  openModal(app)
  await button('Also connect Solana').click()
  await expect.element(question()).toBeVisible()
  expect(await violations()).toEqual([])
  await button(/^Solana/).click()
  await expect.poll(() => statuses(app.store.getState())).toEqual(['connected', 'connected'])
  await expect.element(dialog().getByRole('group').first()).toBeVisible()
  expect(button('Also connect Solana').query()).toBeNull()
  // The account in use stays in use.
  expect(app.store.getState().activeChainId).toBe(latchkeyOne.caipNetworkId)
})

test('behavior: on another network, the same press connects the namespace of that network', async () => {
  const { app } = await show()
  selectNamespace(app, { namespace: 'solana' })
  await press()
  await expect.poll(() => app.store.getState().modal.open).toBe(false)
  expect(statuses(app.store.getState())).toEqual(['disconnected', 'connected'])
  openModal(app)
  await expect.element(button('Also connect Ethereum & EVM')).toBeVisible()
})

test('behavior: the offer can be hidden: the list of connected wallets keeps it', async () => {
  const { app } = await show()
  await press()
  await expect.poll(() => app.store.getState().modal.open).toBe(false)
  openModal(app)
  await button('Hide this offer').click()
  await expect.poll(() => button('Also connect Solana').query()).toBeNull()
  forceCloseModal(app)
  openModal(app)
  await expect.element(button(/^Solana Connect/)).toBeVisible()
  expect(button('Also connect Solana').query()).toBeNull()
  openModal(app, { view: { name: 'ConnectedWallets' } })
  await button('Also connect Solana').click()
  await expect.element(question()).toBeVisible()
  await button(/^Solana/).click()
  await expect.poll(() => statuses(app.store.getState())).toEqual(['connected', 'connected'])
  await expect.element(dialog().getByRole('list', { name: 'Wallets' })).toBeVisible()
  expect(button('Also connect Solana').query()).toBeNull()
})

test('behavior: a further namespace may be connected with another wallet', async () => {
  ends.push(announce([{ name: 'Orchard', wallet: createFakeWallet() }]), registerSolana('Orchard'))
  const { app } = await show()
  await press()
  await expect.poll(() => app.store.getState().modal.open).toBe(false)
  await page.getByRole('button', { name: /^Network: / }).click()
  await button('Solana Devnet Testnet').click()
  await button(/^Orchard/).click()
  await expect.poll(() => statuses(app.store.getState())).toEqual(['connected', 'connected'])
  await expect.poll(() => app.store.getState().modal.open).toBe(false)
  expect(app.store.getState().connections.eip155).toMatchObject({ connectorId: 'test.fieldwork' })
})

test('behavior: the account signs in next', async () => {
  wallet.answers.personal_sign = () => `0x${'ab'.repeat(65)}`
  const time = new Date(Date.UTC(2026, 0, 1)).toISOString()
  const other = ({ pathname }: URL) =>
    pathname === '/v1/siwx/nonce'
      ? { nonce: 'nonce0001', issuedAt: time, expiresAt: time }
      : undefined
  const { app } = await show({ signIn: {} }, { other }, { page: window })
  await press()
  await expect
    .element(dialog().getByRole('heading', { name: 'Sign in', exact: true }))
    .toBeVisible()
  expect(app.store.getState().modal.history).toHaveLength(1)
  expect(statuses(app.store.getState())).toEqual(['connected', 'disconnected'])
})

test('default: if the wallet does not serve the selected network, all its namespaces are offered', async () => {
  const { app } = await show()
  await choose(app)
  await expect.element(button(/^Ethereum & EVM/)).toBeVisible()
  expect(statuses(app.store.getState())).toEqual(['disconnected', 'disconnected'])
  expect(await violations()).toEqual([])
  await button('Connect all').click()
  await expect.poll(() => statuses(app.store.getState())).toEqual(['connected', 'connected'])
  await expect.poll(() => app.store.getState().modal.open).toBe(false)
  expect(app.store.getState().activeChainId).toBe(latchkeyOne.caipNetworkId)
})

test('behavior: the namespaces have the order of the page’s networks', async () => {
  const { app } = await show({ networks: [polkadot, solana, latchkeyOne] })
  await choose(app)
  const rows = dialog()
    .getByRole('list', { name: 'What Fieldwork can connect' })
    .getByRole('button')
  await expect.element(rows.first()).toHaveTextContent(/^Solana/)
  await expect.element(rows.nth(1)).toHaveTextContent(/^Ethereum & EVM/)
})

test('default: after Connect all, the account with the highest value is shown', async () => {
  const chains = [latchkeyOne.caipNetworkId, solanaDevnet.caipNetworkId]
  const features = Object.fromEntries(
    chains.map((chain) => [chain, { balance: { on: true, source: 'node' } }]),
  )
  const other = ({ pathname }: URL) => {
    if (!pathname.endsWith('/balance')) return undefined
    const isSolana = pathname.includes(solanaAddress)
    const quantity = { decimals: '9', numeric: '1' }
    const coin = { name: 'Coin', symbol: 'COIN', chainId: chains[isSolana ? 1 : 0], iconUrl: '' }
    return { balances: [{ ...coin, quantity, value: isSolana ? 200 : 100 }] }
  }
  const { app } = await show({}, { other, areas: () => ({ http: chains, ws: [], features }) })
  await choose(app)
  await button('Connect all').click()
  await expect.poll(() => app.store.getState().modal.open).toBe(false)
  expect(statuses(app.store.getState())).toEqual(['connected', 'connected'])
  expect(app.store.getState().activeChainId).toMatch(/^solana:/)
})

test('behavior: one click switches between accounts, and each stands alone', async () => {
  const { app } = await show()
  await choose(app)
  await button('Connect all').click()
  await expect.poll(() => app.store.getState().modal.open).toBe(false)
  openModal(app)
  const copy = (address: string) => button(`Copy address ${address.slice(0, 4)}`)
  await expect.element(button(/^Ethereum & EVM/)).toHaveAttribute('aria-pressed', 'true')
  await expect.element(dialog().getByTitle(alice, { exact: true }).first()).toBeVisible()
  expect(await violations()).toEqual([])
  await button(/^Solana/).click()
  await expect.element(button(/^Solana/)).toHaveAttribute('aria-pressed', 'true')
  await expect.element(copy(solanaAddress)).toBeVisible()
  expect(copy(alice).query()).toBeNull()
  await button('Receive').click()
  await expect.element(dialog().getByText(solanaAddress)).toBeVisible()
  await expect.element(dialog().getByText('Send only Solana assets to this address.')).toBeVisible()
  expect(dialog().getByText(alice).query()).toBeNull()
})

test('behavior: in a narrow window, the accounts of four namespaces keep their whole names', async () => {
  const { app } = await show({ networks: [...networks, bitcoin] })
  await press()
  await expect.poll(() => app.store.getState().modal.open).toBe(false)
  onTestFinished(() => page.viewport(1280, 900))
  await page.viewport(320, 640)
  openModal(app)
  await expect.element(button(/^Bitcoin/)).toBeVisible()
  const accounts = dialog().getByRole('group', { name: 'Accounts' }).element()
  const names = accounts.querySelectorAll('button > span > :first-child')
  expect([...names].map(({ textContent }) => textContent)).toContain('Ethereum & EVM')
  expect([...names].filter((name) => name.scrollWidth > name.clientWidth + 1)).toEqual([])
  expect(findDefects()).toEqual([])
})

test('behavior: a namespace in which the wallet is found only while the choice is shown is offered too', async () => {
  const { app } = await show()
  await choose(app)
  await expect.element(button(/^Solana/)).toBeVisible()
  expect(button(/^Polkadot/).query()).toBeNull()
  const found = { id: 'polkadot:Fieldwork', kind: 'injected', name: 'Fieldwork' } as const
  app.store.setState(({ connectors }) => ({
    connectors: [...connectors, { ...found, namespaces: ['polkadot'] }],
  }))
  await expect.element(button(/^Polkadot/)).toBeVisible()
})

test('behavior: each step may be refused', async () => {
  wallet.answers.eth_requestAccounts = () => refuse()
  const { app } = await show()
  await choose(app)
  await button('Connect all').click()
  await expect.poll(() => statuses(app.store.getState())).toEqual(['disconnected', 'connected'])
  await expect.element(button(/^Ethereum & EVM.*Declined/)).toBeVisible()
  await expect.element(dialog().getByText('Connected', { exact: true })).toBeVisible()
  await button('Done').click()
  await expect.poll(() => app.store.getState().modal.open).toBe(false)
})

test('behavior: if the browser blocks a window without a click, another click continues from there', async () => {
  // No time passes between a click and its end here.
  vi.spyOn(navigator, 'userActivation', 'get').mockReturnValue({
    isActive: false,
  } as UserActivation)
  wallet.answers.eth_requestAccounts = () => {
    throw Object.assign(new Error('No window could be opened'), { code: -32000 })
  }
  const { app } = await show()
  await choose(app)
  await button('Connect all').click()
  await expect.element(dialog().getByText('Needs a click')).toBeVisible()
  await expect.element(dialog().getByText(/Continue to connect Ethereum & EVM\.$/)).toBeVisible()
  expect(await violations()).toEqual([])
  Reflect.deleteProperty(wallet.answers, 'eth_requestAccounts')
  await button('Continue').click()
  await expect.poll(() => statuses(app.store.getState())).toEqual(['connected', 'connected'])
  await expect.poll(() => app.store.getState().modal.open).toBe(false)
})

test('behavior: a step without a response is skipped, and a single namespace may be wanted', async () => {
  wallet.answers.eth_requestAccounts = () => new Promise(() => {})
  const { app } = await show()
  await choose(app)
  await button('Connect all').click()
  await expect
    .element(dialog().getByText('Continue in Fieldwork to connect Ethereum & EVM.'))
    .toBeVisible()
  await button('Skip Ethereum & EVM').click()
  await expect.poll(() => statuses(app.store.getState())).toEqual(['disconnected', 'connected'])
  await expect.element(button(/^Ethereum & EVM.*Skipped/)).toBeVisible()
  // The pressed button is gone.
  await expect.element(dialog().getByText(/ also want to connect Ethereum & EVM\?$/)).toHaveFocus()
})

test('behavior: another namespace is connected from the account, with the wallets that have it', async () => {
  const { app } = await show()
  await press()
  await expect.poll(() => app.store.getState().modal.open).toBe(false)
  expect(statuses(app.store.getState())).toEqual(['connected', 'disconnected'])
  openModal(app)
  await button(/^Solana Connect/).click()
  await expect.element(button('Only Solana Installed')).toBeVisible()
  await button(/^Fieldwork/).click()
  await expect.poll(() => statuses(app.store.getState())).toEqual(['connected', 'connected'])
  await expect.poll(() => app.store.getState().modal.open).toBe(false)
  openModal(app)
  await dialog().getByRole('button', { name: 'Disconnect', exact: true }).click()
  await expect.poll(() => statuses(app.store.getState())).toEqual(['connected', 'disconnected'])
  expect(app.store.getState().activeChainId).toBe(latchkeyOne.caipNetworkId)
})

test('behavior: networks stand under the names of their namespaces', async () => {
  const { app } = await show()
  openModal(app, { view: { name: 'Networks' } })
  const group = (name: string) => dialog().getByRole('list', { name })
  await expect.element(group('Ethereum & EVM networks').getByRole('button').first()).toBeVisible()
  expect(await group('Solana networks').getByRole('button').all()).toHaveLength(2)
  expect(await violations()).toEqual([])
  await button('Solana Devnet Testnet').click()
  await expect.element(page.getByRole('button', { name: 'Network: Solana Devnet' })).toBeVisible()
})

test('behavior: all are disconnected at once', async () => {
  const { app } = await show()
  await choose(app)
  await button('Connect all').click()
  await expect.poll(() => app.store.getState().modal.open).toBe(false)
  openModal(app)
  await button('Disconnect all').click()
  await expect.poll(() => statuses(app.store.getState())).toEqual(['disconnected', 'disconnected'])
})
