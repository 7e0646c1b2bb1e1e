import { LatchkeyError } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { openEmailApp } from '../../../test/emailApp.ts'
import { createFakeFrame } from '../../../test/fakeFrame.ts'
import { alice } from '../../../test/fakeWallet.ts'
import { openModal } from '../../modal/modal.ts'
import { loginPasskey } from './loginPasskey.ts'

test('default: the frame prompts for the passkey, and the accounts are connected', async () => {
  const app = openEmailApp(createFakeFrame())
  openModal(app)
  await loginPasskey(app, {})
  const { connections, modal } = app.store.getState()
  expect(connections.eip155).toMatchObject({ status: 'connected', accounts: [{ address: alice }] })
  expect(modal.open).toBe(false)
  app.destroy()
})

test('param: with create, a new passkey begins an account; otherwise, a passkey signs in to an account', async () => {
  const frame = createFakeFrame()
  const asked: unknown[] = []
  frame.handlers.APP_CONNECT_PASSKEY = (params) => {
    asked.push(params)
    throw new LatchkeyError('USER_REJECTED')
  }
  const app = openEmailApp(frame)
  for (const parameters of [{ create: true }, {}, { create: false }])
    await loginPasskey(app, parameters).catch(() => {})
  expect(asked).toEqual([{ create: true }, {}, {}])
  app.destroy()
})

test('default: a passkey alone is enough for a login, without email and providers', async () => {
  const login = { email: false, socials: [], passkeyAccounts: true }
  const app = openEmailApp(createFakeFrame(), {}, { login })
  await loginPasskey(app, { create: true })
  expect(app.store.getState().connections.eip155).toMatchObject({ status: 'connected' })
  app.destroy()
})

test('error: closed without a passkey', async () => {
  const frame = createFakeFrame()
  frame.handlers.APP_CONNECT_PASSKEY = () => {
    throw new LatchkeyError('USER_REJECTED')
  }
  const app = openEmailApp(frame)
  await expect(loginPasskey(app, {})).rejects.toMatchObject({ code: 'USER_REJECTED' })
  expect(app.store.getState().connections.eip155.status).toBe('disconnected')
  app.destroy()
})
