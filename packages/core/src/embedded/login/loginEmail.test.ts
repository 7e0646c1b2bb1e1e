import { LatchkeyError } from '@latchkey/wire'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { email, logIn, openEmailApp, views } from '../../../test/emailApp.ts'
import { carol, createFakeFrame } from '../../../test/fakeFrame.ts'
import { alice, neverSleep } from '../../../test/fakeWallet.ts'
import { createPage } from '../../../test/page.ts'
import { createBrowser, openApp, settle } from '../../../test/tab.ts'
import { embeddedId } from '../../connection/connectors/embedded.ts'
import { disconnect } from '../../connection/disconnect.ts'
import { openModal } from '../../modal/modal.ts'
import { closeModal } from '../../modal/navigate.ts'
import { setTheme } from '../../modal/setTheme.ts'
import { latchkeyOne, latchkeyTwo, solanaDevnet } from '../../networks.ts'
import { signOut } from '../signOut.ts'
import { findWrongCharacter, isEmail } from './isEmail.ts'
import { confirmDevice, confirmOtp, loginEmail, resendEmail } from './loginEmail.ts'
import { getPendingEmail } from './mailThrottle.ts'

afterEach(() => void vi.useRealTimers())

test('default: device, then code, then the accounts', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame)
  openModal(app)
  await loginEmail(app, { email: ` ${email} ` })
  expect(views(app)).toEqual(['Connect', 'EmailVerifyDevice'])
  expect(app.store.getState().login).toMatchObject({ email, matchCode: '42' })
  await confirmDevice(app)
  expect(views(app)).toEqual(['Connect', 'EmailVerifyOtp'])
  await confirmOtp(app)
  const { connections, user, modal, login } = app.store.getState()
  expect(connections.eip155).toMatchObject({
    status: 'connected',
    connectorId: embeddedId,
    chainId: 'eip155:31337',
    accounts: [{ namespace: 'eip155', address: alice, type: 'eoa' }],
  })
  expect({ user, open: modal.open, login }).toEqual({
    user: { email },
    open: false,
    login: undefined,
  })
  expect(frame.calls.find(({ method }) => method === 'APP_CONNECT_OTP')?.params).toEqual({})
  expect(frame.placed).toEqual(['load https://frame.example/f/local'])
  app.destroy()
})

test('param: otp: the user types the code on the page', async () => {
  const frame = createFakeFrame()
  frame.handlers.APP_CONNECT_EMAIL = () => ({ action: 'VERIFY_OTP' })
  const app = openEmailApp(frame, {}, { login: { otpSurface: 'host' } })
  await loginEmail(app, { email })
  expect(views(app)).toEqual(['EmailVerifyOtp'])
  frame.handlers.APP_CONNECT_OTP = () => {
    throw new LatchkeyError('CODE_WRONG')
  }
  await expect(confirmOtp(app, { otp: '000000' })).rejects.toMatchObject({ code: 'CODE_WRONG' })
  delete frame.handlers.APP_CONNECT_OTP
  await confirmOtp(app, { otp: '123456' })
  expect(app.store.getState().connections.eip155.status).toBe('connected')
  app.destroy()
})

test('param: otp: waits up to 30 s for the result of a code that was typed on the page', async () => {
  const frame = createFakeFrame()
  frame.handlers.APP_CONNECT_EMAIL = () => ({ action: 'VERIFY_OTP' })
  const app = openEmailApp(frame, {}, { login: { otpSurface: 'host' } })
  await loginEmail(app, { email })
  frame.handlers.APP_CONNECT_OTP = () => new Promise(() => {})
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let refusal: unknown
  confirmOtp(app, { otp: '123456' }).catch((error: unknown) => {
    refusal = error
  })
  await vi.advanceTimersByTimeAsync(29_000)
  expect(refusal).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(refusal).toMatchObject({ code: 'INTERNAL', cause: { code: 'TIMEOUT' } })
  expect(app.store.getState().alert).toMatchObject({ code: 'FRAME_TIMEOUT' })
  vi.useRealTimers()
  app.destroy()
})

test('behavior: a session that lives needs no mail', async () => {
  const frame = createFakeFrame()
  frame.isSignedIn = true
  const app = openEmailApp(frame)
  openModal(app)
  await loginEmail(app, { email })
  expect(app.store.getState().connections.eip155.status).toBe('connected')
  expect(app.store.getState().modal.open).toBe(false)
  app.destroy()
})

test('behavior: both namespaces that the app has, the selected one stays', async () => {
  const app = openEmailApp(createFakeFrame(), {}, { networks: [latchkeyOne, solanaDevnet] })
  await logIn(app)
  const { connections, activeChainId } = app.store.getState()
  expect(connections.solana).toMatchObject({ status: 'connected', account: { address: carol } })
  expect(connections.eip155).toMatchObject({ status: 'connected', account: { address: alice } })
  expect(activeChainId).toBe('eip155:31337')
  await disconnect(app, { namespace: 'solana' })
  expect(app.store.getState().connections.eip155.status).toBe('disconnected')
  expect(app.store.getState().user).toBeUndefined()
  app.destroy()
})

test('behavior: email login needs frameUrl, login.email and a network of a supported namespace', () => {
  const has = (app: ReturnType<typeof openApp>) => app.connectors.has(embeddedId)
  expect(has(openApp())).toBe(false)
  expect(has(openEmailApp(createFakeFrame(), {}, { login: { email: false } }))).toBe(false)
  expect(has(openEmailApp(createFakeFrame()))).toBe(true)
})

test('behavior: nothing of the frame is loaded before it is needed', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame, createBrowser().openTab())
  openModal(app)
  await settle()
  expect(frame.placed).toEqual([])
  expect(app.store.getState().frame).toBeUndefined()
})

test('behavior: a login saves email, last chain and account type, and clears the time of the last email', async () => {
  const browser = createBrowser()
  const app = openEmailApp(createFakeFrame(), browser.openTab())
  await loginEmail(app, { email })
  const { storage } = app
  expect(storage.get('lastEmailLoginMs')).toBeGreaterThan(0)
  expect(storage.get('emailLoginUsed')).toBeUndefined()
  await confirmDevice(app)
  await confirmOtp(app)
  await settle()
  expect(storage.get('email')).toBe(email)
  expect(storage.get('emailLoginUsed')).toBe(true)
  expect(storage.get('lastEmailLoginMs')).toBeUndefined()
  expect(storage.get('lastUsedChainId')).toBe('eip155:31337')
  expect(storage.get('preferredAccountTypes')).toEqual({ eip155: 'eoa' })
  expect(storage.get('smartAccountNetworks')).toBe('1,137')
  expect(storage.get('recentWallets')).toBeUndefined()
  app.destroy()
})

test('behavior: the frame keeps its known-device token in the page, and takes it back', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame, createBrowser().openTab())
  await logIn(app)
  frame.emit('FRAME_SESSION_UPDATE', { token: 'abc' })
  await settle()
  expect(app.storage.get('knownDevice')).toBe('abc')
  await signOut(app)
  expect(app.storage.get('knownDevice')).toBe('abc')
  frame.calls.length = 0
  await loginEmail(app, { email })
  expect(frame.calls.slice(0, 2)).toEqual([
    { method: 'APP_IS_CONNECTED', params: { token: 'abc' } },
    { method: 'APP_CONNECT_EMAIL', params: { email } },
  ])
  frame.emit('FRAME_SESSION_UPDATE', { token: null })
  await settle()
  expect(app.storage.get('knownDevice')).toBeUndefined()
  app.destroy()
})

test('behavior: a disconnect signs out and clears what was kept of the login', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame, createBrowser().openTab())
  await logIn(app)
  await signOut(app)
  const { storage } = app
  expect(frame.isSignedIn).toBe(false)
  expect(storage.get('email')).toBeUndefined()
  expect(storage.get('emailLoginUsed')).toBeUndefined()
  expect(storage.get('connections')).toEqual({})
  expect(app.store.getState().user).toBeUndefined()
  app.destroy()
})

test('behavior: at start the frame is loaded for a remembered login, and reconnects when it says so', async () => {
  const browser = createBrowser()
  const frame = createFakeFrame()
  const first = openEmailApp(frame, browser.openTab())
  await logIn(first)
  first.destroy()
  frame.calls.length = 0
  const app = openEmailApp(frame, browser.openTab())
  expect(app.store.getState()).toMatchObject({
    connections: { eip155: { status: 'reconnecting', account: { address: alice } } },
    user: { email },
  })
  await expect.poll(() => app.store.getState().connections.eip155.status).toBe('connected')
  const asked = frame.calls.map(({ method }) => method)
  expect(asked).toEqual([
    'APP_SYNC_DAPP_DATA',
    'APP_GET_SMART_ACCOUNT_ENABLED_NETWORKS',
    'APP_SYNC_THEME',
    'APP_IS_CONNECTED',
    'APP_GET_USER',
  ])
  expect(frame.calls[0]?.params).toMatchObject({
    projectId: 'local',
    sdkType: 'latchkey',
    sdkVersion: expect.stringMatching(/^react-\d+\.\d+\.\d+$/),
  })
  app.destroy()
})

test('behavior: reconnected in two namespaces, the selected network stays', async () => {
  const browser = createBrowser()
  const networks = [latchkeyOne, solanaDevnet] as const
  const frame = createFakeFrame()
  const first = openEmailApp(frame, browser.openTab(), { networks })
  await logIn(first)
  first.destroy()
  const app = openEmailApp(frame, browser.openTab(), { networks })
  const statuses = () => {
    const { eip155, solana } = app.store.getState().connections
    return [eip155.status, solana.status]
  }
  await expect.poll(statuses).toEqual(['connected', 'connected'])
  expect(app.store.getState().activeChainId).toBe('eip155:31337')
  app.destroy()
})

test('behavior: another tab takes the login over, and the end of it', async () => {
  const browser = createBrowser()
  const frame = createFakeFrame()
  const other = createFakeFrame()
  const tab = openEmailApp(other, browser.openTab())
  const app = openEmailApp(frame, browser.openTab())
  other.isSignedIn = true
  await logIn(app)
  await expect.poll(() => tab.store.getState().connections.eip155.status).toBe('connected')
  expect(tab.store.getState().user).toEqual({ email })
  await signOut(app)
  await expect.poll(() => tab.store.getState().connections.eip155.status).toBe('disconnected')
  expect(tab.store.getState().user).toBeUndefined()
  for (const each of [tab, app]) each.destroy()
})

test('behavior: a connection check that says no clears what was kept of the login', async () => {
  const browser = createBrowser()
  const frame = createFakeFrame()
  const first = openEmailApp(frame, browser.openTab())
  await logIn(first)
  first.destroy()
  frame.isSignedIn = false
  const app = openEmailApp(frame, browser.openTab())
  await expect.poll(() => app.store.getState().connections.eip155.status).toBe('disconnected')
  expect(app.storage.get('emailLoginUsed')).toBeUndefined()
  expect(app.storage.get('email')).toBeUndefined()
  expect(app.store.getState().user).toBeUndefined()
  app.destroy()
})

test('behavior: a frame that is away at start keeps the account, and is connected once it is back', async () => {
  const browser = createBrowser()
  const frame = createFakeFrame()
  const first = openEmailApp(frame, browser.openTab())
  await logIn(first)
  first.destroy()
  frame.isAway = true
  const page = createPage()
  const app = openEmailApp(frame, { ...browser.openTab(), sleep: neverSleep, page })
  const connection = () => app.store.getState().connections.eip155
  await expect.poll(connection).toMatchObject({ status: 'reconnecting', isUnreached: true })
  expect(app.storage.get('emailLoginUsed')).toBe(true)
  frame.isAway = false
  page.dispatchEvent(new Event('online'))
  await expect.poll(() => connection().status).toBe('connected')
  app.destroy()
})

test('behavior: signed out inside the frame, the page is disconnected', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame)
  await logIn(app)
  frame.emit('FRAME_SIGNED_OUT', {})
  await settle()
  expect(app.store.getState().connections.eip155.status).toBe('disconnected')
  expect(app.storage.get('emailLoginUsed')).toBeUndefined()
  app.destroy()
})

test('behavior: notifies the frame of the theme, and of each change', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame)
  await logIn(app)
  setTheme(app, { mode: 'light', variables: { '--lk-accent': '#123456' } })
  await settle()
  expect(frame.calls.filter(({ method }) => method === 'APP_SYNC_THEME').at(-1)?.params).toEqual({
    themeMode: 'light',
    themeVariables: { '--lk-accent': '#123456' },
    direction: 'ltr',
  })
  app.destroy()
})

test('error: another mail within 30 s is refused with the seconds that are left, rounded up', async () => {
  let nowMs = 1_000_000
  const frame = createFakeFrame()
  const app = openEmailApp(frame, { now: () => nowMs })
  await loginEmail(app, { email })
  for (const [passedMs, seconds] of [
    [0, 30],
    [1, 30],
    [1_000, 29],
    [29_001, 1],
  ] as const) {
    nowMs = 1_000_000 + passedMs
    await expect(loginEmail(app, { email: 'bob@mail.example' })).rejects.toThrow(
      `Please try again after ${seconds} seconds`,
    )
  }
  nowMs = 1_030_000
  await loginEmail(app, { email: 'bob@mail.example' })
  expect(frame.calls.filter(({ method }) => method === 'APP_CONNECT_EMAIL').length).toBe(2)
  nowMs = 500_000
  await loginEmail(app, { email })
  app.destroy()
})

test('behavior: after a reload, the address of a pending login is suggested for half an hour', async () => {
  let nowMs = 1_000_000
  const frame = createFakeFrame()
  const browser = createBrowser()
  const open = () => openEmailApp(frame, { ...browser.openTab(), now: () => nowMs })
  const first = open()
  expect(getPendingEmail(first)).toBeUndefined()
  await loginEmail(first, { email })
  first.destroy()
  const app = open()
  expect(getPendingEmail(app)).toBe(email)
  frame.handlers.APP_CONNECT_EMAIL = () => ({ action: 'VERIFY_OTP', resendSeconds: 25 })
  await loginEmail(app, { email })
  expect(views(app).at(-1)).toBe('EmailVerifyOtp')
  nowMs += 30 * 60_000
  expect(getPendingEmail(app)).toBeUndefined()
  nowMs -= 60_000
  await confirmOtp(app)
  expect(getPendingEmail(app)).toBeUndefined()
  app.destroy()
})

test('behavior: the server returns the cooldown until the next email, and another tab uses it too', async () => {
  let nowMs = 1_000_000
  const frame = createFakeFrame()
  frame.handlers.APP_CONNECT_EMAIL = () => ({ action: 'VERIFY_OTP', resendSeconds: 5 })
  const browser = createBrowser()
  const options = { now: () => nowMs }
  const app = openEmailApp(frame, { ...browser.openTab(), ...options })
  await loginEmail(app, { email })
  expect(app.store.getState().login?.resendAtMs).toBe(1_005_000)
  const other = openEmailApp(frame, { ...browser.openTab(), ...options })
  nowMs = 1_004_999
  for (const one of [app, other])
    await expect(loginEmail(one, { email: 'bob@mail.example' })).rejects.toThrow(
      'Please try again after 1 seconds',
    )
  nowMs = 1_005_000
  await loginEmail(other, { email: 'bob@mail.example' })
  app.destroy()
  other.destroy()
})

test('error: the frame refuses, and the time of a mail is not kept', async () => {
  const frame = createFakeFrame()
  frame.handlers.APP_CONNECT_EMAIL = () => {
    throw new LatchkeyError('LOGIN_THROTTLED', { data: { seconds: 12 } })
  }
  const app = openEmailApp(frame)
  await expect(loginEmail(app, { email })).rejects.toThrow('Please try again after 12 seconds')
  expect(app.storage.get('lastEmailLoginMs')).toBeUndefined()
  app.destroy()
})

test('error: no answer within 30 s is an alert, and something went wrong', async () => {
  vi.useFakeTimers()
  const frame = createFakeFrame()
  frame.handlers.APP_CONNECT_EMAIL = () => new Promise(() => {})
  const app = openEmailApp(frame)
  const failed = expect(loginEmail(app, { email })).rejects.toThrow('Something went wrong')
  await expect.poll(() => frame.calls.at(-1)?.method).toBe('APP_CONNECT_EMAIL')
  await vi.advanceTimersByTimeAsync(30_000)
  await failed
  expect(app.store.getState().alert).toEqual({
    code: 'FRAME_TIMEOUT',
    shortMessage: 'Invalid App Configuration',
    longMessage:
      'There was an issue loading the embedded wallet. Please verify that your domain is allowed',
    error: expect.any(LatchkeyError),
  })
  app.destroy()
})

test('error: the frame does not load, and is loaded again at the next use', async () => {
  const frame = createFakeFrame()
  frame.isAway = true
  const app = openEmailApp(frame, { sleep: async () => {} })
  await expect(loginEmail(app, { email })).rejects.toThrow('kept frame.example from loading')
  frame.isAway = false
  const again = openEmailApp(frame)
  await loginEmail(again, { email })
  app.destroy()
  again.destroy()
})

test('behavior: leaving the code calls it off', async () => {
  const frame = createFakeFrame()
  let given: AbortSignal | undefined
  frame.handlers.APP_CONNECT_OTP = (_params, { signal }) => {
    given = signal
    return new Promise(() => {})
  }
  const app = openEmailApp(frame)
  await loginEmail(app, { email })
  const leaving = new AbortController()
  const left = expect(confirmOtp(app, { signal: leaving.signal })).rejects.toMatchObject({
    code: 'ABORTED',
  })
  await expect.poll(() => given).toBeDefined()
  leaving.abort()
  await left
  await settle()
  expect(given?.aborted).toBe(true)
  app.destroy()
})

test('behavior: another mail of the same login', async () => {
  let nowMs = 1_000_000
  const frame = createFakeFrame()
  const app = openEmailApp(frame, { now: () => nowMs })
  await loginEmail(app, { email })
  nowMs += 40_000
  await resendEmail(app)
  expect(app.store.getState().login).toEqual({ email, matchCode: '42', resendAtMs: 1_070_000 })
  app.destroy()
})

test('behavior: closing the modal on the frame takes the frame away and tells it', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame)
  openModal(app)
  await loginEmail(app, { email })
  frame.emit('FRAME_SHOW', { view: 'code', title: 'Confirm email', height: 420 })
  await settle()
  expect(app.store.getState().frame?.frameView?.view).toBe('code')
  closeModal(app)
  await settle()
  expect(frame.placed.slice(1)).toEqual(['show Confirm email 420', 'hide'])
  expect(frame.calls.at(-1)?.method).toBe('APP_CLOSE')
  expect(app.store.getState().frame?.frameView).toBeUndefined()
  app.destroy()
})

test('isEmail: what has the form of an address, and what has not', () => {
  for (const text of ['a@b.co', 'ada.lovelace+x@mail.example', 'ü@bücher.example', "o'hara@x.org"])
    expect(isEmail(text)).toBe(true)
  for (const text of [
    '',
    'a',
    'a@b',
    '@b.co',
    'a@',
    'a@b..co',
    'a b@c.de',
    'a@b.co,c@d.ef',
    '<a@b.co>',
    'a@b@c.de',
  ])
    expect(isEmail(text)).toBe(false)
  fc.assert(fc.property(fc.string(), (text) => !isEmail(text) || !/[\s,;<>]/.test(text)))
})

test('findWrongCharacter: the first character that no address has', () => {
  for (const [text, character] of [
    ['ada lovelace@x.example', ' '],
    ['ada@x\u200b.example', '\u200b'],
    ['a@b.example;c@d.example', ';'],
    ['a@b@c.example', '@'],
    ['a@b', undefined],
    ['ada@x.example', undefined],
  ] as const)
    expect(findWrongCharacter(text)).toBe(character)
})

test('behavior: a pasted address is sent to the frame without what surrounds it', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame)
  await loginEmail(app, { email: `"Lovelace, Ada" <mailto:${email}>, ` })
  expect(frame.calls.find(({ method }) => method === 'APP_CONNECT_EMAIL')?.params).toEqual({
    email,
  })
  expect(app.store.getState().login).toMatchObject({ email })
  app.destroy()
})

test('behavior: an app without networks of its kinds', () => {
  const app = openEmailApp(createFakeFrame(), {}, { networks: [latchkeyTwo] })
  expect(app.connectors.get(embeddedId)?.info).toMatchObject({
    kind: 'embedded',
    namespaces: ['eip155'],
  })
})
