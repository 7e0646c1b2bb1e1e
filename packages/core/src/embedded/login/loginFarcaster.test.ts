import { LatchkeyError } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { openEmailApp, views } from '../../../test/emailApp.ts'
import { createFakeFrame } from '../../../test/fakeFrame.ts'
import { openModal } from '../../modal/modal.ts'
import { askSocial } from './askSocial.ts'
import { loginFarcaster } from './loginFarcaster.ts'

const asked = (frame: ReturnType<typeof createFakeFrame>) => frame.calls.map(({ method }) => method)

test('default: reports the address, and the accounts are connected', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame)
  const counted: unknown[] = []
  app.runtime.analytics = Promise.resolve((one) => void counted.push(one))
  openModal(app)
  askSocial(app, { provider: 'farcaster' })
  expect(views(app)).toEqual(['Connect', 'ConnectingFarcaster'])
  const told: string[] = []
  const { signal } = new AbortController()
  const onUrl = (url: string) => told.push(url)
  await loginFarcaster(app, { onUrl, onSigned: () => told.push('signed'), signal })
  expect(told).toEqual(['https://farcaster.example/~/siwf?channelToken=one', 'signed'])
  const { connections, modal } = app.store.getState()
  expect([connections.eip155.status, modal.open]).toEqual(['connected', false])
  expect(asked(frame)).not.toContain('APP_RELOAD')
  const event = { event: 'SOCIAL_LOGIN_SUCCESS', properties: { provider: 'farcaster' } }
  await expect.poll(() => counted).toContainEqual(event)
  app.destroy()
})

test('behavior: left before its end, the frame is loaded again after 100 ms', async () => {
  const frame = createFakeFrame()
  const slept: number[] = []
  let wake = () => {}
  const sleep = (ms: number) => {
    slept.push(ms)
    return new Promise<void>((done) => {
      wake = done
    })
  }
  const app = openEmailApp(frame, { sleep })
  frame.handlers.APP_CONNECT_FARCASTER = () => new Promise(() => {})
  const controller = new AbortController()
  const { signal } = controller
  const login = loginFarcaster(app, { onUrl: () => {}, onSigned: () => {}, signal })
  login.catch(() => {})
  await expect.poll(() => asked(frame)).toContain('APP_CONNECT_FARCASTER')
  controller.abort()
  await expect(login).rejects.toMatchObject({ code: 'ABORTED' })
  await expect.poll(() => slept).toContain(100)
  expect(asked(frame)).not.toContain('APP_RELOAD')
  wake()
  await expect.poll(() => asked(frame)).toContain('APP_RELOAD')
  app.destroy()
})

test('error: an address of no web page is not told, and a refusal is said', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame)
  const told: string[] = []
  const { signal } = new AbortController()
  const login = () =>
    loginFarcaster(app, { onUrl: (url) => told.push(url), onSigned: () => {}, signal })
  frame.handlers.APP_GET_FARCASTER_URI = () => ({ url: 'javascript:alert(1)' })
  await expect(login()).rejects.toMatchObject({ code: 'ANSWER_INVALID' })
  expect(told).toEqual([])
  delete frame.handlers.APP_GET_FARCASTER_URI
  frame.handlers.APP_CONNECT_FARCASTER = () => {
    throw new LatchkeyError('LOGIN_ENDED')
  }
  await expect(login()).rejects.toMatchObject({ code: 'LOGIN_ENDED' })
  app.destroy()
})
