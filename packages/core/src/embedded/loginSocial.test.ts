import { LatchkeyError } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { openEmailApp, views } from '../../test/emailApp.ts'
import { createFakeFrame } from '../../test/fakeFrame.ts'
import { alice } from '../../test/fakeWallet.ts'
import { createPage } from '../../test/page.ts'
import { settle } from '../../test/tab.ts'
import { goBack, openModal } from '../modal/modal.ts'
import { askSocial } from './askSocial.ts'

/** An app on a page whose windows the test holds. */
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

test('default: the window opens in the click, goes where the frame says, and the accounts are there', async () => {
  const opened = createWindow()
  const { app, frame } = openPage([opened])
  askSocial(app, { provider: 'google' })
  expect(views(app)).toEqual(['Connect', 'ConnectingSocial'])
  await asked(app)
  expect(opened.location.href).toBe('https://frame.example/social#tx')
  expect(frame.calls.map(({ method }) => method)).toContain('APP_CONNECT_SOCIAL')
  const { connections, modal } = app.store.getState()
  expect(connections.eip155).toMatchObject({ status: 'connected', accounts: [{ address: alice }] })
  expect(modal.open).toBe(false)
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
