import { expect, test } from 'vitest'
import { createFakeWallet, deferred, fakeConnector, rpcError } from '../../test/fakeWallet.ts'
import { createBrowser, openApp, settle } from '../../test/tab.ts'
import { openModal } from '../modal/modal.ts'
import { listConnections } from '../state.ts'
import { connect } from './connect.ts'
import { disconnect } from './disconnect.ts'

async function connected(refuse = false) {
  const connector = fakeConnector({ id: 'a.one', wallet: createFakeWallet() })
  const failing = { ...connector, disconnect: () => Promise.reject(new Error('no')) }
  const app = openApp({
    ...createBrowser().openTab(),
    connectors: [refuse ? failing : connector],
  })
  await connect(app, { connectorId: 'a.one' })
  return app
}

test('default', async () => {
  const app = await connected()
  openModal(app)
  await disconnect(app)
  expect(app.store.getState()).toMatchObject({
    connections: { eip155: { status: 'disconnected' } },
    modal: { open: false },
  })
  expect(app.storage.get('connections')).toEqual({})
  expect(app.storage.get('disconnected')).toEqual(['a.one'])
  expect(app.store.getState().recentWallets.map(({ id }) => id)).toEqual(['a.one'])
})

test('behavior: nothing to disconnect', async () => {
  const app = openApp()
  await disconnect(app)
  expect(app.store.getState().connections.eip155).toEqual({ status: 'disconnected' })
})

test.each([{}, { connectorId: 'a.one' }])(
  'behavior: %j while another wallet is being connected',
  async (meant) => {
    const app = await connected()
    const wallet = createFakeWallet()
    const late = deferred<string[]>()
    wallet.answers.eth_requestAccounts = () => late.promise
    app.connectors.set('a.two', fakeConnector({ id: 'a.two', wallet }))
    const code = 'connectorId' in meant ? 'USER_REJECTED' : 'ABORTED'
    const failing = expect(connect(app, { connectorId: 'a.two' })).rejects.toMatchObject({ code })
    await disconnect(app, meant)
    expect(app.storage.get('connections')).toEqual({})
    expect(app.storage.get('furtherConnections') ?? []).toEqual([])
    expect(app.storage.get('disconnected')).toEqual(['a.one'])
    late.reject(rpcError(4001, 'no'))
    await failing
    await settle()
    expect(listConnections(app.store.getState())).toEqual([])
  },
)

test('error: the wallet could not be notified; the page is disconnected nonetheless', async () => {
  const app = await connected(true)
  await expect(disconnect(app)).rejects.toThrow('Failed to disconnect')
  expect(app.store.getState().connections.eip155).toEqual({ status: 'disconnected' })
})

test('param: namespace', async () => {
  const app = await connected(true)
  await disconnect(app, { namespace: 'solana' })
  expect(app.store.getState().connections.eip155.status).toBe('connected')
  await expect(disconnect(app, { namespace: 'eip155' })).rejects.toThrow(
    'Failed to disconnect chain eip155',
  )
})
