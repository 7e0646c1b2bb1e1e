import { LatchkeyError } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { logIn, openEmailApp, views } from '../../../test/emailApp.ts'
import { createFakeFrame } from '../../../test/fakeFrame.ts'
import { alice } from '../../../test/fakeWallet.ts'
import { createPage, userAgents } from '../../../test/page.ts'
import { createBrowser, settle } from '../../../test/tab.ts'
import { openModal } from '../../modal/modal.ts'
import { goBack } from '../../modal/navigate.ts'
import { followAccount } from '../followAccount.ts'
import { signOut } from '../signOut.ts'
import { askSocial } from './askSocial.ts'
import { loginSocial, loginSocialInTab } from './loginSocial.ts'

/** An app on a page whose windows the test controls. */
function openPage(windows: ({ closed: boolean; location: { href: string } } | null)[]) {
  const frame = createFakeFrame()
  const page = createPage()
  let opened = 0
  page.open = () => {
    const next = windows[opened++]
    return next && Object.assign(next, { close: () => Object.assign(next, { closed: true }) })
  }
  const app = openEmailApp(frame, { page })
  openModal(app)
  return { app, frame }
}
const createWindow = () => ({ closed: false, location: { href: 'about:blank' } })
const asked = (app: ReturnType<typeof openPage>['app']) => {
  const top = app.store.getState().modal.history.at(-1)
  if (top?.name !== 'ConnectingSocial' || !top.request) throw new Error(`on ${top?.name}`)
  return top.request.answer
}

test('default: the window opens in the click and goes to the frame’s URL, and the accounts are connected', async () => {
  const opened = createWindow()
  const { app, frame } = openPage([opened])
  const counted: unknown[] = []
  app.runtime.analytics = Promise.resolve((one) => void counted.push(one))
  askSocial(app, { provider: 'google' })
  expect(views(app)).toEqual(['Connect', 'ConnectingSocial'])
  await asked(app)
  expect(opened.location.href).toBe('https://frame.example/social#tx')
  expect(frame.calls.map(({ method }) => method)).toContain('APP_CONNECT_SOCIAL')
  const { connections, modal } = app.store.getState()
  expect(connections.eip155).toMatchObject({ status: 'connected', accounts: [{ address: alice }] })
  expect(modal.open).toBe(false)
  const event = { event: 'SOCIAL_LOGIN_SUCCESS', properties: { provider: 'google' } }
  await expect.poll(() => counted).toContainEqual(event)
  app.destroy()
})

test('default: the provider and the user name are kept, also after a reload, until the login ends', async () => {
  const browser = createBrowser()
  const frame = createFakeFrame()
  frame.handlers.APP_GET_USER = ({ chainId = 31337 }) => ({
    ...{ userName: 'ada', address: alice, chainId },
    accounts: [{ address: alice, type: 'smartAccount' as const }],
    smartAccountDeployed: true,
  })
  const user = { username: 'ada', socialProvider: 'github' }
  const before = openEmailApp(frame, browser.openTab())
  openModal(before)
  await loginSocial(before, { provider: 'github', opened: { ...createWindow(), close() {} } })
  expect(before.store.getState().user).toEqual(user)
  expect(before.storage.get('social')).toEqual(user)
  expect(before.store.getState().connections.eip155).toMatchObject({
    account: { type: 'smartAccount', deployed: { 'eip155:31337': true } },
  })
  before.destroy()
  const app = openEmailApp(frame, browser.openTab())
  expect(app.store.getState().user).toEqual(user)
  await expect.poll(() => app.store.getState().connections.eip155.status).toBe('connected')
  expect(app.store.getState().user).toEqual(user)
  await signOut(app)
  expect(app.store.getState().user).toBeUndefined()
  expect(app.storage.get('social')).toBeUndefined()
  app.destroy()
})

test('behavior: a user of another name, and a login by email, have no provider from before', async () => {
  const frame = createFakeFrame()
  let userName = 'ada'
  frame.handlers.APP_GET_USER = ({ chainId = 31337 }) => ({ userName, address: alice, chainId })
  const app = openEmailApp(frame)
  openModal(app)
  await loginSocial(app, { provider: 'github', opened: { ...createWindow(), close() {} } })
  userName = 'bob'
  await followAccount(app)
  expect(app.store.getState().user).toEqual({ username: 'bob' })
  await loginSocial(app, { provider: 'google', opened: { ...createWindow(), close() {} } })
  expect(app.store.getState().user).toEqual({ username: 'bob', socialProvider: 'google' })
  await logIn(app)
  expect(app.store.getState().user).toEqual({ username: 'bob' })
  app.destroy()
})

test('error: a window that the browser kept back', async () => {
  const { app, frame } = openPage([null])
  askSocial(app, { provider: 'google' })
  await expect(asked(app)).rejects.toMatchObject({ code: 'CHANNEL_CLOSED' })
  expect(frame.calls).toEqual([])
  app.destroy()
})

test('error: an address of another origin is not opened, and what the provider refuses closes the window', async () => {
  const [first, second] = [createWindow(), createWindow()]
  const { app, frame } = openPage([first, second])
  frame.handlers.APP_GET_SOCIAL_REDIRECT_URI = () => ({ uri: 'https://evil.example/social#tx' })
  askSocial(app, { provider: 'google' })
  await expect(asked(app)).rejects.toMatchObject({ code: 'ANSWER_INVALID' })
  expect(first).toMatchObject({ closed: true, location: { href: 'about:blank' } })
  delete frame.handlers.APP_GET_SOCIAL_REDIRECT_URI
  frame.handlers.APP_CONNECT_SOCIAL = () => {
    throw new LatchkeyError('USER_REJECTED')
  }
  goBack(app)
  askSocial(app, { provider: 'github' })
  await expect(asked(app)).rejects.toMatchObject({ code: 'USER_REJECTED' })
  expect(second.closed).toBe(true)
  app.destroy()
})

test('behavior: leaving the view closes the window and gives the login up', async () => {
  const opened = createWindow()
  const { app, frame } = openPage([opened])
  let ended: AbortSignal | undefined
  frame.handlers.APP_CONNECT_SOCIAL = (_, { signal }) => {
    ended = signal
    return new Promise(() => {})
  }
  askSocial(app, { provider: 'google' })
  const answer = asked(app)
  answer.catch(() => {})
  await expect.poll(() => ended).toBeDefined()
  goBack(app)
  expect(opened.closed).toBe(true)
  await expect(answer).rejects.toMatchObject({ code: 'ABORTED' })
  await settle()
  expect(ended?.aborted).toBe(true)
  app.destroy()
})

const challenge = 'C'.repeat(43)
const browser = () => createBrowser().openTab()
const back = (path = '/swap', own = '') =>
  `https://app.example${path}#latchkey-login=github.${challenge}${own}`

test('behavior: the page’s own tab goes to the provider, with its return URL', async () => {
  const frame = createFakeFrame()
  const page = createPage()
  const app = openEmailApp(frame, { page })
  void loginSocialInTab(app, { provider: 'github' })
  await expect.poll(() => page.assigned).toEqual(['https://frame.example/social#tx'])
  expect(
    frame.calls.find(({ method }) => method === 'APP_GET_SOCIAL_REDIRECT_URI')?.params,
  ).toEqual({ provider: 'github', returnUrl: 'https://app.example/swap?from=eth', inTab: true })
  frame.handlers.APP_GET_SOCIAL_REDIRECT_URI = () => ({ uri: 'https://evil.example/social#tx' })
  await expect(loginSocialInTab(app, { provider: 'github' })).rejects.toMatchObject({
    code: 'ANSWER_INVALID',
  })
  expect(page.assigned).toHaveLength(1)
  app.destroy()
})

test('param: an address that is too long to be carried comes back without its parameters', async () => {
  const frame = createFakeFrame()
  const page = createPage()
  Object.assign(page.location, { href: `https://app.example/swap?from=${'é'.repeat(1_000)}#x` })
  const app = openEmailApp(frame, { page })
  void loginSocialInTab(app, { provider: 'github' })
  const asked = () =>
    frame.calls.flatMap(({ params }) => (params as { returnUrl?: string }).returnUrl ?? [])
  await expect.poll(asked).toEqual([`https://app.example/swap?from=${'é'.repeat(1_000)}#x`])
  Object.assign(page.location, { href: `https://app.example/swap?from=${'a'.repeat(2_000)}#x` })
  void loginSocialInTab(app, { provider: 'github' })
  await expect.poll(() => asked().at(-1)).toBe('https://app.example/swap')
  app.destroy()
})

test('behavior: a page that comes back continues the login, and has its own fragment again', async () => {
  const frame = createFakeFrame()
  const page = createPage()
  Object.assign(page.location, { href: back('/swap?from=eth', '&/route?a=b') })
  const app = openEmailApp(frame, { page, ...browser() })
  const counted: unknown[] = []
  app.runtime.analytics = Promise.resolve((one) => void counted.push(one))
  await expect.poll(() => app.store.getState().connections.eip155.status).toBe('connected')
  const event = { event: 'SOCIAL_LOGIN_SUCCESS', properties: { provider: 'github' } }
  await expect.poll(() => counted).toContainEqual(event)
  expect(page.location.href).toBe('https://app.example/swap?from=eth#/route?a=b')
  expect(frame.calls.find(({ method }) => method === 'APP_RETURN_SOCIAL')?.params).toEqual({
    challenge,
  })
  expect(frame.calls.find(({ method }) => method === 'APP_CONNECT_SOCIAL')?.params).toEqual({
    uri: 'https://frame.example/social#tx',
  })
  expect(app.store.getState().modal.open).toBe(false)
  app.destroy()
})

test('behavior: a tab that only carried the login back closes; the waiting tab continues', async () => {
  const frame = createFakeFrame()
  const page = createPage()
  Object.assign(page.location, { href: back() })
  frame.handlers.APP_RETURN_SOCIAL = () => ({})
  const app = openEmailApp(frame, { page, ...browser() })
  await expect.poll(() => page.isClosed).toBe(true)
  expect(frame.calls.map(({ method }) => method)).not.toContain('APP_CONNECT_SOCIAL')
  app.destroy()
})

test('error: a login that this browser did not begin is refused, and another fragment is left alone', async () => {
  const frame = createFakeFrame()
  const page = createPage()
  Object.assign(page.location, { href: back() })
  frame.handlers.APP_RETURN_SOCIAL = () => {
    throw new LatchkeyError('LOGIN_ENDED')
  }
  const app = openEmailApp(frame, { page, ...browser() })
  await expect.poll(() => views(app)).toEqual(['ConnectingSocial'])
  await expect(asked(app)).rejects.toMatchObject({ code: 'LOGIN_ENDED' })
  expect(page.location.href).toBe('https://app.example/swap')
  app.destroy()
  for (const own of [`latchkey-login=myspace.${challenge}`, 'latchkey-login=github.short']) {
    const other = createPage()
    const href = `https://app.example/#${own}`
    Object.assign(other.location, { href })
    const next = openEmailApp(createFakeFrame(), { page: other, ...browser() })
    await settle()
    expect([other.location.href, next.store.getState().modal.open]).toEqual([href, false])
    next.destroy()
  }
})

test('param: in an in-app browser the page navigates at once; a provider that refuses it is not requested', async () => {
  const frame = createFakeFrame()
  const page = createPage({ userAgent: `${userAgents.android}; wv)` })
  const app = openEmailApp(frame, { page })
  openModal(app)
  askSocial(app, { provider: 'google' })
  expect(app.store.getState().modal.history.at(-1)).toMatchObject({ isRefused: true })
  expect(page.opened).toEqual([])
  expect(frame.calls).toEqual([])
  askSocial(app, { provider: 'github' })
  expect(app.store.getState().modal.history.at(-1)).toMatchObject({ inTab: true })
  await expect.poll(() => page.assigned).toEqual(['https://frame.example/social#tx'])
  expect(
    frame.calls.find(({ method }) => method === 'APP_GET_SOCIAL_REDIRECT_URI')?.params,
  ).toMatchObject({ provider: 'github', inTab: true })
  expect(page.opened).toEqual([])
  app.destroy()
})
