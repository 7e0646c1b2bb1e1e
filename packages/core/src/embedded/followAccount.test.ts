import { LatchkeyError } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { logIn, openEmailApp } from '../../test/emailApp.ts'
import { createFakeFrame } from '../../test/fakeFrame.ts'
import { alice, bob } from '../../test/fakeWallet.ts'

const accountOf = (app: ReturnType<typeof openEmailApp>) => {
  const { eip155 } = app.store.getState().connections
  return eip155.status === 'connected' ? eip155.account.address : eip155.status
}

test('default: another wallet of the user is taken over', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame)
  await logIn(app)
  expect(accountOf(app)).toBe(alice)
  frame.handlers.APP_GET_USER = () => ({ address: bob, chainId: 31337 })
  frame.emit('FRAME_ACCOUNT', {})
  await expect.poll(() => accountOf(app)).toBe(bob)
  expect(app.storage.get('connections')?.eip155?.accounts).toMatchObject([{ address: bob }])
  app.destroy()
})

test('error: a wallet that the user does not bring into this browser', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame)
  await logIn(app)
  frame.handlers.APP_GET_USER = () => {
    throw new LatchkeyError('USER_REJECTED')
  }
  frame.emit('FRAME_ACCOUNT', {})
  await expect.poll(() => accountOf(app)).toBe('disconnected')
  expect(app.storage.get('connections')?.eip155).toBeUndefined()
  app.destroy()
})
