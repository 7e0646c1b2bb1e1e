import { expect, onTestFinished, test, vi } from 'vitest'
import { logIn, openEmailApp } from '../../../test/emailApp.ts'
import { createFakeFrame, frameOrigin } from '../../../test/fakeFrame.ts'
import { alice, bob } from '../../../test/fakeWallet.ts'
import { settle } from '../../../test/tab.ts'
import type { App } from '../../app.ts'
import { getFrame } from './getFrame.ts'

const address = (app: App) => {
  const connection = app.store.getState().connections.eip155
  return 'account' in connection ? connection.account.address : undefined
}

const user = { email: 'eve@evil.example', address: bob, chainId: 31337 }

/** Forged messages that another window may send to impersonate the frame. */
const forgeries = [
  { type: '@w3m-frame/GET_USER_SUCCESS', id: '1', payload: user },
  { type: 'FRAME_GET_USER_SUCCESS', id: '1', payload: user },
  { kind: 'result', sequence: 99, id: '0'.repeat(32), result: user },
  { kind: 'event', sequence: 99, name: 'FRAME_SIGNED_OUT', data: {} },
  { kind: 'event', sequence: 99, name: 'FRAME_EMAIL', data: { email: 'eve@evil.example' } },
  { latchkey: 'ready' },
]

test('forged answers: messages of an ad, an opener and the frame’s own window change nothing', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame)
  await logIn(app)
  const before = app.store.getState()
  const sources = [
    { source: {}, origin: 'https://ads.example' },
    { source: {}, origin: frameOrigin },
    { source: null, origin: 'null' },
    { source: frame.window, origin: 'https://evil.example' },
    { source: frame.window, origin: `${frameOrigin}.evil.example` },
  ]
  const { port1, port2 } = new MessageChannel()
  for (const from of sources)
    for (const forgery of forgeries)
      for (const data of [forgery, JSON.stringify(forgery)])
        frame.forge({ ...from, data, ports: [port2] })
  // The frame's window has sent its only message outside of its port.
  for (const forgery of forgeries.slice(0, 5))
    for (const data of [forgery, JSON.stringify(forgery)])
      frame.forge({ source: frame.window, origin: frameOrigin, data })
  await settle()
  expect(address(app)).toBe(alice)
  expect(app.store.getState()).toEqual(before)
  port1.close()
  app.destroy()
})

test('forged answers: while the frame loads, no other window can be greeted in its place', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame)
  const opening = getFrame(app)
  await settle()
  frame.forge({
    source: {},
    origin: frameOrigin,
    data: JSON.stringify({ latchkey: 'ready' }),
  })
  const { request } = await opening
  expect(await request('APP_IS_CONNECTED', {})).toEqual({ isConnected: false })
  app.destroy()
})

test('replayed messages: an answer that no schema knows is an error, and pollutes nothing', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame)
  const { request } = await getFrame(app)
  const answers = [
    JSON.parse('{"address":1,"chainId":31337}'),
    JSON.parse('{"__proto__":{"address":"0x1"},"chainId":31337}'),
    null,
    'text',
  ]
  for (const answer of answers) {
    frame.handlers.APP_GET_USER = () => answer
    await expect(request('APP_GET_USER', {})).rejects.toThrow()
  }
  expect({}).not.toHaveProperty('address')
  app.destroy()
})

test('replayed messages: a request over the pending limit or the size limit is refused, others continue', async () => {
  const frame = createFakeFrame()
  frame.handlers.APP_CONNECT_DEVICE = () => new Promise(() => {})
  const app = openEmailApp(frame)
  const { request } = await getFrame(app)
  await settle()
  const open = Array.from({ length: 64 }, () => request('APP_CONNECT_DEVICE', {}))
  for (const each of open) each.catch(() => {})
  await expect(request('APP_IS_CONNECTED', {})).rejects.toMatchObject({ code: 'CHANNEL_BUSY' })
  const large = createFakeFrame()
  const other = openEmailApp(large)
  const line = await getFrame(other)
  await expect(
    line.request('APP_RPC_REQUEST', { method: 'personal_sign', params: ['x'.repeat(2 ** 21)] }),
  ).rejects.toMatchObject({ code: 'MESSAGE_TOO_LARGE' })
  expect(await line.request('APP_IS_CONNECTED', {})).toEqual({ isConnected: false })
  app.destroy()
  other.destroy()
})

test('replayed messages: cyclic and bigint params are refused or written as hex, before anything is sent', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame)
  await logIn(app)
  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic
  const { request } = await import('../../connection/requests/request.ts')
  await expect(request(app, { method: 'eth_call', params: [cyclic] })).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
  })
  await request(app, { method: 'eth_call', params: [{ value: 10n }] })
  expect(frame.calls.at(-1)?.params).toMatchObject({ params: [{ value: '0xa' }] })
  app.destroy()
})

test('error: the browser shows an error page: given up after five seconds', async () => {
  const frame = createFakeFrame()
  frame.isAway = true
  const waits: number[] = []
  const app = openEmailApp(frame, {
    sleep: async (ms) => {
      waits.push(ms)
    },
  })
  await expect(getFrame(app)).rejects.toMatchObject({
    code: 'FRAME_NOT_LOADED',
    message: `The browser or a blocker kept ${new URL(app.config.frameUrl ?? '').host} from loading. The wallet needs it`,
  })
  expect(waits).toEqual([5_000])
  await expect(getFrame(app)).rejects.toMatchObject({ code: 'FRAME_NOT_LOADED' })
  expect(app.warnings).toEqual([
    "The secure frame of https://frame.example (`frameUrl`) did not load on ORIGIN. Check that this is exactly the server's FRAME_URL. List this page in the project: `npx latchkey project add --id local --name NAME --origin ORIGIN`, with the project's other origins. Allow the frame in `frame-src` of this page's content security policy",
  ])
  frame.isAway = false
  expect(app.runtime.frame).toBeUndefined()
  app.destroy()
})

test('error: the server does not respond: given up after twenty seconds', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const frame = createFakeFrame()
  frame.isAway = true
  // The page of the frame is never loaded.
  const app = openEmailApp(frame, { sleep: () => new Promise(() => {}) })
  let code: unknown
  getFrame(app).catch((error) => {
    code = error.code
  })
  while (frame.placed.length === 0) await vi.advanceTimersByTimeAsync(0)
  await vi.advanceTimersByTimeAsync(19_000)
  expect(code).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(code).toBe('FRAME_NOT_LOADED')
  app.destroy()
})
