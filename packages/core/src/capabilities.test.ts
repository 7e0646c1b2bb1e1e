import { type AreaState, namespaces } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { bob, createFakeWallet, fakeConnector } from '../test/fakeWallet.ts'
import { openApp } from '../test/tab.ts'
import { getCapabilities } from './capabilities.ts'
import { connect } from './connection/connect.ts'
import { namespaceMetadata } from './namespaces/namespaceMetadata.ts'
import { latchkeyOne, solana } from './networks.ts'
import { prepareSend } from './send/prepareSend.ts'
import { signTypedData } from './send/sign.ts'

const chainId = 'eip155:31337'
const all = {
  send: true,
  signMessage: true,
  signTypedData: true,
  switchNetwork: true,
  receive: true,
  balances: true,
  history: true,
  activity: true,
  nfts: true,
  names: true,
  registerName: false,
  swap: false,
  allowances: false,
  sessions: false,
  faucet: false,
  onramp: false,
}

test('default', () => {
  expect(getCapabilities(openApp(), { chainId })).toEqual({ ...all, accountSettings: false })
})

test('param: areas', () => {
  const on = { on: true, source: '' }
  const areas = { nfts: on, activity: { on: false, source: '' }, faucet: on, names: on, onramp: on }
  expect(getCapabilities(openApp(), { chainId, areas })).toMatchObject({
    nfts: true,
    activity: false,
    history: false,
    names: false,
    registerName: true,
    faucet: true,
    onramp: true,
    send: true,
  })
})

test('behavior: swaps need the server, a wallet that sends, and a router that the app itself names', () => {
  const areas = { swap: { on: true, source: '', kind: 'uniswap' } }
  const get = (config: Parameters<typeof openApp>[1]) =>
    getCapabilities(openApp({}, config), { chainId, areas }).swap
  const { swap: _, ...unknown } = latchkeyOne
  expect(get({})).toBe(true)
  expect(get({ networks: [unknown] })).toBe(false)
  expect(get({ features: { swaps: false } })).toBe(false)
  expect(getCapabilities(openApp(), { chainId }).swap).toBe(false)
})

test('behavior: swaps are not offered if the server prepares transactions that cannot be checked', () => {
  const get = (swap: AreaState) => getCapabilities(openApp(), { chainId, areas: { swap } }).swap
  expect(get({ on: true, source: '', kind: 'uniswap' })).toBe(true)
  expect(get({ on: true, source: '', kind: '1inch' })).toBe(false)
  expect(get({ on: true, source: '' })).toBe(false)
})

test('param: chainId', () => {
  const bitcoin = 'bip122:000000000019d6689c085ae165831e93'
  expect(getCapabilities(openApp(), { chainId: bitcoin })).toMatchObject({
    send: true,
    signMessage: true,
    signTypedData: false,
    receive: true,
  })
  expect(getCapabilities(openApp(), { chainId: solana.caipNetworkId })).toMatchObject({
    send: true,
    signMessage: true,
    signTypedData: false,
    switchNetwork: true,
  })
})

test('behavior: where networks usually have no node, the server must be known to have an area', () => {
  const chainId = 'polkadot:91b171bb158e2d3848fa23a9f1c25182'
  const get = (areas?: Parameters<typeof getCapabilities>[1]['areas']) =>
    getCapabilities(openApp(), { chainId, areas })
  const none = { balances: false, history: false, activity: false, nfts: false, names: false }
  expect(get()).toMatchObject(none)
  expect(get({})).toMatchObject(none)
  const on = { on: true, source: '' }
  expect(get({ balance: on, activity: on })).toMatchObject({
    ...none,
    balances: true,
    history: true,
    activity: true,
  })
})

test('behavior: without a node at the server or the app, features that need a node are off', () => {
  const config = { rpcUrls: { [chainId]: 'https://node.example' } }
  expect(getCapabilities(openApp(), { chainId, areas: {} })).toMatchObject({
    balances: false,
    send: false,
    signMessage: true,
    receive: true,
  })
  expect(getCapabilities(openApp({}, config), { chainId, areas: {} })).toMatchObject({
    balances: true,
    send: true,
  })
})

test('behavior: what the app turns off is not offered', () => {
  const app = openApp({}, { features: { send: false, history: false, receive: false } })
  expect(getCapabilities(app, { chainId })).toMatchObject({
    send: false,
    history: false,
    receive: false,
    activity: true,
    signMessage: true,
  })
})

test('behavior: a wallet that has approved some methods', async () => {
  const connector = fakeConnector({ id: 'a.one', wallet: createFakeWallet() })
  const approvedMethods = () => ['personal_sign']
  const traits = { hasLogin: true }
  const app = openApp({
    connectors: [{ ...connector, info: { ...connector.info, traits }, approvedMethods }],
  })
  await connect(app, { connectorId: 'a.one' })
  expect(getCapabilities(app, { chainId })).toEqual({
    ...all,
    send: false,
    signTypedData: false,
    accountSettings: true,
  })
  const token = { symbol: 'ETH', decimals: 18 }
  await expect(prepareSend(app, { to: bob, amount: '1', token })).rejects.toThrow(
    'The wallet does not support sending',
  )
  await expect(signTypedData(app, { typedData: {} })).rejects.toThrow('does not support typed data')
})

test.each(namespaces)('behavior: the facts and the actions of %s agree', async (namespace) => {
  const { can, node, loadActions } = namespaceMetadata[namespace]
  const actions = await loadActions?.()
  if (node) expect(actions?.balance).toBeTypeOf('function')
  expect(actions?.node !== undefined).toBe(node === 'rest')
  expect({
    send: 'send' in can,
    signMessage: 'signMessage' in can,
    signTypedData: 'signTypedData' in can,
    switchNetwork: 'switchNetwork' in can,
  }).toEqual({
    send: actions?.planTransfer !== undefined,
    signMessage: actions?.signMessage !== undefined,
    signTypedData: actions?.signTypedData !== undefined,
    switchNetwork: actions?.switchTo !== undefined,
  })
})
