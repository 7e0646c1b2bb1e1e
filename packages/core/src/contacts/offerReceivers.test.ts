import type { HistoryTransaction } from '@latchkey/wire'
import { afterEach, expect, test } from 'vitest'
import { alice, createFakeWallet, fakeConnector } from '../../test/fakeWallet.ts'
import { createBrowser, openApp } from '../../test/tab.ts'
import type { App } from '../app.ts'
import { connect } from '../connection/connect.ts'
import { offerReceivers } from './offerReceivers.ts'

const chainId = 'eip155:31337'
const solana = 'So11111111111111111111111111111111111111112'
/** Different addresses that do not resemble each other. */
const address = (digit: number) => `0x${String(digit).repeat(40)}`

const sent = (to: string, operationType = 'send'): HistoryTransaction => ({
  id: to,
  metadata: {
    ...{ operationType, hash: '0x1', minedAt: '2026-01-01T00:00:00Z', sentFrom: alice, sentTo: to },
    ...{ status: 'confirmed', nonce: 1, chain: chainId },
  },
  transfers: [{ direction: 'out', quantity: { numeric: '1' } }],
})

let apps: App[] = []
afterEach(() => {
  for (const app of apps) app.destroy()
  apps = []
})

async function open({ recipients = [] as string[] } = {}) {
  const connectors = [fakeConnector({ id: 'a.b', wallet: createFakeWallet() })]
  const app = openApp({ connectors, ...createBrowser().openTab() })
  apps.push(app)
  app.storage.set('recipients', recipients)
  await connect(app, { connectorId: 'a.b' })
  const contacts = [
    { namespace: 'eip155', name: 'Ada L.', address: address(1) },
    { namespace: 'solana', name: 'Adam', address: solana },
    { namespace: 'eip155', name: 'bob.eth', address: address(2) },
  ] as const
  app.store.setState({ contacts })
  return (typed: string, transactions: readonly HistoryTransaction[] = []) =>
    offerReceivers(app, { chainId, typed, contacts, transactions })
}

test('default: contacts of the namespace, then the latest receivers, each once and five at most', async () => {
  const offer = await open({ recipients: [address(3), address(1), address(4)] })
  const history = [7, 6, 5, 1, 4].map((digit) => sent(address(digit)))
  expect(offer('', [...history, sent(alice), sent(address(8))])).toEqual([
    { name: 'Ada L.', address: address(1) },
    { name: 'bob.eth', address: address(2) },
    ...[7, 6, 5, 4, 8].map((digit) => ({ address: address(digit) })),
  ])
  expect(offer('').slice(2)).toEqual([{ address: address(4) }, { address: address(3) }])
})

test('behavior: finds a contact by a part of its name, and an address by its beginning', async () => {
  const offer = await open({ recipients: [address(3)] })
  expect(offer('aDaL')).toEqual([{ name: 'Ada L.', address: address(1) }])
  expect(offer('BOB.ETH')).toEqual([{ name: 'bob.eth', address: address(2) }])
  expect(offer('0X33')).toEqual([{ address: address(3) }])
  expect(offer('0x11')).toEqual([{ name: 'Ada L.', address: address(1) }])
  for (const typed of [address(3), 'nothing']) expect(offer(typed)).toEqual([])
})

test('security: no called contract, no lookalike and no address of another namespace is offered', async () => {
  const imitation = `0x3333${'0'.repeat(32)}3333`
  const offer = await open({ recipients: [address(3), imitation, solana] })
  const history = [sent(address(5), 'trade'), sent(`0x${'0'.repeat(40)}`)]
  expect(offer('', history).slice(2)).toEqual([{ address: address(3) }])
})
