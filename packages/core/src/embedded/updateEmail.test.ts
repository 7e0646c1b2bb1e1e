import { afterEach, expect, test, vi } from 'vitest'
import { email, logIn, openEmailApp, views } from '../../test/emailApp.ts'
import { createFakeFrame } from '../../test/fakeFrame.ts'
import { alice, bob } from '../../test/fakeWallet.ts'
import { createBrowser, settle } from '../../test/tab.ts'
import { openModal } from '../modal/modal.ts'
import { pushView } from '../modal/navigate.ts'
import { openFramePage } from './openFramePage.ts'
import { confirmNewEmail, confirmPresentEmail, updateEmail } from './updateEmail.ts'

afterEach(() => void vi.useRealTimers())

test('default: both codes, then the new address', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame, createBrowser().openTab())
  await logIn(app)
  openModal(app)
  pushView(app, { name: 'UpdateEmail' })
  await updateEmail(app, { email: 'new@mail.example' })
  expect(views(app).at(-1)).toBe('UpdateEmailPrimaryOtp')
  expect(app.store.getState().user).toEqual({ email })
  await confirmPresentEmail(app)
  expect(views(app).at(-1)).toBe('UpdateEmailSecondaryOtp')
  expect(await confirmNewEmail(app)).toBe('new@mail.example')
  expect(app.store.getState().user).toEqual({ email: 'new@mail.example' })
  expect(app.storage.get('email')).toBe('new@mail.example')
  app.destroy()
})

test('param: otp: the user types the codes on the page', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame)
  await logIn(app)
  frame.handlers.APP_UPDATE_EMAIL = () => ({ action: 'VERIFY_SECONDARY_OTP' })
  await updateEmail(app, { email: 'new@mail.example' })
  expect(views(app)).toEqual(['UpdateEmailSecondaryOtp'])
  await confirmNewEmail(app, { otp: '123456' })
  expect(frame.calls.at(-1)?.params).toEqual({ otp: '123456' })
  app.destroy()
})

test.each([
  ['present', 'APP_UPDATE_EMAIL_PRIMARY_OTP', confirmPresentEmail],
  ['new', 'APP_UPDATE_EMAIL_SECONDARY_OTP', confirmNewEmail],
] as const)(
  'param: otp: a code of the %s address that was typed on the page times out after 30 s',
  async (_, method, confirm) => {
    const frame = createFakeFrame()
    const app = openEmailApp(frame)
    await logIn(app)
    frame.handlers[method] = () => new Promise<never>(() => {})
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const refusals: unknown[] = []
    confirm(app, { otp: '123456' }).catch((error: unknown) => refusals.push(error))
    // Typed in the frame, it takes as long as the user needs.
    confirm(app).catch((error: unknown) => refusals.push(error))
    await vi.advanceTimersByTimeAsync(29_000)
    expect(refusals).toEqual([])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(refusals).toMatchObject([{ code: 'INTERNAL', cause: { code: 'TIMEOUT' } }])
    expect(app.store.getState().alert).toMatchObject({ code: 'FRAME_TIMEOUT' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(refusals).toHaveLength(1)
    app.destroy()
  },
)

test('behavior: an address that was changed inside the frame', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame)
  await logIn(app)
  frame.emit('FRAME_EMAIL', { email: 'other@mail.example' })
  await settle()
  expect(app.store.getState().user).toEqual({ email: 'other@mail.example' })
  app.destroy()
})

test('behavior: a smart account that was turned on inside the frame, for this account alone', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame)
  await logIn(app)
  const read = () => app.store.getState().connections.eip155
  const before = read()
  expect(before).toMatchObject({ status: 'connected', account: { type: 'eoa' } })
  frame.emit('FRAME_ACCOUNT_TYPE', { address: bob, type: 'smartAccount' })
  await settle()
  expect(read()).toEqual(before)
  frame.emit('FRAME_ACCOUNT_TYPE', { address: alice, type: 'smartAccount' })
  await settle()
  expect(read()).toMatchObject({ account: { address: alice, type: 'smartAccount' } })
  expect(app.storage.get('connections')?.eip155?.accounts[0]).toMatchObject({
    type: 'smartAccount',
  })
  expect(app.storage.get('preferredAccountTypes')).toEqual({ eip155: 'smartAccount' })
  app.destroy()
})

test('behavior: a page of the frame', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame)
  await logIn(app)
  await openFramePage(app, { page: 'devices' })
  expect(frame.calls.at(-1)).toEqual({ method: 'APP_OPEN', params: { page: 'devices' } })
  app.destroy()
})

test('error: no address, and a mail too soon', async () => {
  const app = openEmailApp(createFakeFrame(), { now: () => 5_000_000 })
  await logIn(app)
  await expect(updateEmail(app, { email: 'nobody' })).rejects.toMatchObject({
    code: 'EMAIL_INVALID',
  })
  await updateEmail(app, { email: 'new@mail.example' })
  await expect(updateEmail(app, { email: 'new@mail.example' })).rejects.toThrow(
    'Please try again after 30 seconds',
  )
  app.destroy()
})
