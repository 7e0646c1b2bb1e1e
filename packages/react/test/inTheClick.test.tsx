import {
  connect,
  latchkeyOne,
  openModal,
  searchWallets,
  selectNamespace,
  solana,
} from '@latchkey/core/internal'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider, useConnect, useSignMessage } from '../src/index.ts'
import '../src/theme.css'
import { registerSolana } from './fakes/fakeStandardWallet.ts'
import { refuse } from './fakes/fakeWallet.ts'
import { alice, announce, createFakeWallet, type FakeWallet, testApp } from './testApp.ts'
import { violations } from './violations.ts'

// WebKit lets a page open a window only in the task of a click itself, and a wallet may open a
// window.

let wallet: FakeWallet
let silence: () => void

beforeEach(() => {
  wallet = createFakeWallet()
  silence = announce([{ name: 'Fieldwork', wallet }])
})
afterEach(() => silence())

const dialog = () => page.getByRole('dialog')

async function show(own?: () => React.ReactNode, config?: Parameters<typeof testApp>[0]) {
  const app = testApp(config)
  const Own = own ?? ConnectButton
  await render(
    <LatchkeyProvider app={app}>
      <Own />
    </LatchkeyProvider>,
  )
  return app
}

/** The methods that the wallet receives in the task of the next click, microtasks included. */
const askedInClick = () =>
  new Promise<string[]>((resolve) => {
    const look = () => {
      const before = wallet.calls.length
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(wallet.calls.slice(before).map(({ method }) => method))
      port2.postMessage(null)
    }
    window.addEventListener('click', look, { capture: true, once: true })
  })

async function press(name: string | RegExp, where = dialog()): Promise<string[]> {
  const button = where.getByRole('button', { name })
  await expect.element(button).toBeVisible()
  const asked = askedInClick()
  await button.click()
  return asked
}

test('behavior: the click on a wallet sends the request, and so does trying again', async () => {
  wallet.answers.eth_requestAccounts = () => refuse()
  const app = await show()
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  expect(await press('Fieldwork Installed')).toEqual(['eth_requestAccounts'])
  await expect.element(dialog().getByText('Connection declined')).toBeVisible()
  delete wallet.answers.eth_requestAccounts
  expect(await press('Try again')).toContain('eth_requestAccounts')
  await expect.poll(() => app.store.getState().connections.eip155.status).toBe('connected')
  expect(wallet.calls.filter(({ method }) => method === 'eth_requestAccounts').length).toBe(2)
  await expect.element(dialog()).not.toBeInTheDocument()
})

test.each(['eip155', 'solana'] as const)(
  'behavior: with a wallet of two namespaces and a network of %s, each is requested in its own click',
  async (namespace) => {
    const end = registerSolana('Fieldwork')
    const app = await show(undefined, { networks: [latchkeyOne, solana] })
    await searchWallets(app)
    selectNamespace(app, { namespace })
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    const first = await press('Fieldwork Installed')
    await expect.poll(() => app.store.getState().modal.open).toBe(false)
    openModal(app)
    await dialog()
      .getByRole('button', { name: /^Also connect/ })
      .click()
    const second = await press(namespace === 'eip155' ? /^Solana/ : /^Ethereum & EVM/)
    const asked = namespace === 'eip155' ? [first, second] : [second, first]
    expect(asked[0]?.[0]).toBe('eth_requestAccounts')
    expect(asked[1]).not.toContain('eth_requestAccounts')
    const statuses = () => {
      const { eip155, solana: other } = app.store.getState().connections
      return [eip155.status, other.status]
    }
    await expect.poll(statuses).toEqual(['connected', 'connected'])
    end()
  },
)

test('behavior: a view that the app opens once more closes the modal when its wallet has connected', async () => {
  wallet.answers.eth_requestAccounts = () => refuse()
  const app = await show()
  const connectorId = app.store.getState().connectors[0]?.id ?? ''
  openModal(app, { view: { name: 'ConnectingExternal', connectorId } })
  await expect.element(dialog().getByText('Connection declined')).toBeVisible()
  openModal(app, { view: { name: 'ConnectingExternal', connectorId } })
  delete wallet.answers.eth_requestAccounts
  await dialog().getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => app.store.getState().connections.eip155.status).toBe('connected')
  await expect.element(dialog()).not.toBeInTheDocument()
})

test('behavior: a request that was canceled before its view was drawn does not connect', async () => {
  let resolve: (accounts: unknown) => void = () => {}
  const promise = new Promise((done) => {
    resolve = done
  })
  wallet.answers.eth_requestAccounts = () => promise
  const app = await show()
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await press('Fieldwork Installed')
  await dialog().getByRole('button', { name: 'Back' }).click()
  await expect.poll(() => app.store.getState().connections.eip155.status).toBe('disconnected')
  resolve([alice])
  await expect.element(dialog().getByRole('button', { name: 'Fieldwork' })).toBeVisible()
  expect(app.store.getState().connections.eip155.status).toBe('disconnected')
})

test('behavior: the click on a network requests the switch from the wallet, and so does trying again', async () => {
  wallet.answers.wallet_switchEthereumChain = () => refuse()
  const app = await show()
  await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
  await app.loadActions('eip155')
  openModal(app, { view: { name: 'Networks' } })
  expect(await press(/Latchkey Two/)).toContain('wallet_switchEthereumChain')
  await expect.element(dialog().getByText('Switch declined')).toBeVisible()
  delete wallet.answers.wallet_switchEthereumChain
  expect(await press('Try again')).toContain('wallet_switchEthereumChain')
  await expect.poll(() => app.store.getState().activeChainId).toBe('eip155:31338')
})

test('behavior: the hooks ask in the click too', async () => {
  const signed: string[] = []
  wallet.answers.personal_sign = () => `0x${'ab'.repeat(65)}`
  const app = await show(() => {
    const { connect, connectors } = useConnect()
    const { signMessageAsync } = useSignMessage()
    const [first] = connectors
    return (
      <>
        <button type="button" onClick={() => first && connect({ connectorId: first.id })}>
          Connect it
        </button>
        <button
          type="button"
          onClick={() => signMessageAsync({ message: 'Hello' }).then((done) => signed.push(done))}
        >
          Sign it
        </button>
      </>
    )
  })
  const body = page.elementLocator(document.body)
  expect(await press('Connect it', body)).toContain('eth_requestAccounts')
  await expect.poll(() => app.store.getState().connections.eip155.status).toBe('connected')
  expect(app.store.getState().activeChainId).toBe(latchkeyOne.caipNetworkId)
  await app.loadActions('eip155')
  expect(await press('Sign it', body)).toEqual(['personal_sign'])
  await expect.poll(() => signed.length).toBe(1)
})

const other = () => dialog().getByRole('button', { name: 'Switch account' })

test('behavior: another account of the same wallet is chosen in the click, from the account and after disconnecting', async () => {
  const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const app = await show()
  const address = () => {
    const { eip155 } = app.store.getState().connections
    return eip155.status === 'connected' ? eip155.account.address : undefined
  }
  let allow = (_accounts: readonly string[]) => {}
  wallet.answers.wallet_getPermissions = () => []
  wallet.answers.wallet_requestPermissions = () =>
    new Promise((resolve) => {
      allow = (accounts) => {
        wallet.accounts = accounts
        resolve([{ parentCapability: 'eth_accounts' }])
      }
    })
  await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
  openModal(app)
  expect(await press('Switch account')).toEqual(['wallet_requestPermissions'])
  const waiting = dialog().getByRole('button', { name: 'Choose in your wallet' })
  await expect.element(waiting).toHaveAttribute('aria-busy', 'true')
  expect(document.activeElement).toBe(waiting.element())
  expect(await violations()).toEqual([])
  allow([bob])
  await expect.element(other()).toBeVisible()
  expect(address()).toBe(bob)

  await dialog().getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  expect(await press('Fieldwork')).toEqual(['wallet_requestPermissions'])
  allow([alice])
  await expect.poll(address).toBe(alice)
})

test('behavior: a wallet without a choice of accounts shows no button for it', async () => {
  const app = await show()
  await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
  openModal(app)
  await expect.element(dialog().getByRole('button', { name: 'Disconnect' })).toBeVisible()
  await expect
    .poll(() => wallet.calls.map(({ method }) => method))
    .toContain('wallet_getPermissions')
  expect(other().elements()).toEqual([])
})
