import { LatchkeyError } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { email, logIn, openEmailApp } from '../../test/emailApp.ts'
import { createFakeFrame } from '../../test/fakeFrame.ts'
import { alice } from '../../test/fakeWallet.ts'
import { createBrowser } from '../../test/tab.ts'
import { askRecovery } from './askRecovery.ts'

/** A frame whose wallet has no way of recovery. */
function createBareFrame() {
  const frame = createFakeFrame()
  frame.handlers.APP_GET_USER = ({ chainId = 31337 }) => ({
    email,
    address: alice,
    chainId,
    isRecoverable: false,
  })
  return frame
}

const questions = ({ calls }: ReturnType<typeof createFakeFrame>) =>
  calls.filter(({ method }) => method === 'APP_OPEN').map(({ params }) => params)

test('default: the question appears once a visit, and once for several calls', async () => {
  const frame = createBareFrame()
  const app = openEmailApp(frame)
  await logIn(app)
  expect(app.store.getState().user).toEqual({ email, isRecoverable: false })
  await Promise.all([askRecovery(app), askRecovery(app)])
  await askRecovery(app)
  expect(questions(frame)).toEqual([{ page: 'back-up' }])
  app.destroy()
})

test('behavior: the next visit knows it before the frame has loaded, until recovery is set up', async () => {
  const browser = createBrowser()
  const frame = createBareFrame()
  const first = openEmailApp(frame, browser.openTab())
  await logIn(first)
  first.destroy()
  const app = openEmailApp(frame, browser.openTab())
  expect(app.store.getState().user).toEqual({ email, isRecoverable: false })
  await expect.poll(() => app.store.getState().connections.eip155.status).toBe('connected')
  frame.handlers.APP_OPEN = () => {
    frame.emit('FRAME_RECOVERY', { isRecoverable: true })
    return {}
  }
  await askRecovery(app)
  expect(app.store.getState().user).toEqual({ email, isRecoverable: true })
  expect(app.storage.get('lacksRecovery')).toBeUndefined()
  app.destroy()
})

test('error: a question that could not be shown appears again', async () => {
  const frame = createBareFrame()
  const app = openEmailApp(frame)
  await logIn(app)
  frame.handlers.APP_OPEN = () => {
    throw new LatchkeyError('SIGNED_OUT')
  }
  await expect(askRecovery(app)).rejects.toMatchObject({ code: 'SIGNED_OUT' })
  delete frame.handlers.APP_OPEN
  await askRecovery(app)
  expect(questions(frame).length).toBe(2)
  app.destroy()
})

test('behavior: a question that the user closes is not answered', async () => {
  const frame = createBareFrame()
  const app = openEmailApp(frame)
  await logIn(app)
  frame.handlers.APP_OPEN = () => {
    throw new LatchkeyError('USER_REJECTED')
  }
  await expect(askRecovery(app)).rejects.toMatchObject({ code: 'USER_REJECTED' })
  delete frame.handlers.APP_OPEN
  await askRecovery(app)
  // News about the user, such as another email address, are no reason to ask again.
  frame.emit('FRAME_EMAIL', { email: 'ada@other.example' })
  await askRecovery(app)
  expect(questions(frame).length).toBe(2)
  app.destroy()
})

test('behavior: an address of another wallet is given out without the question', async () => {
  const frame = createBareFrame()
  const app = openEmailApp(frame)
  await logIn(app)
  await askRecovery(app, { address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
  expect(questions(frame)).toEqual([])
  await askRecovery(app, { address: alice })
  expect(questions(frame).length).toBe(1)
  app.destroy()
})

test('behavior: a wallet with a way of recovery asks nothing', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame)
  await logIn(app)
  await askRecovery(app)
  expect(questions(frame)).toEqual([])
  app.destroy()
})
