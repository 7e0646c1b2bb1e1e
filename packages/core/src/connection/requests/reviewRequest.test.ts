import { beforeEach, expect, test, vi } from 'vitest'
import {
  buildPsbt,
  createBehavior,
  createStandardWallet,
  payment,
} from '../../../test/bitcoinWallets.ts'
import { createWindow } from '../../../test/page.ts'
import { openApp, settle } from '../../../test/tab.ts'
import { openModal } from '../../modal/modal.ts'
import { closeModal, goBack } from '../../modal/navigate.ts'
import type { View } from '../../modal/views.ts'
import { bitcoin, latchkeyOne } from '../../networks.ts'
import { connect } from '../connect.ts'
import { disconnect } from '../disconnect.ts'
import { request } from './request.ts'

const chainId = bitcoin.caipNetworkId
const params = {
  account: payment.address,
  psbt: Buffer.from(buildPsbt().toPSBT()).toString('base64'),
  signInputs: [{ address: payment.address, index: 0 }],
}

let page: EventTarget
beforeEach(() => {
  page = createWindow()
  vi.stubGlobal('window', page)
})

async function connected(fetch?: () => Promise<Response>) {
  const behavior = createBehavior()
  createStandardWallet(behavior).register(page)
  const unknown = async () => new Response('Transaction not found', { status: 404 })
  const app = openApp({ fetch: fetch ?? unknown }, { networks: [latchkeyOne, bitcoin] })
  await settle()
  await connect(app, { connectorId: 'bip122:Stone Wallet' })
  behavior.calls.length = 0
  const ask = (changes: object = {}) =>
    request(app, { chainId, method: 'signPsbt', params: { ...params, ...changes } })
  const top = () => app.store.getState().modal.history.at(-1)
  const shown = async () => {
    // Its code is loaded first.
    await expect.poll(() => top()?.name).toBe('ReviewTransaction')
    return top() as Extract<View, { name: 'ReviewTransaction' }>
  }
  return { app, behavior, ask, shown, top }
}

test('default: sends the request to the wallet after approval, and verifies the signature', async () => {
  const { app, behavior, ask, shown } = await connected()
  const answer = ask()
  const view = await shown()
  expect(await view.reading).toMatchObject({ chainId, leaves: 160_000n })
  expect(behavior.calls).toEqual([])
  view.approve()
  expect(await answer).toMatchObject({ psbt: expect.stringMatching(/^cHNidP8/) })
  expect(behavior.calls).toEqual(['signPsbt bitcoin:mainnet'])
  expect(app.store.getState().modal.open).toBe(false)
  app.destroy()
})

test('behavior: a request that comes while the modal is open leaves it as it was', async () => {
  const { app, ask, shown, top } = await connected()
  openModal(app, { view: { name: 'Account' } })
  const answer = ask()
  ;(await shown()).approve()
  await answer
  expect(top()).toEqual({ name: 'Account' })
  app.destroy()
})

test.each([
  { way: 'closing', leave: closeModal, code: 'USER_REJECTED' },
  { way: 'going back', leave: goBack, code: 'USER_REJECTED' },
  { way: 'disconnecting', leave: disconnect, code: 'CONNECTION_CHANGED' },
  {
    way: 'the end of the app',
    leave: (app: { destroy(): void }) => app.destroy(),
    code: 'ABORTED',
  },
])('error: $way is $code, and the wallet is not asked', async ({ leave, code }) => {
  const { app, behavior, ask, shown, top } = await connected()
  const answer = expect(ask()).rejects.toMatchObject({ code })
  await shown()
  await leave(app)
  await answer
  expect(top()?.name).not.toBe('ReviewTransaction')
  expect(behavior.calls.filter((call) => call.startsWith('sign'))).toEqual([])
  app.destroy()
})

test('error: a second request while another is shown, and a request refused before it is shown', async () => {
  const { app, behavior, ask, shown, top } = await connected()
  await expect(ask({ psbt: 'cHNidP8=' })).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  await expect(ask({ account: 'nobody' })).rejects.toMatchObject({ code: 'INVALID_ADDRESS' })
  expect(top()).toBeUndefined()
  const first = ask()
  const second = ask()
  await expect(second).rejects.toMatchObject({ code: 'REQUEST_PENDING' })
  ;(await shown()).approve()
  await first
  expect(behavior.calls).toEqual(['signPsbt bitcoin:mainnet'])
  app.destroy()
})

test('error: of a second request that is not shown, nothing is read', async () => {
  const rejections: unknown[] = []
  const note = (reason: unknown) => rejections.push(reason)
  process.on('unhandledRejection', note)
  let reads = 0
  const { app, ask, shown } = await connected(async () => {
    reads += 1
    return new Response('Transaction not found', { status: 404 })
  })
  const first = ask()
  await (await shown()).reading
  const before = reads
  await expect(ask()).rejects.toMatchObject({ code: 'REQUEST_PENDING' })
  await settle()
  expect(reads).toBe(before)
  ;(await shown()).approve()
  await first
  expect(rejections).toEqual([])
  process.off('unhandledRejection', note)
  app.destroy()
})

test('error: a wallet that signs something else, after the review', async () => {
  const { app, behavior, ask, shown } = await connected()
  behavior.signPsbt = () => buildPsbt([150_000n, 600n]).toPSBT()
  const answer = expect(ask()).rejects.toMatchObject({ code: 'WALLET_SIGNED_OTHER' })
  ;(await shown()).approve()
  await answer
  expect(app.store.getState().modal.open).toBe(false)
  app.destroy()
})
