import { expect, test } from 'vitest'
import { alice, createFakeWallet, fakeConnector } from '../../test/fakeWallet.ts'
import { openApp } from '../../test/tab.ts'
import { connect } from '../connection/connect.ts'
import { forceCloseModal, openModal } from './modal.ts'
import { closeModal, goBack, pushView, resetViews } from './navigate.ts'

const top = (app: ReturnType<typeof openApp>) => app.store.getState().modal.history.at(-1)?.name

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

test('behavior: closing is refused with a shake while the network is unsupported', () => {
  const app = openApp()
  openModal(app, { view: { name: 'UnsupportedChain' } })
  closeModal(app)
  expect(app.store.getState().modal).toMatchObject({ open: true, shakes: 1 })
  forceCloseModal(app)
  expect(app.store.getState().modal.open).toBe(false)
  app.destroy()
})
