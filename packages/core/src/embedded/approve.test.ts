import { LatchkeyError } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { logIn, openEmailApp, views } from '../../test/emailApp.ts'
import { createFakeFrame } from '../../test/fakeFrame.ts'
import { alice, deferred } from '../../test/fakeWallet.ts'
import { settle } from '../../test/tab.ts'
import { request } from '../connection/requests/request.ts'
import { openModal } from '../modal/modal.ts'
import { closeModal, pushView } from '../modal/navigate.ts'
import { send } from '../send/send.ts'
import { signMessage } from '../send/sign.ts'

const signature = `0x${'ab'.repeat(65)}`

async function signedIn() {
  const frame = createFakeFrame()
  const app = openEmailApp(frame)
  await logIn(app)
  frame.calls.length = 0
  const asked: ReturnType<typeof deferred<unknown>>[] = []
  frame.handlers.APP_RPC_REQUEST = ({ method }, { signal }) => {
    if (method === 'eth_getBalance') return '0x1'
    const answer = deferred<unknown>()
    asked.push(answer)
    signal.addEventListener('abort', () => answer.reject(new LatchkeyError('ABORTED')))
    frame.emit('FRAME_SHOW', { view: 'approve', title: 'Sign', height: 500 })
    return answer.promise.finally(() => frame.emit('FRAME_HIDE', {}))
  }
  const sign = () => request(app, { method: 'personal_sign', params: ['0x61', alice] })
  return { frame, app, asked, sign }
}

test('default: an unsafe request opens ApproveTransaction; with its success the modal closes', async () => {
  const { app, asked, frame } = await signedIn()
  const signing = signMessage(app, { message: 'hello' })
  // The chain's rules are loaded first.
  await expect.poll(() => app.store.getState().frame?.frameView?.view).toBe('approve')
  expect(views(app)).toEqual(['ApproveTransaction'])
  asked[0]?.resolve(signature)
  expect(await signing).toBe(signature)
  expect(app.store.getState().modal.open).toBe(false)
  expect(frame.placed.slice(1)).toEqual(['show Sign 500', 'hide'])
  app.destroy()
})

test('behavior: an error pops too', async () => {
  const { app, asked, sign } = await signedIn()
  const signing = sign()
  await expect.poll(() => asked.length).toBe(1)
  asked[0]?.reject(new LatchkeyError('USER_REJECTED'))
  await expect(signing).rejects.toMatchObject({ code: 'USER_REJECTED' })
  expect(app.store.getState().modal.open).toBe(false)
  app.destroy()
})

test('behavior: an open modal is led to ApproveTransaction, and back', async () => {
  const { app, asked, sign } = await signedIn()
  openModal(app)
  pushView(app, { name: 'SendPreview' })
  const before = app.store.getState().modal.history.at(-1)
  const signing = sign()
  await expect.poll(() => asked.length).toBe(1)
  expect(views(app)).toEqual(['Account', 'SendPreview', 'ApproveTransaction'])
  asked[0]?.resolve(signature)
  await signing
  expect(app.store.getState().modal.history.at(-1)).toBe(before)
  app.destroy()
})

test('behavior: the view below says that the user has declined, which it does not know', async () => {
  const { app, asked, sign } = await signedIn()
  openModal(app)
  pushView(app, { name: 'SendPreview' })
  const signing = sign()
  await expect.poll(() => asked.length).toBe(1)
  asked[0]?.reject(new LatchkeyError('USER_REJECTED'))
  await expect(signing).rejects.toMatchObject({ code: 'USER_REJECTED' })
  expect(views(app)).toEqual(['Account', 'SendPreview'])
  expect(app.store.getState().toast?.error?.code).toBe('USER_REJECTED')
  app.destroy()
})

test('behavior: the modal stays until the last of several is answered', async () => {
  const { app, asked, sign } = await signedIn()
  const both = [sign(), sign()]
  await expect.poll(() => asked.length).toBe(2)
  expect(views(app)).toEqual(['ApproveTransaction'])
  asked[0]?.resolve(signature)
  await both[0]
  expect(app.store.getState().modal.open).toBe(true)
  asked[1]?.resolve(signature)
  await both[1]
  expect(app.store.getState().modal.open).toBe(false)
  app.destroy()
})

test('closed pages: a closed modal rejects what waits, each once; safe methods survive', async () => {
  const { app, asked, frame, sign } = await signedIn()
  const reading = deferred<unknown>()
  const approving = frame.handlers.APP_RPC_REQUEST
  frame.handlers.APP_RPC_REQUEST = (params, context) =>
    params.method === 'eth_call' ? reading.promise : approving?.(params, context)
  const errors: unknown[] = []
  const read = request(app, { method: 'eth_call', params: [{}] })
  const ended = [sign(), sign()].map((each) => each.catch((error: unknown) => errors.push(error)))
  await expect.poll(() => asked.length).toBe(2)
  closeModal(app)
  await Promise.all(ended)
  expect(errors).toMatchObject([{ code: 'ABORTED' }, { code: 'ABORTED' }])
  expect(String(errors[0])).toContain('Request was aborted')
  await settle()
  expect(frame.calls.filter(({ method }) => method === 'APP_RPC_ABORT').length).toBe(1)
  for (const answer of asked) answer.resolve(signature)
  reading.resolve('0x2')
  expect(await read).toBe('0x2')
  expect(app.store.getState().modal.open).toBe(false)
  expect(app.store.getState().frame?.frameView).toBeUndefined()
  app.destroy()
})

test('closed pages: a frame that goes away mid-approval rejects once, and is loaded again for the next', async () => {
  const { app, asked, frame, sign } = await signedIn()
  const signing = sign()
  await expect.poll(() => asked.length).toBe(1)
  frame.unload()
  await expect(signing).rejects.toMatchObject({ code: 'ABORTED' })
  expect(app.store.getState().modal.open).toBe(false)
  expect(app.store.getState().frame?.frameView).toBeUndefined()
  const next = sign()
  await expect.poll(() => asked.length).toBe(2)
  asked[1]?.resolve(signature)
  expect(await next).toBe(signature)
  expect(frame.placed.filter((entry) => entry.startsWith('load')).length).toBe(2)
  app.destroy()
})

test('behavior: signed out in the frame, what waits is rejected and the modal closes', async () => {
  const { app, asked, frame, sign } = await signedIn()
  const signing = sign()
  await expect.poll(() => asked.length).toBe(1)
  frame.emit('FRAME_SIGNED_OUT', {})
  await expect(signing).rejects.toMatchObject({ code: 'ABORTED' })
  expect(app.store.getState().modal.open).toBe(false)
  app.destroy()
})

test('behavior: Escape or a press outside the frame closes the modal, and rejects', async () => {
  const { app, asked, frame, sign } = await signedIn()
  const signing = sign()
  await expect.poll(() => asked.length).toBe(1)
  frame.dismiss()
  await expect(signing).rejects.toMatchObject({ code: 'ABORTED' })
  app.destroy()
})

test('request flood: of 500 requests 20 wait in one modal, the rest is refused at once', async () => {
  const { app, asked, sign } = await signedIn()
  const codes: unknown[] = []
  const ended = Array.from({ length: 500 }, () =>
    sign().catch((error: { code?: unknown }) => codes.push(error.code)),
  )
  await expect.poll(() => codes.length).toBe(480)
  expect(new Set(codes)).toEqual(new Set(['REQUEST_PENDING']))
  await expect.poll(() => asked.length).toBe(20)
  expect(views(app)).toEqual(['ApproveTransaction'])
  closeModal(app)
  await Promise.all(ended)
  expect(codes.slice(480)).toEqual(Array.from({ length: 20 }, () => 'ABORTED'))
  app.destroy()
})

test('behavior: safe methods are answered silently', async () => {
  const { app, frame } = await signedIn()
  expect(await request(app, { method: 'eth_getBalance', params: [alice, 'latest'] })).toBe('0x1')
  expect(app.store.getState().modal.open).toBe(false)
  expect(frame.calls.at(-1)?.params).toEqual({
    method: 'eth_getBalance',
    params: [alice, 'latest'],
    chainId: 31337,
    chainNamespace: 'eip155',
  })
  app.destroy()
})

test('error: a method that is not allowed opens the modal, says so after 300 ms and rejects what waits', async () => {
  const frame = createFakeFrame()
  const waits: { ms: number; end: () => void }[] = []
  const app = openEmailApp(frame, {
    sleep: (ms) => new Promise((end) => waits.push({ ms, end })),
  })
  await logIn(app)
  frame.handlers.APP_RPC_REQUEST = () => new Promise(() => {})
  const waiting = request(app, { method: 'personal_sign', params: ['0x61', alice] })
  const refused = request(app, { method: 'eth_sign', params: [alice, '0x61'] })
  const both = Promise.allSettled([waiting, refused])
  const refusal = () => waits.find(({ ms }) => ms === 300)
  await expect.poll(refusal).toBeDefined()
  expect(app.store.getState().modal.open).toBe(true)
  expect(app.warnings).toContain('Requested RPC call is not allowed')
  expect(app.store.getState().toast).toBeUndefined()
  refusal()?.end()
  expect(await both).toMatchObject([
    { reason: { code: 'ABORTED' } },
    { reason: { message: 'Requested RPC call is not allowed' } },
  ])
  expect(app.store.getState().toast?.message).toBe('Action not allowed')
  expect(frame.calls.some(({ params }) => JSON.stringify(params).includes('eth_sign"'))).toBe(false)
  app.destroy()
})

test('error: what the wallet refuses to sign says why, as to reload the page after an update', async () => {
  const { app, asked, sign } = await signedIn()
  const signing = sign()
  await expect.poll(() => asked.length).toBe(1)
  const reason = 'the wallet was updated in the meantime. Reload the page and try again'
  asked[0]?.reject(new LatchkeyError('SIGNING_REFUSED', { data: { reason } }))
  await expect(signing).rejects.toMatchObject({ code: 'SIGNING_REFUSED' })
  const { modal, toast } = app.store.getState()
  expect(modal.open).toBe(false)
  expect(toast).toMatchObject({ message: `This cannot be signed: ${reason}`, variant: 'error' })
  app.destroy()
})

test('error: an answer that is no signature, no hash', async () => {
  const { app, frame } = await signedIn()
  frame.handlers.APP_RPC_REQUEST = () => '0x12'
  await expect(
    request(app, { method: 'personal_sign', params: ['0x61', alice] }),
  ).rejects.toMatchObject({ code: 'WALLET_ANSWER_INVALID' })
  await expect(
    request(app, { method: 'eth_sendTransaction', params: [{ value: 1n }] }),
  ).rejects.toMatchObject({ code: 'WALLET_ANSWER_INVALID' })
  expect(frame.calls.at(-1)?.params).toMatchObject({ params: [{ value: '0x1' }] })
  app.destroy()
})

test('behavior: sending shows its approval over the form', async () => {
  const { app, asked } = await signedIn()
  openModal(app)
  pushView(app, { name: 'SendPreview' })
  const plan = {
    account: { namespace: 'eip155', address: alice, type: 'eoa' },
    chainId: 'eip155:31337',
    outflows: [],
    fee: {
      assetId: 'eip155:31337/slip44:60',
      value: 1n,
      decimals: 18,
      symbol: 'ETH',
      payer: 'account',
    },
    steps: [],
    execute: () => request(app, { method: 'eth_sendTransaction', params: [{}] }) as Promise<string>,
  } as const
  const sending = send(app, { plan })
  await expect.poll(() => asked.length).toBe(1)
  asked[0]?.resolve(`0x${'1'.repeat(64)}`)
  expect(await sending).toBe(`0x${'1'.repeat(64)}`)
  expect(views(app)).toEqual(['Account', 'SendPreview'])
  app.destroy()
})

test('behavior: messages of the frame before it receives its closing show nothing', async () => {
  const { app, frame } = await signedIn()
  openModal(app)
  frame.emit('FRAME_SHOW', { view: 'settings', title: 'Settings', height: 500 })
  await expect.poll(() => app.store.getState().frame?.frameView).toBeDefined()
  frame.handlers.APP_CLOSE = () => {
    frame.emit('FRAME_SHOW', { view: 'settings', title: 'Settings', height: 0 })
    frame.emit('FRAME_HIDE', {})
    return {}
  }
  closeModal(app)
  await expect.poll(() => app.runtime.frameCloses).toBe(0)
  expect(frame.calls.map(({ method }) => method)).toContain('APP_CLOSE')
  expect(frame.placed.slice(1)).toEqual(['show Settings 500', 'hide'])
  expect(app.store.getState().modal.open).toBe(false)
  frame.emit('FRAME_SHOW', { view: 'devices', title: 'Devices', height: 300 })
  await expect.poll(() => app.store.getState().frame?.frameView?.view).toBe('devices')
  app.destroy()
})

test('behavior: a modal that the frame opened closes with it', async () => {
  const { app, frame } = await signedIn()
  frame.emit('FRAME_SHOW', { view: 'settings', title: 'Settings', height: 500 })
  await expect.poll(() => views(app)).toEqual(['ApproveTransaction'])
  frame.emit('FRAME_HIDE', {})
  await expect.poll(() => app.store.getState().modal.open).toBe(false)
  app.destroy()
})
