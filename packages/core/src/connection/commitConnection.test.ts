import { expect, test } from 'vitest'
import { alice, createFakeWallet, fakeConnector } from '../../test/fakeWallet.ts'
import { createBrowser, openApp } from '../../test/tab.ts'
import { solana } from '../networks.ts'
import { commitConnection } from './commitConnection.ts'
import type { ConnectResult } from './connectors/connector.ts'

const connectorId = 'a.one'
const address = '4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ4sGjMW1sUnHz'
const evm: ConnectResult = {
  accounts: [{ namespace: 'eip155', address: alice, type: 'eoa' }],
  chainId: 'eip155:31337',
}
const other: ConnectResult = {
  accounts: [{ namespace: 'solana', address, type: 'eoa' }],
  chainId: solana.caipNetworkId,
}
const open = () => {
  const connectors = [fakeConnector({ id: connectorId, wallet: createFakeWallet() })]
  return openApp({ ...createBrowser().openTab(), connectors })
}
const statuses = ({ store }: ReturnType<typeof open>) => {
  const { eip155, solana: second } = store.getState().connections
  return [eip155.status, second.status]
}

test('default', () => {
  const app = open()
  const result = { ...evm, others: [other] }
  expect(commitConnection(app, { connectorId, result, origin: 'approved' })).toBe(true)
  expect(statuses(app)).toEqual(['connected', 'connected'])
  expect(Object.keys(app.storage.get('connections') ?? {})).toEqual(['eip155', 'solana'])
  expect(app.store.getState().activeChainId).toBe('eip155:31337')
})

test('param: origin: what was left is connected by an approval alone', () => {
  const app = open()
  app.storage.set('disconnected', [connectorId])
  for (const origin of ['silent', 'otherTab'] as const)
    expect(commitConnection(app, { connectorId, result: evm, origin })).toBe(false)
  expect(statuses(app)).toEqual(['disconnected', 'disconnected'])
  expect(commitConnection(app, { connectorId, result: evm, origin: 'approved' })).toBe(true)
  expect(app.storage.get('disconnected')).toEqual([])
})

test('param: origin: an approval is all that there is, another find is one namespace of it', () => {
  const app = open()
  const result = { ...evm, others: [other] }
  commitConnection(app, { connectorId, result, origin: 'approved' })
  commitConnection(app, { connectorId, result: evm, origin: 'silent' })
  expect(statuses(app)).toEqual(['connected', 'connected'])
  commitConnection(app, { connectorId, result: evm, origin: 'approved' })
  expect(statuses(app)).toEqual(['connected', 'disconnected'])
})

test('param: origin: what another tab has saved is not saved again', () => {
  const app = open()
  commitConnection(app, { connectorId, result: evm, origin: 'otherTab' })
  expect(statuses(app)).toEqual(['connected', 'disconnected'])
  expect(app.storage.get('connections')).toBeUndefined()
})

test('param: into and selects', () => {
  const app = open()
  const result = { ...evm, others: [other] }
  commitConnection(app, { connectorId, result, origin: 'approved', into: ['solana'] })
  expect(statuses(app)).toEqual(['disconnected', 'connected'])
  commitConnection(app, { connectorId, result: evm, origin: 'approved', selects: true })
  expect(app.store.getState().activeChainId).toBe('eip155:31337')
})
