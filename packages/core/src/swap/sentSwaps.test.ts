import { LatchkeyError } from '@latchkey/wire'
import { afterEach, expect, test } from 'vitest'
import { alice, bob, createFakeWallet, fakeConnector } from '../../test/fakeWallet.ts'
import { createBrowser, openApp } from '../../test/tab.ts'
import type { App } from '../app.ts'
import { connect } from '../connection/connect.ts'
import type { SwapPlan } from '../namespaces/swapPlan.ts'
import { forgetSwap, getSentSwaps, saveOutcome, saveSwap } from './sentSwaps.ts'
import { swap } from './swap.ts'

const chainId = 'eip155:31337'
const dayMs = 24 * 3_600_000
let nowMs = 1_767_225_600_000
let apps: App[] = []
afterEach(() => {
  for (const app of apps) app.destroy()
  apps = []
})

function open(browser: ReturnType<typeof createBrowser>) {
  const app = openApp({ ...browser.openTab(), now: () => nowMs })
  apps.push(app)
  return app
}

const amount = (value: bigint, symbol: string) => ({ assetId: '', value, decimals: 6, symbol })
const plan = (address = alice): SwapPlan => ({
  ...{ chainId, account: { namespace: 'eip155', address, type: 'eoa' } },
  ...{ outflows: [amount(12_500_000n, 'TUSD')], expected: amount(2n, 'GOLD') },
  ...{ minimum: amount(1n, 'GOLD'), fee: { ...amount(1n, 'ETH'), payer: 'account' } },
  ...{ steps: [], isBatch: false, execute: () => Promise.reject(new Error('Not in this test')) },
})

test('default: a swap with its result is in other tabs and after a reload, until it is forgotten', () => {
  const browser = createBrowser()
  const app = open(browser)
  const first = saveSwap(app, plan())
  const second = saveSwap(app, plan())
  expect(second.askedAtMs).not.toBe(first.askedAtMs)
  saveOutcome(app, first, { hash: '0x12' })
  saveOutcome(app, second, { callsId: '0x34' })
  const facts = { chainId, address: alice, amount: '12.5', fromSymbol: 'TUSD', toSymbol: 'GOLD' }
  const later = open(browser)
  const read = () => getSentSwaps(later, { address: alice.toLowerCase(), chainId })
  expect(read()).toMatchObject([
    { ...facts, callsId: '0x34' },
    { ...facts, hash: '0x12' },
  ])
  expect(getSentSwaps(later, { address: bob, chainId })).toEqual([])
  expect(getSentSwaps(later, { address: alice, chainId: 'eip155:31338' })).toEqual([])
  forgetSwap(later, { id: '0x12' })
  expect(read()).toMatchObject([{ callsId: '0x34' }])
  forgetSwap(app, { id: second.askedAtMs })
  expect(read()).toEqual([])
  expect([...browser.entries.keys()].some((key) => key.includes('sentSwaps'))).toBe(false)
})

test('behavior: an unopened swap is forgotten after a week, and an unreadable entry is ignored', () => {
  const app = open(createBrowser())
  saveSwap(app, plan())
  nowMs += 8 * dayMs
  expect(getSentSwaps(app, { address: alice, chainId })).toEqual([])
  app.storage.set('sentSwaps', [{ hash: 1 }])
  expect(getSentSwaps(app, { address: alice, chainId })).toEqual([])
})

test.each([
  ['was declined', 'USER_REJECTED', 0],
  ['the wallet did not answer in time', 'REQUEST_EXPIRED', 1],
  ['the wallet answered with what is no hash', 'WALLET_ANSWER_INVALID', 1],
  ['was never asked for', 'SWAP_PRICE_MOVED', 0],
] as const)('error: a swap that %s (%s) is remembered %i times', async (_, code, count) => {
  const connectors = [fakeConnector({ id: 'test.wallet', wallet: createFakeWallet() })]
  const app = openApp({ ...createBrowser().openTab(), now: () => nowMs, connectors })
  apps.push(app)
  await connect(app, { connectorId: 'test.wallet' })
  const execute = () => Promise.reject(new LatchkeyError(code))
  await expect(swap(app, { plan: { ...plan(), execute } })).rejects.toThrow()
  expect(getSentSwaps(app, { address: alice, chainId })).toHaveLength(count)
})
