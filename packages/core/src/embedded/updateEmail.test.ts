import { expect, test } from 'vitest'
import { email, logIn, openEmailApp, views } from '../../test/emailApp.ts'
import { createFakeFrame } from '../../test/fakeFrame.ts'
import { createBrowser, settle } from '../../test/tab.ts'
import { openModal } from '../modal/modal.ts'
import { pushView } from '../modal/navigate.ts'
import { openFramePage } from './openFramePage.ts'
import { confirmNewEmail, confirmPresentEmail, updateEmail } from './updateEmail.ts'

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

test('param: otp, where the codes are typed on the page', async () => {
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

test('behavior: an address that was changed inside the frame', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame)
  await logIn(app)
  frame.emit('FRAME_EMAIL', { email: 'other@mail.example' })
  await settle()
  expect(app.store.getState().user).toEqual({ email: 'other@mail.example' })
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
