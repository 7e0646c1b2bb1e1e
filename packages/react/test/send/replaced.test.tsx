import { connect, openModal } from '@latchkey/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import '../../src/theme.css'
import { alice, announce, bob, createFakeWallet, nodeAnswer, testApp } from '../testApp.ts'
import { violations } from '../violations.ts'

const first = `0x${'11'.repeat(32)}`
const second = `0x${'22'.repeat(32)}`
const sent = { hash: first, from: alice, nonce: '0x1', to: bob, value: '0x1', input: '0x' }

const wallet = createFakeWallet()
let silence: () => void
beforeEach(async () => {
  await page.viewport(390, 844)
  silence = announce([{ name: 'Fieldwork', wallet }])
})
afterEach(async () => {
  silence()
  await page.viewport(1280, 860)
})

const dialog = () => page.getByRole('dialog')

/**
 * Shows a transfer. By default the transaction is pending at the node, in no block; `answers`
 * changes that.
 */
async function show(answers: Record<string, (params: unknown[]) => unknown>) {
  const waiting: typeof answers = {
    eth_getTransactionReceipt: ([hash]) => (hash === second ? { status: '0x1' } : null),
    eth_getTransactionByHash: () => sent,
  }
  const all = { ...waiting, ...answers }
  const rpc = (method: string, params: unknown) =>
    all[method] ? all[method](params as unknown[]) : nodeAnswer(method, params)
  const app = testApp({}, { rpc })
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
  openModal(app, { view: { name: 'SendConfirmed', hash: first } })
}

/** Responses of a node in whose block another transaction has used the nonce. */
const taken = (other: object) => ({
  eth_getTransactionCount: () => '0x2',
  eth_getBlockByNumber: ([block]: unknown[]) =>
    block === 'finalized'
      ? { number: '0x0' }
      : { number: '0x2', transactions: [{ ...sent, hash: second, ...other }] },
})

test('default: a transfer that was sped up is complete, and its new transaction is shown', async () => {
  await show(taken({}))
  await expect.element(dialog().getByText('Transfer complete')).toBeVisible()
  await expect.element(dialog().getByText(/You sped it up in your wallet/)).toBeVisible()
  await expect.element(dialog().getByTitle(second)).toBeVisible()
  expect(await violations()).toEqual([])
})

test('behavior: a transfer that was canceled or replaced shows that', async () => {
  await show(taken({ to: alice, value: '0x0' }))
  await expect.element(dialog().getByText('Transfer canceled')).toBeVisible()
  await expect.element(dialog().getByText(/Nothing was transferred/)).toBeVisible()
  expect(await violations()).toEqual([])
})

test('behavior: a transfer in whose place something else was sent says so', async () => {
  await show(taken({ value: '0x5' }))
  await expect.element(dialog().getByText('Transfer replaced')).toBeVisible()
  await expect.element(dialog().getByText(/Another transaction from this account/)).toBeVisible()
})

test('behavior: an account of several owners waits for them, and then shows the transaction', async () => {
  let status: number | string = 100
  wallet.answers.wallet_getCallsStatus = () => ({
    version: '2.0.0',
    id: first,
    chainId: '0x7a69',
    status,
    atomic: true,
    receipts: status === 100 ? [] : [{ transactionHash: second, status: '0x1' }],
  })
  await show({ eth_getTransactionByHash: () => null, eth_getCode: () => '0x6001' })
  await expect.element(dialog().getByText('Waiting for other owners')).toBeVisible()
  await expect.element(dialog().getByText(/once enough of them have confirmed it/)).toBeVisible()
  expect(await violations()).toEqual([])
  status = '200'
  await expect.element(dialog().getByText('Transfer complete')).toBeVisible()
  await expect.element(dialog().getByTitle(second)).toBeVisible()
  delete wallet.answers.wallet_getCallsStatus
})
