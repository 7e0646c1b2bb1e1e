import { openModal, polkadot } from '@latchkey/core/internal'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../src/index.ts'
import '../src/theme.css'
import { testApp } from './testApp.ts'
import { violations } from './violations.ts'
import { findLonelyTabs } from './visual/placement.ts'

// The development account Alice, with the generic prefix and with Polkadot's.
const generic = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY'
const address = '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5'

afterEach(() => Reflect.deleteProperty(window, 'injectedWeb3'))

test('default: a click sends the request to an extension, and unavailable data is not offered', async () => {
  const asked: string[] = []
  const enable = async (appName: string) => {
    asked.push(appName)
    return { accounts: { get: async () => [{ address: generic }] }, signer: {} }
  }
  Object.assign(window, { injectedWeb3: { fieldwork: { enable } } })
  const app = testApp({ networks: [polkadot], wallets: { injected: true } })
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByRole('button', { name: /fieldwork/ })).toBeVisible()
  expect(asked).toEqual([])
  await dialog.getByRole('button', { name: /fieldwork/ }).click()
  await expect
    .poll(() => app.store.getState().connections.polkadot)
    .toMatchObject({ status: 'connected', account: { address } })
  expect(asked).toHaveLength(1)
  openModal(app, { view: { name: 'Account' } })
  await expect.element(dialog.getByText('Balances are not available on Polkadot')).toBeVisible()
  await expect.element(dialog.getByTitle(address)).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Receive' })).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Send' })).not.toBeInTheDocument()
  expect(await violations()).toEqual([])
  // Without a balance between them, the wallet and the actions keep a distance.
  const wallet = dialog.getByTitle('Connected with fieldwork').element().getBoundingClientRect()
  const actions = dialog.getByRole('button', { name: 'Receive' }).element().getBoundingClientRect()
  expect(actions.top - wallet.bottom).toBeGreaterThanOrEqual(12)
  expect(findLonelyTabs()).toEqual([])
  const network = dialog.getByRole('button', { name: 'Change network: Polkadot' }).element()
  expect(network.querySelector('[data-letter]')?.getAttribute('data-letter') ?? 'P').toBe('P')
  app.destroy()
})

test('behavior: a server with a node of the network returns the balance', async () => {
  const enable = async () => ({ accounts: { get: async () => [{ address: generic }] }, signer: {} })
  Object.assign(window, { injectedWeb3: { fieldwork: { enable } } })
  const { caipNetworkId: chainId } = polkadot
  const off = { on: false, source: '' }
  const areas = { prices: off, activity: off, nfts: off, identity: off }
  const quantity = { decimals: '10', numeric: '3.2345678901' }
  const app = testApp(
    { networks: [polkadot], wallets: { injected: true } },
    {
      areas: () => ({
        ...{ http: [chainId], ws: [] },
        features: { [chainId]: { ...areas, balance: { on: true, source: 'node' } } },
      }),
      balances: () => ({
        balances: [{ name: 'Polkadot', symbol: 'DOT', chainId, quantity, iconUrl: '' }],
      }),
    },
  )
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /fieldwork/ }).click()
  await expect
    .poll(() => app.store.getState().connections.polkadot)
    .toMatchObject({ status: 'connected', account: { address } })
  openModal(app, { view: { name: 'Account' } })
  await expect.element(dialog.getByText(/3\.23/).first()).toBeVisible()
  await expect.element(dialog.getByText(/not available/)).not.toBeInTheDocument()
  await expect.element(dialog.getByRole('button', { name: 'Send' })).not.toBeInTheDocument()
  app.destroy()
})
