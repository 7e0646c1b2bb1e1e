import type { ChainId, Namespace } from '@latchkey/wire'
import { expect, onTestFinished, test } from 'vitest'
import {
  alice,
  createFakeWallet,
  deferred,
  fakeConnector,
  rpcError,
} from '../../test/fakeWallet.ts'
import { createBrowser, openApp } from '../../test/tab.ts'
import { connect } from '../connection/connect.ts'
import { disconnect } from '../connection/disconnect.ts'
import { namespaceMetadata } from '../namespaces/namespaceMetadata.ts'
import { base } from '../networks.ts'
import { setSendDraft } from '../send/setSendDraft.ts'
import { addNetwork } from './addNetwork.ts'
import { removeNetwork } from './removeNetwork.ts'
import { switchNetwork } from './switchNetwork.ts'

async function connected() {
  const wallet = createFakeWallet()
  const tab = createBrowser().openTab()
  const app = openApp({ ...tab, connectors: [fakeConnector({ id: 'a.one', wallet })] })
  await connect(app, { connectorId: 'a.one' })
  wallet.calls.length = 0
  return { app, wallet, methods: () => wallet.calls.map(({ method }) => method) }
}

const target = { chainId: 'eip155:31338' } as const

test('default', async () => {
  const { app, methods } = await connected()
  setSendDraft(app, { amount: '1' })
  await switchNetwork(app, target)
  expect(app.store.getState()).toMatchObject({
    activeChainId: 'eip155:31338',
    connections: { eip155: { chainId: 'eip155:31338', caipAddress: `eip155:31338:${alice}` } },
    sendDraft: { amount: '', receiverAddress: '' },
  })
  expect(methods()).toEqual(['wallet_switchEthereumChain', 'eth_chainId'])
})

test('behavior: when not connected it only selects', async () => {
  const app = openApp(createBrowser().openTab())
  await switchNetwork(app, target)
  expect(app.store.getState().activeChainId).toBe('eip155:31338')
  expect(app.storage.get('activeChainId')).toBe('eip155:31338')
})

test.each([
  ['4902', rpcError(4902, 'x')],
  ['-32603 around 4902', rpcError(-32603, 'x', { originalError: { code: 4902 } })],
  ['5000', rpcError(5000, 'x')],
  ['32603', rpcError(32603, 'x')],
  ['-32603', rpcError(-32603, 'x')],
])('behavior: code %s leads to adding the chain', async (_, error) => {
  const { app, wallet, methods } = await connected()
  let asked = 0
  wallet.answers.wallet_switchEthereumChain = () => {
    asked += 1
    if (asked === 1) throw error
    wallet.chainId = '0x7a6a'
    return null
  }
  await switchNetwork(app, target)
  expect(methods()).toEqual([
    'wallet_switchEthereumChain',
    'wallet_addEthereumChain',
    'wallet_switchEthereumChain',
    'eth_chainId',
  ])
  expect(wallet.calls[1]?.params).toEqual([
    {
      chainId: '0x7a6a',
      chainName: 'Latchkey Two',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: ['http://127.0.0.1:1/v1/?chainId=eip155%3A31338&projectId=local'],
    },
  ])
})

test('behavior: a wallet whose methods are not known yet gets the switch request after they are', async () => {
  const browser = createBrowser()
  const wallet = createFakeWallet()
  const connectors = () => [fakeConnector({ id: 'a.one', wallet })]
  const first = openApp({ ...browser.openTab(), connectors: connectors() })
  await connect(first, { connectorId: 'a.one' })
  first.destroy()
  const late = deferred<string[]>()
  let isKnown = false
  wallet.answers.eth_accounts = () => late.promise
  wallet.answers.wallet_switchEthereumChain = () => {
    if (!isKnown) throw rpcError(4902, 'x')
    wallet.chainId = '0x7a6a'
    return null
  }
  wallet.answers.wallet_addEthereumChain = () => Promise.reject(rpcError(-32601, 'no such method'))
  wallet.calls.length = 0
  const app = openApp({ ...browser.openTab(), connectors: connectors() })
  const switching = switchNetwork(app, target)
  await expect
    .poll(() => wallet.calls.map(({ method }) => method))
    .toContain('wallet_addEthereumChain')
  expect(app.store.getState().connections.eip155.status).toBe('reconnecting')
  isKnown = true
  late.resolve([alice])
  await switching
  expect(app.store.getState()).toMatchObject({
    activeChainId: 'eip155:31338',
    connections: { eip155: { status: 'connected', chainId: 'eip155:31338' } },
  })
})

test('error: a wallet that cannot add the chain', async () => {
  const { app, wallet } = await connected()
  wallet.known.clear()
  wallet.answers.wallet_addEthereumChain = () => Promise.reject(rpcError(-32601, 'no such method'))
  await expect(switchNetwork(app, target)).rejects.toMatchObject({
    code: 'CHAIN_NOT_SUPPORTED',
    message: 'Chain is not supported',
  })
  expect(app.store.getState().activeChainId).toBe('eip155:31337')
})

test('error: a wallet that says yes and stays', async () => {
  const { app, wallet } = await connected()
  wallet.answers.wallet_switchEthereumChain = () => null
  await expect(switchNetwork(app, target)).rejects.toMatchObject({ code: 'CHAIN_NOT_SUPPORTED' })
})

test.each(['wallet_switchEthereumChain', 'wallet_addEthereumChain'])(
  'error: the visitor rejects %s',
  async (method) => {
    const { app, wallet } = await connected()
    wallet.known.clear()
    wallet.answers[method] = () => Promise.reject(rpcError(4001, 'User rejected the request.'))
    await expect(switchNetwork(app, target)).rejects.toMatchObject({ code: 'USER_REJECTED' })
  },
)

test('error: not in the list', async () => {
  const { app, wallet } = await connected()
  await expect(switchNetwork(app, { chainId: 'eip155:1' })).rejects.toMatchObject({
    code: 'NETWORK_NOT_FOUND',
  })
  expect(app.store.getState().alert?.shortMessage).toBe('Network Not Found')
  expect(wallet.calls).toEqual([])
})

test('error: disconnected meanwhile', async () => {
  const { app, wallet } = await connected()
  const late = deferred<null>()
  wallet.answers.wallet_switchEthereumChain = () => late.promise
  const switching = switchNetwork(app, target)
  await disconnect(app)
  wallet.chainId = '0x7a6a'
  late.resolve(null)
  await expect(switching).rejects.toMatchObject({ code: 'CONNECTION_CHANGED' })
  expect(app.store.getState().connections.eip155).toEqual({ status: 'disconnected' })
})

test('behavior: a later switch supersedes a pending switch', async () => {
  const { app, wallet } = await connected()
  addNetwork(app, { network: base })
  wallet.known.add('0x2105')
  const late = deferred<null>()
  wallet.answers.wallet_switchEthereumChain = (params) => {
    const [{ chainId }] = params as [{ chainId: string }]
    if (chainId === '0x7a6a') return late.promise
    wallet.chainId = chainId
    return null
  }
  const earlier = switchNetwork(app, target)
  await switchNetwork(app, { chainId: 'eip155:8453' })
  late.resolve(null)
  await expect(earlier).rejects.toMatchObject({ code: 'ABORTED' })
  expect(app.store.getState().connections.eip155).toMatchObject({ chainId: 'eip155:8453' })
})

test('behavior: an answer older than the later switch does not undo it', async () => {
  const { app, wallet } = await connected()
  addNetwork(app, { network: base })
  wallet.known.add('0x2105')
  const late = deferred<string>()
  const read = deferred<void>()
  let reads = 0
  wallet.answers.eth_chainId = () => {
    reads += 1
    if (reads > 1) return wallet.chainId
    read.resolve()
    return late.promise
  }
  const earlier = switchNetwork(app, target)
  await read.promise
  await switchNetwork(app, { chainId: 'eip155:8453' })
  late.resolve('0x7a6a')
  await expect(earlier).rejects.toMatchObject({ code: 'ABORTED' })
  expect(app.store.getState()).toMatchObject({
    activeChainId: 'eip155:8453',
    connections: { eip155: { chainId: 'eip155:8453' } },
  })
})

test('behavior: networks are added once and taken away again', async () => {
  const { app } = await connected()
  const ids = () => app.store.getState().networks.map(({ caipNetworkId }) => caipNetworkId)
  addNetwork(app, { network: base })
  addNetwork(app, { network: base })
  expect(ids()).toEqual(['eip155:31337', 'eip155:31338', 'eip155:8453'])
  removeNetwork(app, { chainId: 'eip155:8453' })
  removeNetwork(app, { chainId: 'eip155:8453' })
  expect(ids()).toEqual(['eip155:31337', 'eip155:31338'])
  removeNetwork(app, { chainId: 'eip155:31338' })
  expect(() => removeNetwork(app, { chainId: 'eip155:31337' })).toThrow(
    'A parameter is not valid: the app needs at least one network',
  )
})

test('behavior: removing the network in use opens UnsupportedChain', async () => {
  const { app } = await connected()
  addNetwork(app, { network: base })
  removeNetwork(app, { chainId: 'eip155:31337' })
  expect(app.store.getState()).toMatchObject({
    unsupportedChainId: 'eip155:31337',
    modal: { open: true, history: [{ name: 'UnsupportedChain' }] },
  })
})

test('behavior: adding the network the wallet is on makes it supported', async () => {
  const { app, wallet } = await connected()
  wallet.emit('chainChanged', '0x2105')
  expect(app.store.getState().unsupportedChainId).toBe('eip155:8453')
  addNetwork(app, { network: base })
  expect(app.store.getState()).toMatchObject({
    unsupportedChainId: undefined,
    activeChainId: 'eip155:8453',
    modal: { open: false },
  })
})

test('error: no adapter', async () => {
  const { app } = await connected()
  const network = {
    ...base,
    chainNamespace: 'bip122',
    caipNetworkId: 'bip122:000000000019d6689c085ae165831e93',
  } as const
  const message = "Adapter for namespace bip122 doesn't exist"
  // Every namespace has actions, so this removes them from a namespace.
  const { loadActions } = namespaceMetadata.bip122
  Object.assign(namespaceMetadata.bip122, { loadActions: undefined })
  onTestFinished(() => void Object.assign(namespaceMetadata.bip122, { loadActions }))
  expect(() => addNetwork(app, { network })).toThrow(message)
  expect(() => removeNetwork(app, { chainId: network.caipNetworkId })).toThrow(message)
  // A page without types may name any namespace.
  for (const unknown of ['cosmos', 'toString'] as const) {
    const chainId = `${unknown}:one` as ChainId
    const other = { ...network, chainNamespace: unknown as Namespace, caipNetworkId: chainId }
    const words = `Adapter for namespace ${unknown} doesn't exist`
    expect(() => addNetwork(app, { network: other })).toThrow(words)
    expect(() => removeNetwork(app, { chainId })).toThrow(words)
  }
})
