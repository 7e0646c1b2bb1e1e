import { findLookalike, type HistoryTransaction } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { alice, bob, createFakeWallet, fakeConnector } from '../../test/fakeWallet.ts'
import { createBrowser, openApp } from '../../test/tab.ts'
import { connect } from '../connection/connect.ts'
import {
  getKnownAddresses,
  getPastRecipients,
  readLatestTransactions,
  rememberRecipients,
} from './knownAddresses.ts'

const shop = '0x00000000000000000000000000000000000c0De8'
const thief = '0x0000000000000000000000000000000000000bad'

const row = (
  { from, to }: { from: string; to: string },
  { numeric = '1', status = 'confirmed' as const, direction = 'out' as const } = {},
): HistoryTransaction => ({
  id: `${from} ${to}`,
  metadata: {
    ...{ operationType: 'send', hash: '0x1', minedAt: '2026-01-01T00:00:00Z' },
    ...{ sentFrom: from, sentTo: to, status, nonce: 1, chain: 'eip155:31337' },
  },
  transfers: [{ direction, quantity: { numeric } }],
})

async function open(fetch?: typeof globalThis.fetch) {
  const browser = createBrowser()
  const connectors = [fakeConnector({ id: 'a.b', wallet: createFakeWallet() })]
  const openTab = () => openApp({ connectors, ...browser.openTab(), ...(fetch && { fetch }) })
  const app = openTab()
  await connect(app, { connectorId: 'a.b' })
  return { app, openTab }
}

const steps = (...receivers: string[]) =>
  receivers.map((to) => ({
    kind: 'transfer' as const,
    to,
    isToContract: false,
    amount: {} as never,
  }))

test('default: accounts come first, then recipients of this browser, then of the history, oldest first', async () => {
  const { app } = await open()
  rememberRecipients(app, { steps: steps(shop) })
  const history = [row({ from: alice, to: thief }), row({ from: alice, to: bob })]
  expect(getKnownAddresses(app, history).slice(-3)).toEqual([shop, bob, thief])
  expect(getKnownAddresses(app, history)[0]).toBe(alice)
})

test('security: an imitation that was saved as a contact is still the imitation', async () => {
  const { app } = await open()
  const imitation = `${bob.slice(0, 6)}${'0'.repeat(30)}${bob.slice(-6)}`
  const contacts = [{ namespace: 'eip155', name: 'Bob', address: imitation }] as const
  app.store.setState({ contacts })
  const history = [row({ from: alice, to: bob })]
  const inHistory = getKnownAddresses(app, history)
  rememberRecipients(app, { steps: steps(bob) })
  for (const known of [inHistory, getKnownAddresses(app, [])]) {
    expect(findLookalike(imitation, known)).toBe(bob)
    expect(findLookalike(bob, known)).toBeUndefined()
  }
})

test('default: past recipients, the latest first, without the contracts that were called', async () => {
  const { app } = await open()
  rememberRecipients(app, { steps: steps(shop) })
  const { metadata, ...called } = row({ from: alice, to: thief })
  const trade = { ...called, metadata: { ...metadata, operationType: 'trade' } }
  expect(getPastRecipients(app, [trade, row({ from: alice, to: bob })])).toEqual([bob, shop])
})

test('behavior: what others sent, sent nothing, or did not succeed makes no address known', async () => {
  const { app } = await open()
  const history = [
    row({ from: thief, to: alice }, { direction: 'in' as never }),
    row({ from: alice, to: thief }, { numeric: '0' }),
    row({ from: alice, to: thief }, { status: 'failed' as never }),
  ]
  expect(getKnownAddresses(app, history)).not.toContain(thief)
})

test('behavior: recipients are kept between visits, once each, two hundred at most', async () => {
  const { app, openTab } = await open()
  rememberRecipients(app, { steps: steps(shop, bob, shop) })
  expect(openTab().storage.get('recipients')).toEqual([shop, bob])
  rememberRecipients(app, { steps: steps(...Array.from({ length: 250 }, (_, at) => `0x${at}`)) })
  expect(app.storage.get('recipients')).toHaveLength(200)
  expect(app.storage.get('recipients')?.at(-1)).toBe('0x249')
})

test('error: without a server, the addresses of this browser are known', async () => {
  const { app } = await open()
  rememberRecipients(app, { steps: steps(shop) })
  const question = { address: alice, chainId: 'eip155:31337' } as const
  expect(getKnownAddresses(app, await readLatestTransactions(app, question))).toContain(shop)
  expect(app.store.getState().toast).toBeUndefined()
})
