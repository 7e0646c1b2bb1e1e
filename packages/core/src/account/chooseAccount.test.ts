import { expect, test } from 'vitest'
import {
  alice,
  bob,
  createFakeWallet,
  deferred,
  fakeConnector,
  rpcError,
} from '../../test/fakeWallet.ts'
import { createBrowser, openApp } from '../../test/tab.ts'
import { connect } from '../connection/connect.ts'
import { disconnect } from '../connection/disconnect.ts'
import { canChooseAccount, chooseAccount } from './chooseAccount.ts'

const choice = { method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] }
const namespace = 'eip155'

/** A wallet with a permissions API: each permission request returns another account. */
async function connected({ knows = true } = {}) {
  const wallet = createFakeWallet()
  if (knows) {
    wallet.answers.wallet_getPermissions = () => []
    wallet.answers.wallet_requestPermissions = () => {
      wallet.accounts = [bob]
      return [{ parentCapability: 'eth_accounts' }]
    }
  }
  const app = openApp({
    ...createBrowser().openTab(),
    connectors: [fakeConnector({ id: 'a.wallet', wallet })],
  })
  const reconnect = () => connect(app, { connectorId: 'a.wallet' })
  await reconnect()
  const address = () => {
    const connection = app.store.getState().connections.eip155
    return connection.status === 'connected' ? connection.account.address : connection.status
  }
  const asked = () => wallet.calls.map(({ method }) => method)
  return { app, wallet, reconnect, address, asked }
}

test('default: while connected, the wallet lets the visitor choose, and the account is the chosen one', async () => {
  const { app, wallet, address } = await connected()
  expect(await canChooseAccount(app, { namespace })).toBe(true)
  expect(wallet.calls).not.toContainEqual(choice)
  await chooseAccount(app, { namespace })
  expect(wallet.calls).toContainEqual(choice)
  expect(address()).toBe(bob)
  expect(app.storage.get('connections')?.eip155?.accounts[0]?.address).toBe(bob)
})

test('behavior: a wallet without permissions offers no choice', async () => {
  const { app, address } = await connected({ knows: false })
  expect(await canChooseAccount(app, { namespace })).toBe(false)
  await expect(chooseAccount(app, { namespace })).rejects.toMatchObject({
    code: 'UNSUPPORTED_METHOD',
  })
  expect(address()).toBe(alice)
  await disconnect(app)
  expect(await canChooseAccount(app, { namespace })).toBe(false)
  await expect(chooseAccount(app, { namespace })).rejects.toMatchObject({ code: 'NOT_CONNECTED' })
})

test('behavior: after a disconnect, connecting lets the visitor choose, once', async () => {
  const { app, wallet, reconnect, address, asked } = await connected()
  expect(wallet.calls).not.toContainEqual(choice)
  await disconnect(app)
  await reconnect()
  expect(wallet.calls).toContainEqual(choice)
  expect(address()).toBe(bob)
  const before = asked().length
  await reconnect()
  expect(asked().slice(before)).not.toContain('wallet_requestPermissions')
})

test('behavior: after a disconnect, a wallet without a choice of accounts connects as before', async () => {
  for (const error of [rpcError(4200, 'No'), rpcError(-32603, 'No'), new Error('No')]) {
    const { app, wallet, reconnect, address } = await connected({ knows: false })
    wallet.answers.wallet_requestPermissions = () => Promise.reject(error)
    await disconnect(app)
    await reconnect()
    expect(address()).toBe(alice)
  }
})

test('error: after a disconnect, a rejected choice leaves the page disconnected', async () => {
  const { app, wallet, reconnect, address } = await connected()
  await disconnect(app)
  wallet.answers.wallet_requestPermissions = () => Promise.reject(rpcError(4001, 'no'))
  await expect(reconnect()).rejects.toMatchObject({ code: 'USER_REJECTED' })
  expect(address()).toBe('disconnected')
})

test('error: a wallet that is disconnected before it answers stays disconnected', async () => {
  const { app, wallet, address } = await connected()
  const answer = deferred<unknown>()
  wallet.answers.wallet_requestPermissions = () => answer.promise
  const choosing = chooseAccount(app, { namespace })
  await disconnect(app)
  answer.resolve([])
  await expect(choosing).rejects.toMatchObject({ code: 'CONNECTION_CHANGED' })
  expect(address()).toBe('disconnected')
})
