import { expect, test } from 'vitest'
import { alice, bob, createFakeWallet, fakeConnector } from '../../test/fakeWallet.ts'
import { openApp } from '../../test/tab.ts'
import { connect } from '../connection/connect.ts'
import { setSendDraft } from '../send/setSendDraft.ts'
import { forceCloseModal, openModal } from './modal.ts'
import { closeModal, goBack, pushView, resetViews } from './navigate.ts'

const top = (app: ReturnType<typeof openApp>) => app.store.getState().modal.history.at(-1)?.name
const draft = { token: 'native', amount: '2', receiverAddress: bob }

test('default', async () => {
  const app = openApp({ connectors: [fakeConnector({ id: 'a.b', wallet: createFakeWallet() })] })
  openModal(app)
  expect(top(app)).toBe('Connect')
  closeModal(app)
  expect(app.store.getState().modal.open).toBe(false)
  const { account } = await connect(app, { connectorId: 'a.b' })
  expect(account.address).toBe(alice)
  openModal(app)
  expect(top(app)).toBe('Account')
  app.destroy()
})

test('param: view', () => {
  const app = openApp()
  openModal(app, { view: { name: 'Networks' } })
  pushView(app, { name: 'WhatIsANetwork' })
  goBack(app)
  expect(top(app)).toBe('Networks')
  resetViews(app, { name: 'Connect' })
  goBack(app)
  expect(app.store.getState().modal.open).toBe(false)
  app.destroy()
})

test('param: draft: replaces the whole send form, once', () => {
  const app = openApp()
  const amount = () => app.store.getState().sendDraft.amount
  setSendDraft(app, { amount: '1', receiverProfileName: 'eve.eth', speed: 'fast' })
  openModal(app, { view: { name: 'Send', draft } })
  expect(app.store.getState().sendDraft).toEqual(draft)
  setSendDraft(app, { amount: '3' })
  pushView(app, { name: 'SendPreview' })
  goBack(app)
  expect(top(app)).toBe('Send')
  expect(amount()).toBe('3')
  openModal(app, { view: { name: 'Send' } })
  expect(amount()).toBe('3')
  app.destroy()
})

test('behavior: a draft is dropped while the network is unsupported', () => {
  const app = openApp()
  app.store.setState({ unsupportedChainId: 'eip155:5' })
  openModal(app, { view: { name: 'Send', draft } })
  expect(top(app)).toBe('UnsupportedChain')
  expect(app.store.getState().sendDraft).toEqual({ amount: '', receiverAddress: '' })
  app.destroy()
})

test('security: a complete draft sends nothing', async () => {
  const wallet = createFakeWallet()
  const app = openApp({ connectors: [fakeConnector({ id: 'a.b', wallet })] })
  await connect(app, { connectorId: 'a.b' })
  openModal(app, { view: { name: 'Send', draft } })
  expect(top(app)).toBe('Send')
  expect(wallet.calls.map(({ method }) => method)).not.toContain('eth_sendTransaction')
  app.destroy()
})

test('behavior: closing is refused with a shake while the network is unsupported', () => {
  const app = openApp()
  openModal(app, { view: { name: 'UnsupportedChain' } })
  closeModal(app)
  expect(app.store.getState().modal).toMatchObject({ open: true, shakes: 1 })
  forceCloseModal(app)
  expect(app.store.getState().modal.open).toBe(false)
  app.destroy()
})
