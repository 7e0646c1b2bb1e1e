import { describe, expect, test } from 'vitest'
import {
  alice,
  bob,
  createFakeWallet,
  deferred,
  fakeConnector,
  rpcError,
} from '../../test/fakeWallet.ts'
import { createBrowser, openApp, settle } from '../../test/tab.ts'
import { connect } from './connect.ts'
import { disconnect } from './disconnect.ts'

const two = () => {
  const first = createFakeWallet()
  const second = createFakeWallet()
  second.accounts = [bob]
  const app = openApp({
    ...createBrowser().openTab(),
    connectors: [
      fakeConnector({ id: 'a.first', wallet: first }),
      fakeConnector({ id: 'a.second', wallet: second }),
    ],
  })
  const connection = () => app.store.getState().connections.eip155
  return { app, first, second, connection }
}

test('default', async () => {
  const { app, connection } = two()
  const connecting = connect(app, { connectorId: 'a.first' })
  expect(connection()).toEqual({ status: 'connecting', connectorId: 'a.first' })
  await connecting
  expect(connection()).toEqual({
    status: 'connected',
    connectorId: 'a.first',
    accounts: [{ namespace: 'eip155', address: alice, type: 'eoa' }],
    account: { namespace: 'eip155', address: alice, type: 'eoa' },
    chainId: 'eip155:31337',
    caipAddress: `eip155:31337:${alice}`,
  })
})

test('behavior: addresses in lower case are kept with their checksums, in the state and in storage', async () => {
  const { app, first, connection } = two()
  first.accounts = [alice.toLowerCase(), bob.toLowerCase(), bob]
  await connect(app, { connectorId: 'a.first' })
  const accounts = [alice, bob].map((address) => ({ namespace: 'eip155', address, type: 'eoa' }))
  expect(connection()).toMatchObject({ accounts, caipAddress: `eip155:31337:${alice}` })
  expect(app.storage.get('connections')?.eip155?.accounts).toEqual(accounts)
  first.emit('accountsChanged', [bob.toLowerCase()])
  expect(connection()).toMatchObject({ account: { address: bob } })
})

test('param: chainId', async () => {
  const { app, first } = two()
  const { chainId } = await connect(app, { connectorId: 'a.first', chainId: 'eip155:31338' })
  expect(chainId).toBe('eip155:31338')
  expect(first.chainId).toBe('0x7a6a')
  expect(app.store.getState().activeChainId).toBe('eip155:31338')
})

test('param: chainId: if the wallet refuses it, the connection stays on its chain', async () => {
  const { app, first } = two()
  first.answers.wallet_switchEthereumChain = () => Promise.reject(rpcError(4001, 'no'))
  const { chainId } = await connect(app, { connectorId: 'a.first', chainId: 'eip155:31338' })
  expect(chainId).toBe('eip155:31337')
})

test('param: signal', async () => {
  const { app, first, connection } = two()
  first.answers.eth_requestAccounts = () => new Promise(() => {})
  const controller = new AbortController()
  const connecting = connect(app, { connectorId: 'a.first', signal: controller.signal })
  controller.abort()
  await expect(connecting).rejects.toMatchObject({ code: 'ABORTED' })
  expect(connection()).toEqual({ status: 'disconnected' })
})

test('behavior: recent wallets, the newest first, at most two, each once', async () => {
  const { app } = two()
  const third = fakeConnector({ id: 'a.third', wallet: createFakeWallet() })
  app.connectors.set('a.third', third)
  for (const connectorId of ['a.first', 'a.second', 'a.third', 'a.second'])
    await connect(app, { connectorId })
  expect(app.store.getState().recentWallets.map(({ id }) => id)).toEqual(['a.second', 'a.third'])
})

describe('races', () => {
  test('behavior: the later of two connects wins, regardless of which response is first', async () => {
    const { app, first, connection } = two()
    const late = deferred<string[]>()
    first.answers.eth_requestAccounts = () => late.promise
    const earlier = connect(app, { connectorId: 'a.first' })
    const later = connect(app, { connectorId: 'a.second' })
    await expect(earlier).rejects.toMatchObject({ code: 'ABORTED' })
    await later
    late.resolve([alice])
    await settle()
    expect(connection()).toMatchObject({ connectorId: 'a.second', account: { address: bob } })
  })

  test('behavior: a disconnect while connecting wins', async () => {
    const { app, first, connection } = two()
    const late = deferred<string[]>()
    first.answers.eth_requestAccounts = () => late.promise
    const connecting = connect(app, { connectorId: 'a.first' })
    await disconnect(app)
    late.resolve([alice])
    await expect(connecting).rejects.toMatchObject({ code: 'ABORTED' })
    await settle()
    expect(connection()).toEqual({ status: 'disconnected' })
    expect(app.storage.get('connections')?.eip155).toBeUndefined()
  })

  test('behavior: a destroyed app is no longer written to', async () => {
    const { app, first, connection } = two()
    const late = deferred<string[]>()
    first.answers.eth_requestAccounts = () => late.promise
    const connecting = connect(app, { connectorId: 'a.first' })
    app.destroy()
    late.resolve([alice])
    await expect(connecting).rejects.toMatchObject({ code: 'ABORTED' })
    expect(connection().status).toBe('connecting')
  })
})

test('behavior: a refused second wallet leaves the first connected', async () => {
  const { app, second, connection } = two()
  await connect(app, { connectorId: 'a.first' })
  second.answers.eth_requestAccounts = () => Promise.reject(rpcError(4001, 'x'))
  await expect(connect(app, { connectorId: 'a.second' })).rejects.toMatchObject({
    code: 'USER_REJECTED',
  })
  expect(connection()).toMatchObject({ status: 'reconnecting', connectorId: 'a.first' })
  await settle()
  expect(connection()).toMatchObject({ status: 'connected', connectorId: 'a.first' })
})

test('behavior: also if a third connect began meanwhile', async () => {
  const { app, second, connection } = two()
  await connect(app, { connectorId: 'a.first' })
  second.answers.eth_requestAccounts = () => new Promise(() => {})
  const hanging = connect(app, { connectorId: 'a.second' })
  const controller = new AbortController()
  const last = connect(app, { connectorId: 'a.second', signal: controller.signal })
  controller.abort()
  await expect(hanging).rejects.toMatchObject({ code: 'ABORTED' })
  await expect(last).rejects.toMatchObject({ code: 'ABORTED' })
  await settle()
  expect(connection()).toMatchObject({ status: 'connected', connectorId: 'a.first' })
  await disconnect(app)
  const refused = connect(app, { connectorId: 'a.second', signal: AbortSignal.abort() })
  await expect(refused).rejects.toMatchObject({ code: 'ABORTED' })
  await settle()
  expect(connection()).toEqual({ status: 'disconnected' })
})

describe('hostile wallets', () => {
  test.each([
    ['nothing', undefined],
    ['no account', []],
    ['text', 'hello'],
    ['a number', [1]],
    ['a script', ['<script>alert(1)</script>']],
    ['a short address', ['0x1234']],
    ['an object', { accounts: [alice] }],
  ])('error: answers %s', async (_, answer) => {
    const { app, first, connection } = two()
    first.answers.eth_requestAccounts = () => answer
    await expect(connect(app, { connectorId: 'a.first' })).rejects.toMatchObject({
      code: 'WALLET_ANSWER_INVALID',
    })
    expect(connection()).toEqual({ status: 'disconnected' })
  })

  test.each([null, 'mainnet', '0x', '-1', 0, {}, '0x1fffffffffffffffff', 'eip155:x'])(
    'error: says it is on chain %j',
    async (answer) => {
      const { app, first } = two()
      first.answers.eth_chainId = () => answer
      await expect(connect(app, { connectorId: 'a.first' })).rejects.toMatchObject({
        code: 'WALLET_ANSWER_INVALID',
      })
    },
  )

  test.each([31337, '31337', '0x7a69', '0x7A69', 'eip155:31337'])(
    'behavior: says the chain as %j',
    async (answer) => {
      const { app, first } = two()
      first.answers.eth_chainId = () => answer
      expect((await connect(app, { connectorId: 'a.first' })).chainId).toBe('eip155:31337')
    },
  )

  test('error: throws synchronously', async () => {
    const { app, first } = two()
    first.request = () => {
      throw 'Connection request reset. Please try again.'
    }
    await expect(connect(app, { connectorId: 'a.first' })).rejects.toMatchObject({
      code: 'USER_REJECTED',
    })
  })

  test('error: has a request open already', async () => {
    const { app, first } = two()
    first.answers.eth_requestAccounts = () => Promise.reject(rpcError(-32002, 'pending'))
    await expect(connect(app, { connectorId: 'a.first' })).rejects.toMatchObject({
      code: 'REQUEST_PENDING',
    })
  })
})

test('error: a wallet that is gone', async () => {
  const { app } = two()
  await expect(connect(app, { connectorId: 'nope' })).rejects.toMatchObject({
    code: 'CONNECTOR_NOT_FOUND',
    message: 'This wallet is no longer available in this browser',
  })
})
