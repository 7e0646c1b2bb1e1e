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
