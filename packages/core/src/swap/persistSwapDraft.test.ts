import { LatchkeyError } from '@latchkey/wire'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  alice,
  bob,
  createFakeWallet,
  type FakeWallet,
  fakeConnector,
} from '../../test/fakeWallet.ts'
import { createBrowser, openApp, settle } from '../../test/tab.ts'
import { connect } from '../connection/connect.ts'
import { disconnect } from '../connection/disconnect.ts'
import type { SwapPlan } from '../namespaces/swapPlan.ts'
import { selectNetwork } from '../network/selectNetwork.ts'
import { emptyDrafts } from '../state.ts'
import { persistSwapDraft } from './persistSwapDraft.ts'
import { setSwapDraft } from './setSwapDraft.ts'
import { swap } from './swap.ts'

const chainId = 'eip155:31337'
const hourMs = 3_600_000
const ether = { symbol: 'ETH', name: 'Ether', decimals: 18, iconUrl: '' }
const gold = {
  ...{ symbol: 'GOLD', name: 'Gold', decimals: 6, iconUrl: '', isUnlisted: true },
  address: '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0',
} as const
const draft = { from: ether, to: gold, amount: '1.5', slippage: 3 } as const

let nowMs = 1_767_225_600_000
let browser: ReturnType<typeof createBrowser>
/** The storage of one tab, which another one does not see. */
let tab: ReturnType<typeof createBrowser>
let wallet: FakeWallet
let apps: ReturnType<typeof openApp>[]
beforeEach(() => {
  browser = createBrowser()
  tab = createBrowser()
  wallet = createFakeWallet()
  apps = []
})
afterEach(() => {
  for (const app of apps) app.destroy()
})

function open({ tabArea = tab.openTab().area } = {}) {
  const connectors = [fakeConnector({ id: 'test.wallet', wallet })]
  const app = openApp({ ...browser.openTab(), tabArea, now: () => nowMs, connectors })
  apps.push(app)
  return app
}

/** A filled-in form whose page was then closed. */
async function leave() {
  const app = open()
  await connect(app, { connectorId: 'test.wallet' })
  persistSwapDraft(app)
  setSwapDraft(app, draft)
  app.destroy()
}

/** The form that a page shows which is loaded again. */
function reload(parameters?: Parameters<typeof open>[0]) {
  const app = open(parameters)
  persistSwapDraft(app)
  return app.store.getState().swapDraft
}

const plan: SwapPlan = {
  ...{ chainId, account: { namespace: 'eip155', address: alice, type: 'eoa' } },
  outflows: [{ assetId: '', value: 15n, decimals: 1, symbol: 'ETH' }],
  expected: { assetId: '', value: 2n, decimals: 6, symbol: 'GOLD' },
  minimum: { assetId: '', value: 1n, decimals: 6, symbol: 'GOLD' },
  fee: { assetId: '', value: 1n, decimals: 18, symbol: 'ETH', payer: 'account' },
  ...{ steps: [], isBatch: false, execute: () => Promise.resolve({ hash: '0x12' }) },
}

test('default: the form is there again in the same tab, and in no other', async () => {
  await leave()
  expect(reload()).toEqual(draft)
  expect(reload()).toEqual(draft)
  expect(reload({ tabArea: createBrowser().openTab().area })).toBe(emptyDrafts.swapDraft)
  expect([...browser.entries.keys()].some((key) => key.includes('swapDraft'))).toBe(false)
})

test('behavior: what was chosen since the page was loaded wins, and is kept in its place', async () => {
  await leave()
  const app = open()
  setSwapDraft(app, { from: gold, amount: '' })
  persistSwapDraft(app)
  expect(app.store.getState().swapDraft).toEqual({ from: gold, amount: '', slippage: 1 })
  expect(reload()).toEqual({ from: gold, amount: '', slippage: 1 })
})

test('behavior: it is gone an hour after its last change', async () => {
  await leave()
  nowMs += hourMs - 1
  expect(reload()).toEqual(draft)
  nowMs += 1
  expect(reload()).toBe(emptyDrafts.swapDraft)
  expect(tab.entries.size).toBe(0)
})

test.each<[string, (app: ReturnType<typeof open>) => unknown]>([
  ['another account', () => wallet.emit('accountsChanged', [bob])],
  ['another network', (app) => selectNetwork(app, 'eip155:31338')],
  ['no account', (app) => disconnect(app)],
])('behavior: %s ends it', async (_, change) => {
  const app = open()
  await connect(app, { connectorId: 'test.wallet' })
  persistSwapDraft(app)
  setSwapDraft(app, draft)
  expect(tab.entries.size).toBe(1)
  await change(app)
  await settle()
  expect(tab.entries.size).toBe(0)
})

test('behavior: a form of another account is not filled in, even if the change went unnoticed', async () => {
  await leave()
  const [[key, entry = ''] = ['']] = tab.entries
  tab.entries.set(key, entry.replace(alice, bob))
  expect(reload()).toBe(emptyDrafts.swapDraft)
  expect(tab.entries.size).toBe(0)
})

test('behavior: it is removed when the wallet prompts, and restored if the user rejects', async () => {
  const app = open()
  await connect(app, { connectorId: 'test.wallet' })
  persistSwapDraft(app)
  setSwapDraft(app, draft)
  const sizes: number[] = []
  const ask = (code?: 'USER_REJECTED' | 'REQUEST_EXPIRED') => async () => {
    sizes.push(tab.entries.size)
    if (code) throw new LatchkeyError(code)
    return { hash: '0x12' }
  }
  await expect(swap(app, { plan: { ...plan, execute: ask('USER_REJECTED') } })).rejects.toThrow()
  expect(tab.entries.size).toBe(1)
  // The wallet may have sent it.
  await expect(swap(app, { plan: { ...plan, execute: ask('REQUEST_EXPIRED') } })).rejects.toThrow()
  expect(tab.entries.size).toBe(0)
  setSwapDraft(app, draft)
  await swap(app, { plan: { ...plan, execute: ask() } })
  expect(tab.entries.size).toBe(0)
  expect(sizes).toEqual([0, 0, 0])
})

test.each([
  ['no amount', { amount: undefined }],
  ['an amount that is no text', { amount: 1 }],
  ['a slippage that nobody may choose', { slippage: 51 }],
  ['no slippage', { slippage: null }],
  ['a token with half a decimal', { to: { ...gold, decimals: 0.5 } }],
  ['a token with too many decimals', { to: { ...gold, decimals: 78 } }],
  ['a token whose address is none', { to: { ...gold, address: '0x12' } }],
  ['a token that is none', { from: [] }],
])('error: %s: what cannot be read is no form', async (_, wrong) => {
  await leave()
  const [[key, entry = ''] = ['']] = tab.entries
  const saved = JSON.parse(entry) as { value: { draft: object } }
  Object.assign(saved.value.draft, wrong)
  tab.entries.set(key, JSON.stringify(saved))
  expect(reload()).toBe(emptyDrafts.swapDraft)
  expect(tab.entries.size).toBe(0)
})

test('error: a tab without storage has the form as long as the page', async () => {
  const app = open({ tabArea: undefined })
  await connect(app, { connectorId: 'test.wallet' })
  persistSwapDraft(app)
  setSwapDraft(app, draft)
  expect(app.store.getState().swapDraft).toEqual(draft)
})
