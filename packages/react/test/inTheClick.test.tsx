import { connect, latchkeyOne, openModal } from '@latchkey/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider, useConnect, useSignMessage } from '../src/index.ts'
import '../src/theme.css'
import { refuse } from './fakes/fakeWallet.ts'
import { alice, announce, createFakeWallet, type FakeWallet, testApp } from './testApp.ts'

// WebKit lets a page open a window only in the very task of a click, and a wallet may be a window.

let wallet: FakeWallet
let silence: () => void

beforeEach(() => {
  wallet = createFakeWallet()
  silence = announce([{ name: 'Fieldwork', wallet }])
})
afterEach(() => silence())

const dialog = () => page.getByRole('dialog')

async function show(own?: () => React.ReactNode) {
  const app = testApp()
  const Own = own ?? ConnectButton
  await render(
    <LatchkeyProvider app={app}>
      <Own />
    </LatchkeyProvider>,
  )
  return app
}

/** The methods that the wallet is asked in the task of the next click, microtasks included. */
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

test('behavior: the click on a wallet asks it, and so does trying again', async () => {
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

test('behavior: left before its view stands, a wallet that was asked connects nobody', async () => {
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

test('behavior: the click on a network asks the wallet to go there, and so does trying again', async () => {
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
    const { signMessage } = useSignMessage()
    const [first] = connectors
    return (
      <>
        <button type="button" onClick={() => first && connect({ connectorId: first.id })}>
          Connect it
        </button>
        <button
          type="button"
          onClick={() => signMessage({ message: 'Hello' }).then((done) => signed.push(done))}
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
