import { connect, latchkeyOne, openModal, type State } from '@latchkey/core/internal'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import {
  ConnectButton,
  LatchkeyProvider,
  NetworkButton,
  useAccount,
  useModal,
} from '../src/index.ts'
import '../src/theme.css'
import { hang, refuse } from './fakes/fakeWallet.ts'
import { alice, announce, bob, createFakeWallet, type FakeWallet, testApp } from './testApp.ts'
import { violations } from './violations.ts'
import { findButton, watchPlace } from './watch/watchPlace.ts'

let wallet: FakeWallet
let silence: () => void

beforeEach(() => {
  wallet = createFakeWallet()
  silence = announce([{ name: 'Fieldwork', wallet }])
})

afterEach(() => silence())

/** A page whose only button disappears when an account is connected. */
function Welcome() {
  const { isConnected } = useAccount()
  const { open } = useModal()
  if (isConnected) return <ConnectButton />
  return (
    <button type="button" onClick={() => open()}>
      Begin
    </button>
  )
}

type Settings = Parameters<typeof testApp>

async function show(...settings: Settings) {
  const app = testApp(...settings)
  await render(
    <LatchkeyProvider app={app}>
      <NetworkButton />
      <ConnectButton />
    </LatchkeyProvider>,
  )
  return app
}

async function showConnected(...settings: Settings) {
  const app = await show(...settings)
  await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
  return app
}

const dialog = () => page.getByRole('dialog')
const button = (name: string | RegExp) => dialog().getByRole('button', { name })
const open = () => page.getByRole('button', { name: 'Connect wallet' }).click()
const isBefore = (one: Locator, other: Locator) =>
  (one.element().compareDocumentPosition(other.element()) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
const topView = (state: State) => state.modal.history.at(-1)?.name

describe('Connect', () => {
  test('default', async () => {
    await show()
    await open()
    await expect.element(button('Fieldwork Installed')).toBeVisible()
    await expect.element(button('Alder')).toBeVisible()
    await expect.element(button('All wallets 100 wallets')).toBeVisible()
    expect(await violations()).toEqual([])
  })

  test('behavior: shows a skeleton while the directory loads', async () => {
    await show({}, { wallets: hang })
    await open()
    await expect.element(dialog().getByRole('status', { name: 'Loading wallets' })).toBeVisible()
    await expect.element(button('Fieldwork Installed')).toBeVisible()
  })

  test('error: the directory fails, the wallets of this browser stay', async () => {
    let isDown = true
    const answers = {
      wallets: () => (isDown ? new Response('', { status: 404 }) : { count: 0, data: [] }),
    }
    await show({}, answers)
    await open()
    await expect.element(dialog().getByText('More wallets could not be loaded.')).toBeVisible()
    await expect.element(button('Fieldwork Installed')).toBeVisible()
    isDown = false
    await button('Try again').click()
    await expect
      .element(dialog().getByText('More wallets could not be loaded.'))
      .not.toBeInTheDocument()
  })

  test('behavior: no wallet at all says what to do', async () => {
    silence()
    await show({ wallets: { eip6963: false } }, { wallets: () => ({ count: 0, data: [] }) })
    await open()
    await expect.element(dialog().getByText('No wallet found in this browser')).toBeVisible()
  })

  test('param: modal.legalCheckbox locks the list until it is ticked', async () => {
    await show({ modal: { legalCheckbox: true, termsUrl: 'https://example.org/t' } })
    await open()
    await expect.element(button('Fieldwork Installed')).toBeDisabled()
    await dialog().getByRole('checkbox').click()
    await expect.element(button('Fieldwork Installed')).toBeEnabled()
  })

  test('param: wallets.collapsed, wallets.guide, wallets.enabled', async () => {
    const first = await show({ wallets: { collapsed: true, guide: false } })
    await open()
    await button('Continue with a wallet').click()
    await expect.element(button('Fieldwork Installed')).toBeVisible()
    expect(dialog().getByText('New here?').elements()).toEqual([])
    first.destroy()
    document.body.replaceChildren()

    await show({ wallets: { enabled: false } })
    await open()
    await expect.element(dialog()).toBeVisible()
    expect(button('Fieldwork Installed').elements()).toEqual([])
    expect(button('All wallets').elements()).toEqual([])
  })

  test('behavior: a wallet that is not installed links to its download', async () => {
    await show()
    await open()
    await button('Birch').click()
    await expect.element(dialog().getByText('Get Birch')).toBeVisible()
    const links = [...document.querySelectorAll('dialog a')].map((link) =>
      link.getAttribute('href'),
    )
    expect(links).toEqual(['https://store.example/alder', 'https://wallet.example/'])
  })

  test('behavior: a script in a name or an icon stays text', async () => {
    const silenceEvil = announce([
      {
        name: '<img src=x onerror=window.hacked=1>',
        rdns: 'evil.one',
        icon: 'javascript:window.hacked=1',
        wallet: createFakeWallet(),
      },
    ])
    await show()
    await open()
    await expect.element(button('Fieldwork Installed')).toBeVisible()
    expect(
      [...document.querySelectorAll('dialog img')].some((image) =>
        /script/.test((image as HTMLImageElement).src.slice(0, 12)),
      ),
    ).toBe(false)
    expect('hacked' in window).toBe(false)
    silenceEvil()
  })
})

describe('ConnectingExternal', () => {
  test('default', async () => {
    const app = await show()
    await open()
    await button('Fieldwork Installed').click()
    await expect.element(dialog()).not.toBeInTheDocument()
    await expect.element(page.getByRole('button', { name: 'Account 0xf3…b92266' })).toBeVisible()
    expect(app.store.getState().connections.eip155.status).toBe('connected')
  })

  test('error: declined, then tried again', async () => {
    wallet.answers.eth_requestAccounts = () => refuse()
    await show()
    await open()
    await button('Fieldwork Installed').click()
    await expect.element(dialog().getByText('Connection declined')).toBeVisible()
    expect(await violations()).toEqual([])
    delete wallet.answers.eth_requestAccounts
    await button('Try again').click()
    await expect.element(page.getByRole('button', { name: 'Account 0xf3…b92266' })).toBeVisible()
  })

  test('behavior: going back calls it off', async () => {
    wallet.answers.eth_requestAccounts = hang
    const app = await show()
    await open()
    await button('Fieldwork Installed').click()
    await expect.element(dialog().getByText('Continue in Fieldwork')).toBeVisible()
    await button('Back').click()
    await expect.element(button('Alder')).toBeVisible()
    await expect.poll(() => app.store.getState().connections.eip155.status).toBe('disconnected')
  })

  test('error: the wallet is gone', async () => {
    const app = await show()
    openModal(app, { view: { name: 'ConnectingExternal', connectorId: 'nobody' } })
    await expect.element(dialog().getByText('nobody is not available')).toBeVisible()
  })
})

describe('AllWallets', () => {
  const cards = () => document.querySelectorAll('dialog button[title]')
  /**
   * Scrolls to the fortieth card and counts them; to be repeated, for a dialog that just opened may
   * not scroll yet.
   */
  const scrolled = () => {
    cards()[39]?.scrollIntoView()
    return cards().length
  }

  test('behavior: searches, and says when nothing is found', async () => {
    const app = await show()
    openModal(app, { view: { name: 'AllWallets' } })
    await expect.element(button('Alder').first()).toBeVisible()
    const getTop = () => dialog().getByRole('searchbox').element().getBoundingClientRect().top
    const top = getTop()
    await dialog().getByRole('searchbox').fill('ironwood')
    await expect.element(button('Alder').first()).not.toBeInTheDocument()
    await expect.element(button('Ironwood').first()).toBeVisible()
    await dialog().getByRole('searchbox').fill('zzz')
    await expect.element(dialog().getByText('No wallet found')).toBeVisible()
    // Nor does the field move under the hand.
    expect(Math.abs(getTop() - top)).toBeLessThan(1)
  })

  test('behavior: loads on when scrolled', async () => {
    const app = await show()
    openModal(app, { view: { name: 'AllWallets' } })
    await expect.element(button('Alder').first()).toBeVisible()
    expect(cards().length).toBe(40)
    await expect.poll(scrolled).toBeGreaterThanOrEqual(80)
  })

  test('error: a further page that fails leaves the list, and can be loaded again by hand', async () => {
    let failed = 0
    let fails = true
    const app = await show(
      {},
      {
        other: ({ pathname, searchParams }) => {
          if (!fails || pathname !== '/getWallets' || searchParams.get('page') !== '2') return
          failed++
          return new Response('{}', { status: 404 })
        },
      },
    )
    openModal(app, { view: { name: 'AllWallets' } })
    await expect.element(button('Alder').first()).toBeVisible()
    await expect.poll(() => scrolled() && failed).toBe(1)
    await expect.element(dialog().getByRole('alert')).toHaveTextContent('could not be loaded')
    expect(cards().length).toBe(40)
    button('Try again').element().scrollIntoView()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(failed).toBe(1)
    expect(await violations()).toEqual([])
    await button('Try again').click()
    await expect.poll(() => failed).toBe(2)
    await expect.element(dialog().getByRole('alert')).toBeVisible()
    fails = false
    await button('Try again').click()
    await expect.poll(() => cards().length).toBeGreaterThanOrEqual(80)
    await expect.element(dialog().getByRole('alert')).not.toBeInTheDocument()
  })
})

describe('Account', () => {
  test('default', async () => {
    const app = await showConnected()
    openModal(app)
    await expect.element(dialog().getByText('9,999.123').first()).toBeVisible()
    await expect.element(dialog().getByText('Total $19,999,497.41')).toBeVisible()
    await expect.element(dialog().getByText('0.00000012')).toBeVisible()
    expect(await violations()).toEqual([])
    expect(isBefore(button('Receive'), button('Send'))).toBe(true)
    await dialog().getByRole('tab', { name: 'NFTs' }).click()
    await expect.element(dialog().getByText('NFTs could not be loaded')).toBeVisible()
    await button('Disconnect').click()
    await expect.element(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
    expect(app.store.getState().modal.open).toBe(false)
  })

  test('error: the wallet cannot be disconnected; a modal that was opened again stays open', async () => {
    const app = await showConnected()
    const [connector] = app.connectors.values()
    if (!connector) throw new Error('No wallet was found')
    let failDisconnect = (_error: Error) => {}
    connector.disconnect = () => new Promise((_done, fail) => (failDisconnect = fail))
    openModal(app)
    await button('Disconnect').click()
    await expect.element(dialog()).not.toBeInTheDocument()
    await open()
    await expect.element(button('All wallets')).toBeVisible()
    failDisconnect(new Error('The wallet is gone'))
    await expect.element(page.getByText('The wallet could not be disconnected')).toBeVisible()
    expect(app.store.getState().modal.open).toBe(true)
  })

  test('param: modal.actionOrder', async () => {
    const on = { on: true, source: '' }
    const areas = { onramp: on, swap: { ...on, kind: 'uniswap' } }
    const answers: Settings[1] = {
      areas: () => ({ http: ['eip155:31337'], ws: [], features: { 'eip155:31337': areas } }),
    }
    const actions = () =>
      ['Buy', 'Swap', 'Receive', 'Send']
        .filter((name) => button(name).elements().length > 0)
        .sort((one, other) => (isBefore(button(one), button(other)) ? -1 : 1))
    const first = await showConnected({}, answers)
    openModal(first)
    await expect.poll(actions).toEqual(['Buy', 'Swap', 'Receive', 'Send'])
    first.destroy()
    document.body.replaceChildren()
    openModal(await showConnected({ modal: { actionOrder: ['send'] } }, answers))
    await expect.poll(actions).toEqual(['Send', 'Buy', 'Swap', 'Receive'])
  })
})

describe('Networks', () => {
  test('param: modal.networkSwitch', async () => {
    const app = await showConnected({ modal: { networkSwitch: false } })
    await expect.element(page.getByRole('button', { name: /^Network:/ })).toBeDisabled()
    openModal(app, { view: { name: 'Networks' } })
    await expect.element(button(/Latchkey Two/)).toBeDisabled()
  })

  test('behavior: switches, and a refusal can be tried again', async () => {
    wallet.answers.wallet_switchEthereumChain = () => refuse()
    const app = await showConnected()
    openModal(app, { view: { name: 'Networks' } })
    await button(/Latchkey Two/).click()
    await expect.element(dialog().getByText('Switch declined')).toBeVisible()
    delete wallet.answers.wallet_switchEthereumChain
    await button('Try again').click()
    await expect.element(page.getByRole('button', { name: 'Network: Latchkey Two' })).toBeVisible()
    expect(app.store.getState().activeChainId).toBe('eip155:31338')
  })

  test('behavior: an unsupported network cannot be closed away', async () => {
    wallet.chainId = '0x1'
    const app = await showConnected()
    await expect.element(dialog().getByText(/does not support the network/)).toBeVisible()
    expect(button('Close').query()).toBeNull()
    await userEvent.keyboard('{Escape}')
    await userEvent.keyboard('{Escape}')
    expect(app.store.getState().modal).toMatchObject({ open: true, shakes: 2 })
    await expect.element(dialog()).toBeVisible()
    expect(await violations()).toEqual([])
    await button('Disconnect').click()
    await expect.element(dialog()).not.toBeInTheDocument()
  })
})

describe('Send', () => {
  test('behavior: an account of zeros has nothing to send; a search may find nothing', async () => {
    const balance = (numeric: string) => ({
      ...{ name: 'Ether', symbol: 'ETH', chainId: latchkeyOne.caipNetworkId, iconUrl: '' },
      quantity: { decimals: '18', numeric },
    })
    let balances = [balance('0.000')]
    const app = await showConnected({}, { balances: () => ({ balances }) })
    openModal(app, { view: { name: 'Send' } })
    await expect.element(dialog().getByText('Nothing to send yet')).toBeVisible()
    expect(dialog().getByLabelText('Amount').query()).toBeNull()
    balances = [balance('1')]
    openModal(app, { view: { name: 'SendSelectToken' } })
    await dialog().getByRole('searchbox').fill('zzz')
    await expect.element(dialog().getByText(/^None of your tokens on this/)).toBeVisible()
  })

  test('behavior: the button says what is missing, then everything is on one screen', async () => {
    const app = await showConnected()
    openModal(app, { view: { name: 'Account' } })
    await button('Send').click()
    await expect.element(button('Add amount')).toBeVisible()
    await dialog().getByLabelText('Amount').fill('99999')
    await expect.element(button('Insufficient funds')).toBeVisible()
    await dialog().getByLabelText('Amount').fill('1,25')
    await expect.element(button('Add address')).toBeVisible()
    await dialog().getByLabelText('To', { exact: true }).fill('0x1234')
    await expect.element(button('Invalid address')).toBeVisible()
    await dialog().getByLabelText('To', { exact: true }).fill(bob)
    expect(await violations()).toEqual([])
    const stop = watchPlace(() => findButton('Cancel'))
    await button('Review').click()
    for (const text of ['1.25 ETH', bob, alice, latchkeyOne.name])
      await expect.element(dialog().getByText(text, { exact: true })).toBeVisible()
    await expect
      .element(dialog().getByRole('button', { name: 'Send', exact: true }))
      .not.toHaveAttribute('aria-busy')
    // Nothing moves when the fee is there.
    expect(stop()).toHaveLength(1)
    wallet.answers.eth_sendTransaction = () => refuse()
    await dialog().getByRole('button', { name: 'Send', exact: true }).click()
    await expect.element(dialog().getByText(/You declined the transfer/)).toBeVisible()
    const toasts: (string | undefined)[] = []
    app.store.subscribe(({ toast }) => toasts.push(toast?.message))
    wallet.answers.eth_sendTransaction = () => 'no hash'
    await dialog().getByRole('button', { name: 'Send', exact: true }).click()
    await expect.element(dialog().getByText(/sent an invalid response/)).toBeVisible()
    wallet.answers.eth_sendTransaction = () => Promise.reject(new Error('nonce too low'))
    await dialog().getByRole('button', { name: 'Send', exact: true }).click()
    await expect.element(dialog().getByText('Something went wrong: nonce too low')).toBeVisible()
    expect(page.getByText(/Something went wrong/).elements()).toHaveLength(1)
    expect(toasts).not.toContain('Something went wrong')
    expect(app.store.getState().sendDraft).toMatchObject({ amount: '1.25', receiverAddress: bob })
    delete wallet.answers.eth_sendTransaction
    await dialog().getByRole('button', { name: 'Send', exact: true }).click()
    await expect.element(dialog().getByText('Transfer complete')).toBeVisible()
    await expect.element(dialog().getByText('1.25 ETH')).toBeVisible()
    await expect.element(dialog().getByTitle(bob).first()).toBeVisible()
    await expect.poll(() => toasts).toContain('Transaction started')
    expect(app.store.getState().sendDraft).toEqual({ amount: '', receiverAddress: '' })
    await expect.element(dialog().getByText(/It will be final soon/)).toBeVisible()
    expect(topView(app.store.getState())).toBe('SendConfirmed')
    expect(await violations()).toEqual([])
  })

  test('behavior: Max that comes late is not written over what was typed meanwhile', async () => {
    let answer = () => {}
    let held: Promise<void> | undefined
    const other = (url: URL) => (url.pathname.startsWith('/v1/account') ? undefined : held)
    const app = await showConnected({}, { other })
    openModal(app, { view: { name: 'Send' } })
    await button('Max').click()
    const amount = dialog().getByLabelText('Amount')
    await expect.element(amount).toHaveValue('9999.9999538')
    await amount.fill('')
    held = new Promise((resolve) => {
      answer = resolve
    })
    await button('Max').click()
    await amount.fill('2')
    answer()
    await new Promise((resolve) => setTimeout(resolve, 300))
    await expect.element(amount).toHaveValue('2')
  })
})

describe('Receive', () => {
  test('default', async () => {
    const app = await showConnected()
    openModal(app, { view: { name: 'Receive' } })
    await expect
      .element(dialog().getByRole('img', { name: 'QR code of your address' }))
      .toBeVisible()
    await expect.element(dialog().getByText(alice)).toBeVisible()
    await expect
      .element(
        dialog().getByText('Send only Latchkey One and Latchkey Two assets to this address.'),
      )
      .toBeVisible()
    expect(await violations()).toEqual([])
  })

  test('behavior: the address has its checksum, also if the wallet sends none', async () => {
    wallet.accounts = [alice.toLowerCase()]
    const app = await showConnected()
    openModal(app, { view: { name: 'Receive' } })
    const shown = dialog().getByText(alice)
    await expect.element(shown).toBeVisible()
    await expect.poll(() => shown.element().textContent).toBe(alice)
  })
})

describe('the dialog', () => {
  test('behavior: the keyboard stays inside and comes back', async () => {
    await show()
    page.getByRole('button', { name: 'Connect wallet' }).element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(button('Fieldwork Installed')).toBeVisible()
    for (let presses = 0; presses < 14; presses++) {
      await userEvent.keyboard('{Tab}')
      const { activeElement } = document
      expect(activeElement === document.body || activeElement?.closest('dialog') !== null).toBe(
        true,
      )
    }
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog()).not.toBeInTheDocument()
    await expect.element(page.getByRole('button', { name: 'Connect wallet' })).toHaveFocus()
  })

  test('behavior: if the button that opened it is gone, the account has the focus', async () => {
    const app = testApp()
    await render(
      <LatchkeyProvider app={app}>
        <Welcome />
      </LatchkeyProvider>,
    )
    await page.getByRole('button', { name: 'Begin' }).click()
    await button('Fieldwork Installed').click()
    await expect.element(page.getByRole('button', { name: /^Account/ })).toHaveFocus()
  })

  test('behavior: never renders a style or script element', async () => {
    const before = document.querySelectorAll('body style, body script').length
    const app = await showConnected()
    openModal(app)
    await expect.element(dialog().getByRole('tab', { name: 'Tokens' })).toBeVisible()
    expect(document.querySelectorAll('body style, body script').length).toBe(before)
  })

  test('param: right to left and 390 px keep everything inside the card', async () => {
    await page.viewport(390, 844)
    document.documentElement.dir = 'rtl'
    await show()
    await open()
    await expect.element(button('Fieldwork Installed')).toBeVisible()
    const card = document.querySelector('dialog > div')
    expect(card?.scrollWidth).toBe(card?.clientWidth)
    expect(card?.getBoundingClientRect()).toMatchObject({ width: 390, bottom: 844 })
    expect(await violations()).toEqual([])
    await page.viewport(1280, 860)
  })

  test.each(['#000000', '#ffffff', '#ffcc00', '#4a67f0', '#e11d48', '#808080'])(
    'param: accent %s keeps its text readable',
    async (accent) => {
      const app = await show({ modal: { themeVariables: { '--lk-accent': accent } } })
      await expect.element(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
      const style = getComputedStyle(page.getByRole('button', { name: 'Connect wallet' }).element())
      expect(contrast(style.backgroundColor, style.color)).toBeGreaterThanOrEqual(4.5)
      app.destroy()
    },
  )
})

/** WCAG 2.2 contrast of two CSS colors, in the browser's own rendering. */
function contrast(...colors: [string, string]): number {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) throw new Error('No canvas')
  const [one = 0, other = 0] = colors.map((color) => {
    context.fillStyle = color
    context.fillRect(0, 0, 1, 1)
    const [r = 0, g = 0, b = 0] = [...context.getImageData(0, 0, 1, 1).data]
      .map((channel) => channel / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  })
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}
