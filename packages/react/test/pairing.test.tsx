import { type App, connect, openModal, type State, setSendDraft } from '@latchkey/core/internal'
import { LatchkeyError } from '@latchkey/wire'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../src/index.ts'
import '../src/theme.css'
import { createFakePairing, type FakePairing } from './fakes/fakePairing.ts'
import { readCode } from './readCode.ts'
import { announce, bob, createFakeWallet, phonePage, testApp } from './testApp.ts'
import { violations } from './violations.ts'

const uri = (mark: string) =>
  `wc:${mark.repeat(64)}@2?relay-protocol=irn&symKey=${mark.repeat(64)}&expiryTimestamp=1795227342`
const encoded = (mark: string) => encodeURIComponent(uri(mark))

let pairing: FakePairing
let silence = () => {}

beforeEach(() => {
  pairing = createFakePairing()
})

afterEach(() => silence())

async function show(app: App) {
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  return app
}

const showHere = (config: Parameters<typeof testApp>[0] = {}) =>
  show(testApp(config, {}, { pairing }))

async function showOnPhone(config: Parameters<typeof testApp>[0] = {}) {
  await page.viewport(390, 844)
  const phone = phonePage()
  await show(testApp(config, {}, { pairing, page: phone }))
  return phone
}

const dialog = () => page.getByRole('dialog')
const button = (name: string | RegExp) => dialog().getByRole('button', { name })
const open = () => page.getByRole('button', { name: 'Connect wallet' }).click()
const topView = (state: State) => state.modal.history.at(-1)?.name
const code = () => dialog().getByRole('img', { name: 'QR code to connect a wallet' })
const expectCode = async (text: string) => {
  await expect.element(code()).toBeVisible()
  const read = () => readCode(code().element().parentElement as Element)
  await expect.poll(() => read().catch(String)).toBe(text)
}

describe('ConnectingWalletConnectBasic', () => {
  test('default', async () => {
    const app = await showHere()
    await open()
    await expect.element(dialog().getByRole('listitem').first()).toHaveTextContent('WalletConnect')
    await button('WalletConnect QR code').click()
    await expect.element(dialog().getByText('Scan this QR code with your phone')).toBeVisible()
    await expect.element(button('Copy link')).toBeDisabled()
    await expect.poll(() => pairing.attempts.length).toBe(1)
    pairing.latest().offer(uri('a'))
    await expectCode(uri('a'))
    expect(await violations()).toEqual([])
    pairing.latest().approve()
    await expect.element(dialog()).not.toBeInTheDocument()
    expect(app.store.getState().connections.eip155).toMatchObject({ status: 'connected' })
  })

  test('behavior: the link can be copied, and says when it cannot', async () => {
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    const app = await showHere()
    openModal(app, { view: { name: 'ConnectingWalletConnectBasic' } })
    await expect.poll(() => pairing.attempts.length).toBe(1)
    pairing.latest().offer(uri('a'))
    await button('Copy link').click()
    await expect.element(dialog().getByText('Link copied')).toBeVisible()
    expect(write).toHaveBeenCalledWith(uri('a'))
    write.mockRejectedValue(new Error('Denied'))
    await button('Copy link').click()
    await expect.element(dialog().getByText('Failed to copy')).toBeVisible()
  })

  test('behavior: a renewed code replaces the old code and is announced', async () => {
    const app = await showHere()
    openModal(app, { view: { name: 'ConnectingWalletConnectBasic' } })
    await expect.poll(() => pairing.attempts.length).toBe(1)
    pairing.latest().offer(uri('a'))
    await expectCode(uri('a'))
    expect(dialog().getByText('The code was renewed').query()).toBeNull()
    pairing.latest().offer(uri('b'))
    await expect
      .element(dialog().getByText('The code was renewed. Scan the new one.'))
      .toBeInTheDocument()
    await expectCode(uri('b'))
    expect(pairing.attempts.length).toBe(1)
  })

  test('behavior: leaving the view calls the attempt off', async () => {
    await showHere()
    await open()
    await button('WalletConnect QR code').click()
    await expect.poll(() => pairing.attempts.length).toBe(1)
    pairing.latest().offer(uri('a'))
    await expect.element(code()).toBeVisible()
    await button('Back').click()
    await expect.element(button('WalletConnect QR code')).toBeVisible()
    await expect.poll(() => pairing.latest().signal.aborted).toBe(true)
    await expect.element(page.getByRole('dialog', { name: 'Connect wallet' })).toBeVisible()
  })

  test('behavior: closing the modal calls the attempt off and begins no other', async () => {
    const app = await showHere()
    openModal(app, { view: { name: 'ConnectingWalletConnectBasic' } })
    await expect.poll(() => pairing.attempts.length).toBe(1)
    pairing.latest().offer(uri('a'))
    await expect.element(code()).toBeVisible()
    await button('Close').click()
    await expect.poll(() => pairing.latest().signal.aborted).toBe(true)
    await expect.element(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
    expect(pairing.attempts.length).toBe(1)
  })

  test('error: a relay that is not reached is said after 15 seconds, with a new try', async () => {
    const app = await showHere()
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const startedAtMs = Date.now()
    openModal(app, { view: { name: 'ConnectingWalletConnectBasic' } })
    await expect.poll(() => pairing.attempts.length).toBe(1)
    await expect.element(button('Copy link')).toBeVisible()
    // The time until the view appeared counts as well.
    vi.advanceTimersByTime(Math.max(0, 13_000 - (Date.now() - startedAtMs)))
    expect(dialog().getByText('No connection to the relay').elements()).toEqual([])
    vi.advanceTimersByTime(15_000)
    await expect.element(dialog().getByText('No connection to the relay')).toBeVisible()
    vi.useRealTimers()
    expect(await violations()).toEqual([])
    await button('Try again').click()
    await expect.poll(() => pairing.attempts.length).toBe(2)
    await expect.poll(() => pairing.attempts[0]?.signal.aborted).toBe(true)
    pairing.latest().offer(uri('b'))
    await expectCode(uri('b'))
  })

  test('error: a relay that goes while the code is shown is said; when it is back the code is too', async () => {
    const app = await showHere()
    openModal(app, { view: { name: 'ConnectingWalletConnectBasic' } })
    await expect.poll(() => pairing.attempts.length).toBe(1)
    pairing.latest().offer(uri('a'))
    await expectCode(uri('a'))
    pairing.latest().relay(new LatchkeyError('RELAY_UNREACHABLE', { data: { host: 'x' } }))
    await expect.element(dialog().getByText('No connection to the relay')).toBeVisible()
    await expect.element(button('Try again')).toBeVisible()
    pairing.latest().relay()
    await expectCode(uri('a'))
    expect(pairing.attempts.length).toBe(1)
  })

  test.each([
    [new LatchkeyError('USER_REJECTED'), 'Connection declined'],
    [new LatchkeyError('RELAY_UNREACHABLE', { data: { host: 'x' } }), 'No connection to the relay'],
    [
      new LatchkeyError('INVALID_PROJECT_ID'),
      'The server does not know this project id. Add it with `latchkey project add`',
    ],
    [
      new LatchkeyError('SESSION_EXPIRED'),
      'Invalid session. Check the time settings of this device and connect again',
    ],
    [
      new LatchkeyError('RELAY_REFUSED', { data: { host: 'x', reason: 'no' } }),
      'The relay x refused: no',
    ],
  ])('error: %s', async (error, words) => {
    const app = await showHere()
    openModal(app, { view: { name: 'ConnectingWalletConnectBasic' } })
    await expect.poll(() => pairing.attempts.length).toBe(1)
    pairing.latest().offer(uri('a'))
    pairing.latest().fail(error)
    await expect.element(dialog().getByRole('alert').getByText(words)).toBeVisible()
    await button('Try again').click()
    await expect.poll(() => pairing.attempts.length).toBe(2)
    await expect.element(dialog().getByText('Scan this QR code with your phone')).toBeVisible()
  })

  test('param: wallets.walletConnect: false leaves no way to it', async () => {
    await show(testApp({}))
    await open()
    await expect.element(button('Birch')).toBeVisible()
    expect(button(/WalletConnect/).query()).toBeNull()
    await button('Birch').click()
    await expect.element(dialog().getByText('Get Birch')).toBeVisible()
  })
})

describe('ConnectingWalletConnect', () => {
  test('default', async () => {
    await showHere()
    await open()
    await button('WalletConnect QR code').click()
    await button('Search wallet 100 wallets').click()
    await dialog().getByRole('searchbox').fill('alder 3')
    await button('Alder 3').click()
    await expect.element(page.getByRole('dialog', { name: 'Alder 3' })).toBeVisible()
    await expect.poll(() => pairing.attempts.length).toBe(2)
    await expect.poll(() => pairing.attempts[0]?.signal.aborted).toBe(true)
    pairing.latest().offer(uri('c'))
    await expectCode(uri('c'))
    expect(await violations()).toEqual([])
    await button('Get Alder 3').click()
    await expect.element(dialog().getByRole('heading', { name: 'Get Alder 3' })).toBeVisible()
  })

  test.each(['light', 'dark'] as const)('param: theme %s is readable', async (themeMode) => {
    pairing = createFakePairing({ firstUri: uri('a') })
    const app = await showHere({ modal: { themeMode } })
    openModal(app, { view: { name: 'ConnectingWalletConnect', walletId: '2'.padStart(64, '0') } })
    await expectCode(uri('a'))
    expect(await violations()).toEqual([])
  })

  test('behavior: the ways of a wallet are tabs that share one pairing', async () => {
    const opened = vi.spyOn(window, 'open').mockReturnValue(null)
    await showHere()
    await open()
    await button('Cedar').click()
    await expect.poll(() => pairing.attempts.length).toBe(1)
    pairing.latest().offer(uri('d'))
    await expectCode(uri('d'))
    expect(await violations()).toEqual([])
    await dialog().getByRole('tab', { name: 'Web app' }).click()
    await button('Open').click()
    expect(opened.mock.lastCall?.slice(0, 2)).toEqual([
      `https://web.cedar.example/wc?uri=${encoded('d')}`,
      '_blank',
    ])
    await dialog().getByRole('tab', { name: 'Desktop' }).click()
    await expect.element(dialog().getByText(/It opens on this computer/)).toBeVisible()
    expect(await violations()).toEqual([])
    await button('Open').click()
    expect(opened.mock.lastCall?.[0]).toBe(`cedar-desktop://wc?uri=${encoded('d')}`)
    expect(pairing.attempts.length).toBe(1)
  })

  test('behavior: a wallet of this browser gets the request here first, and can still be scanned', async () => {
    const wallet = createFakeWallet()
    wallet.answers.eth_requestAccounts = () => new Promise(() => {})
    silence = announce([{ name: 'Alder', rdns: 'example.0', wallet }])
    await showHere()
    await open()
    await button('All wallets 100 wallets').click()
    await button('Alder').first().click()
    await expect.element(dialog().getByText('Continue in Alder')).toBeVisible()
    await expect
      .element(dialog().getByRole('tab', { name: 'Browser' }))
      .toHaveAttribute('aria-selected', 'true')
    await expect
      .poll(() => wallet.calls.map(({ method }) => method))
      .toContain('eth_requestAccounts')
    expect(pairing.attempts.length).toBe(0)
    dialog().getByRole('tab', { name: 'Browser' }).element().focus()
    await userEvent.keyboard('{ArrowRight}')
    await expect.element(dialog().getByRole('tab', { name: 'Mobile' })).toHaveFocus()
    expect(pairing.attempts.length).toBe(0)
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => pairing.attempts.length).toBe(1)
    pairing.latest().offer(uri('e'))
    await expectCode(uri('e'))
  })

  test('behavior: a wallet that is only an extension links to its download', async () => {
    await showHere()
    await open()
    await button('Dogwood').click()
    await expect.element(dialog().getByText('Get Dogwood')).toBeVisible()
    expect(pairing.attempts.length).toBe(0)
  })

  test('error: without the directory the code is still there', async () => {
    const gone = () => new Response('', { status: 404 })
    const app = await show(testApp({}, { wallets: gone }, { pairing }))
    openModal(app, { view: { name: 'ConnectingWalletConnect', walletId: 'a'.repeat(64) } })
    await expect.poll(() => pairing.attempts.length).toBe(1)
    pairing.latest().offer(uri('f'))
    await expectCode(uri('f'))
  })
})

describe('on a phone', () => {
  test('default', async () => {
    const phone = await showOnPhone()
    await open()
    await button('WalletConnect').click()
    await expect.element(button('Alder 2')).toBeVisible()
    await expect.element(button('Copy link')).toBeInViewport()
    expect(button(/^Dogwood( \D+)?$/).query()).toBeNull()
    expect(await violations()).toEqual([])
    await button('Birch').first().click()
    await expect.element(dialog().getByText('Continue in Birch')).toBeVisible()
    await expect.poll(() => pairing.attempts.length).toBe(2)
    // Too late for the click to count as a tap.
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    pairing.latest().offer(uri('a'))
    expect(await violations()).toEqual([])
    expect(phone.opened).toEqual([])
    await button('Open').click()
    expect(phone.opened).toEqual([[`alder://wc?uri=${encoded('a')}`, '_self']])
    await expect.element(dialog().getByText(/No request there/)).toBeVisible()
  })

  test.each([
    ['with a list of wallets', true],
    ['alone', false],
  ])(
    'param: walletConnect without a relay of the wallets: the link %s says who can use it',
    async (_, all) => {
      await showOnPhone({ wallets: { all, walletConnect: {} } })
      await open()
      await button('WalletConnect').click()
      await expect.element(button('Copy link')).toBeInViewport()
      await expect
        .element(dialog().getByText('Only wallets set up for this site can use the link.'))
        .toBeInViewport()
      expect(await violations()).toEqual([])
    },
  )

  test('behavior: a pairing that is there at once is opened by the tap that led here', async () => {
    pairing = createFakePairing({ firstUri: uri('a') })
    const phone = await showOnPhone()
    await open()
    await button('Cedar').click()
    await expect.poll(() => phone.opened).toEqual([[`alder://wc?uri=${encoded('a')}`, '_self']])
    await button('Open another way').click()
    expect(phone.opened.at(-1)?.[0]).toBe(`https://cedar.example/open/wc?uri=${encoded('a')}`)
  })

  test('behavior: a user who has opened the wallet can continue here meanwhile', async () => {
    pairing = createFakePairing({ firstUri: uri('a') })
    const phone = await showOnPhone()
    await open()
    await button('Alder').first().click()
    await expect.poll(() => phone.opened.length).toBe(1)
    await button('Back').click()
    await expect.element(button('WalletConnect')).toBeVisible()
    expect(pairing.latest().signal.aborted).toBe(false)
    pairing.latest().approve()
    await expect.element(dialog()).not.toBeInTheDocument()
  })

  test('error: a refusal is shown in the view that opened the wallet', async () => {
    pairing = createFakePairing({ firstUri: uri('a') })
    await showOnPhone()
    await open()
    await button('Alder').first().click()
    await expect.poll(() => pairing.attempts.length).toBe(1)
    pairing.latest().fail(new LatchkeyError('USER_REJECTED'))
    await expect.element(dialog().getByText('Connection declined')).toBeVisible()
    expect(await violations()).toEqual([])
    await button('Try again').click()
    await expect.element(button('Open')).toBeVisible()
  })
})

test('behavior: the rows of recently used wallets lead to them', async () => {
  const app = await showHere()
  app.store.setState({
    recentWallets: [{ id: 'walletConnect', walletId: '0'.repeat(64), name: 'Alder' }],
  })
  await open()
  expect(topView(app.store.getState())).toBe('Connect')
  await button('Alder Recent').click()
  await expect.element(page.getByRole('dialog', { name: 'Alder' })).toBeVisible()
  await expect.poll(() => pairing.latest().wallet?.name).toBe('Alder')
})

describe('a wallet elsewhere that is connected', () => {
  const wallet = { name: 'Alder', walletId: '0'.repeat(64) }

  async function showConnected(phone?: ReturnType<typeof phonePage>) {
    pairing = createFakePairing({ firstUri: uri('a') })
    const app = await show(testApp({}, {}, { pairing, ...(phone && { page: phone }) }))
    const connected = connect(app, { connectorId: 'walletConnect' })
    await expect.poll(() => pairing.attempts.length).toBe(1)
    pairing.latest().approve({ wallet })
    await connected
    return app
  }

  test('behavior: the account names it, not the way to it', async () => {
    const app = await showConnected()
    openModal(app)
    await expect.element(dialog().getByText('Connected with Alder')).toBeVisible()
    expect(await violations()).toEqual([])
  })

  test('behavior: what waits in it says where to answer', async () => {
    const app = await showConnected()
    openModal(app, { view: { name: 'SwitchNetwork', chainId: 'eip155:31338' } })
    await expect
      .element(dialog().getByText('Open Alder on your phone and respond to the request there.'))
      .toBeVisible()
    expect(button('Open Alder').query()).toBeNull()
  })

  test('behavior: a sending that waits in it says so', async () => {
    const app = await showConnected()
    setSendDraft(app, { amount: '1', receiverAddress: bob })
    openModal(app, { view: { name: 'SendPreview' } })
    await dialog().getByRole('button', { name: 'Send', exact: true }).click()
    await expect.element(dialog().getByText(/^Open Alder on your phone/)).toBeVisible()
    expect(await violations()).toEqual([])
  })

  test('behavior: on the phone itself a button brings it to the front', async () => {
    const phone = phonePage()
    const app = await showConnected(phone)
    app.storage.set('walletLink', { href: 'alder://', name: 'Alder' })
    openModal(app, { view: { name: 'SwitchNetwork', chainId: 'eip155:31338' } })
    await button('Open Alder').click()
    expect(phone.opened.at(-1)?.[0]).toBe('alder://')
  })
})
