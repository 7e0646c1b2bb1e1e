import { isConnected, openModal } from '@latchkey/core'
import { LatchkeyError } from '@latchkey/wire'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import '../../src/theme.css'
import type { FrameScript } from '../frame/main.ts'
import { alice, bob, nodeAnswer, testApp } from '../testApp.ts'
import { violations } from '../violations.ts'

const first = `0x${'11'.repeat(32)}`
const second = `0x${'22'.repeat(32)}`
const sent = { hash: first, from: alice, nonce: '0x1', to: bob, value: '0x1', input: '0x' }
const waiting = { hash: first, earlier: [], isCancelled: false, canBeReplaced: true }

let script: FrameScript
let pending: object[]
let asked: unknown[]
/** The status of a batch that is sent as single transactions. */
let batch: object
/** The response to a replacement; the page waits for the user until the test calls it. */
let decide: ((answer: string | LatchkeyError<'INSUFFICIENT_GAS'>) => void) | undefined
/**
 * The transaction that the chain has included with the nonce, and whether its nodes still know the
 * first one.
 */
let included: object | undefined
let isKnown: boolean
/** Whether the server's history has the transaction. */
let isListed: boolean
beforeEach(async () => {
  script = { calls: [], answers: {} }
  pending = [waiting]
  asked = []
  batch = { status: 100, chainId: '0x7a69', receipts: [] }
  decide = undefined
  included = undefined
  isKnown = true
  isListed = true
  Object.assign(window, { frameScript: script })
  script.answers.APP_CONNECT_EMAIL = () => ({ action: 'CONNECT' })
  script.answers.APP_RPC_REQUEST = ({ method, params }) => {
    if (method === 'wallet_getPendingTransactions') return pending
    if (method === 'wallet_getCallsStatus') return batch
    if (method !== 'wallet_replaceTransaction') return null
    asked.push(params)
    return new Promise((resolve, reject) => {
      decide = (answer) => (typeof answer === 'string' ? resolve(answer) : reject(answer))
    })
  }
  await page.viewport(390, 844)
})
afterEach(() => page.viewport(1280, 860))

const answer = (hash: string) => decide?.(hash)
const dialog = () => page.getByRole('dialog')
const button = (name: string) => dialog().getByRole('button', { name, exact: true })

const history = () => ({
  data: isListed
    ? [
        {
          id: '1',
          metadata: {
            operationType: 'send',
            hash: first,
            minedAt: new Date().toISOString(),
            sentFrom: alice,
            sentTo: bob,
            status: 'pending',
            nonce: 1,
            chain: 'eip155:31337',
          },
          transfers: [],
        },
      ]
    : [],
  next: null,
})

function answerRpc(method: string, params: unknown) {
  const [hash] = params as unknown[]
  if (method === 'eth_getTransactionReceipt')
    return included && hash === second ? { status: '0x1' } : null
  if (method === 'eth_getTransactionByHash') return isKnown ? sent : null
  if (method === 'eth_getTransactionCount') return included ? '0x2' : '0x1'
  if (method === 'eth_getBlockByNumber' && included)
    return { number: '0x2', transactions: [{ ...sent, hash: second, ...included }] }
  return nodeAnswer(method, params)
}

async function logIn() {
  const app = testApp({ frameUrl: location.origin }, { rpc: answerRpc, history })
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  openModal(app)
  await dialog().getByRole('textbox', { name: 'Email address' }).fill('ada@mail.example')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => isConnected(app.store.getState().connections.eip155)).toBe(true)
  await expect.poll(() => app.store.getState().modal.open).toBe(false)
  return app
}

const openSent = async () => {
  const app = await logIn()
  openModal(app, { view: { name: 'SendConfirmed', hash: first } })
  await expect.element(button('Speed up')).toBeVisible()
  return app
}

test('default: a pending transfer is sped up by keyboard, and the wait continues although nodes forget it', async () => {
  await openSent()
  expect(await violations()).toEqual([])
  for (const name of ['Speed up', 'Cancel transaction']) {
    const { height, left, right } = button(name).element().getBoundingClientRect()
    expect(height).toBeGreaterThanOrEqual(44)
    expect(left).toBeGreaterThanOrEqual(0)
    expect(right).toBeLessThanOrEqual(390)
  }
  ;(button('Speed up').element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => asked).toEqual([[{ hash: first, action: 'speedUp' }]])
  await expect.poll(() => decide).toBeDefined()
  isKnown = false
  pending = [{ ...waiting, hash: second, earlier: [first] }]
  decide?.(second)
  await expect.element(button('Speed up')).toBeVisible()
  included = {}
  await expect.element(dialog().getByText('Transfer complete')).toBeVisible()
  await expect.element(dialog().getByText(/You sped it up/)).toBeVisible()
  await expect.element(button('Speed up')).not.toBeInTheDocument()
})

test('behavior: a cancellation can only be sped up, and the transfer is canceled once it is included', async () => {
  await openSent()
  await button('Cancel transaction').click()
  await expect.poll(() => asked).toEqual([[{ hash: first, action: 'cancel' }]])
  isKnown = false
  pending = [{ ...waiting, hash: second, earlier: [first], isCancelled: true }]
  decide?.(second)
  await expect.element(dialog().getByText(/You asked to cancel it/)).toBeVisible()
  await expect.element(button('Speed up the cancellation')).toBeVisible()
  await expect.element(button('Speed up')).not.toBeInTheDocument()
  expect(await violations()).toEqual([])
  included = { to: alice, value: '0x0' }
  await expect.element(dialog().getByText('Transfer canceled')).toBeVisible()
})

test('error: shows why it was not replaced, and can try again', async () => {
  await openSent()
  await button('Speed up').click()
  await expect.poll(() => decide).toBeDefined()
  decide?.(new LatchkeyError('INSUFFICIENT_GAS', { data: { symbol: 'ETH' } }))
  await expect.element(page.getByText('Not enough ETH to pay the network fee')).toBeVisible()
  await expect.element(button('Speed up')).toBeVisible()
})

test('behavior: what this page cannot replace has no buttons; the activity has them for pending transactions', async () => {
  pending = []
  const app = await logIn()
  openModal(app, { view: { name: 'Transactions' } })
  await expect.element(dialog().getByText('Pending')).toBeVisible()
  const isAsked = () => script.calls.filter((call) => call === 'APP_RPC_REQUEST').length > 0
  await expect.poll(isAsked).toBe(true)
  await expect.element(button('Speed up')).not.toBeInTheDocument()
  pending = [waiting]
  openModal(app, { view: { name: 'SendConfirmed', hash: first } })
  await expect.element(button('Speed up')).toBeVisible()
  openModal(app, { view: { name: 'Transactions' } })
  await expect
    .element(dialog().getByRole('group', { name: /^Pending transaction 0x/ }))
    .toBeVisible()
  expect(await violations()).toEqual([])
  await button('Cancel transaction').click()
  await expect.poll(() => asked).toEqual([[{ hash: first, action: 'cancel' }]])
})

test('default: the pending transaction of a batch is sped up, and the next transaction is canceled', async () => {
  pending = [
    { ...waiting, hash: `0x${'33'.repeat(32)}` },
    { ...waiting, batchId: 'mine' },
  ]
  const app = await logIn()
  openModal(app, { view: { name: 'CallsStatus', id: 'mine', namespace: 'eip155' } })
  await button('Speed up').click()
  await expect.poll(() => asked).toEqual([[{ hash: first, action: 'speedUp' }]])
  await expect.poll(() => decide).toBeDefined()
  pending = [{ ...waiting, hash: second, batchId: 'mine' }]
  batch = { ...batch, receipts: [{ transactionHash: first, status: '0x1' }] }
  answer(first)
  const group = dialog().getByRole('group', { name: /^Pending transaction 0x22/ })
  await expect.element(group).toBeVisible()
  expect(await violations()).toEqual([])
  decide = undefined
  await button('Cancel transaction').click()
  await expect.poll(() => asked.at(-1)).toEqual([{ hash: second, action: 'cancel' }])
  await expect.poll(() => decide).toBeDefined()
  pending = []
  batch = { ...batch, status: 600 }
  answer(second)
  await expect.element(dialog().getByText('Only a part took effect')).toBeVisible()
  await expect.element(dialog().getByText(/refused or canceled/)).toBeVisible()
  await expect.element(button('Speed up')).not.toBeInTheDocument()
})

test('default: the activity has the buttons before the history has the transaction', async () => {
  isListed = false
  const app = await logIn()
  openModal(app, { view: { name: 'Transactions' } })
  const list = dialog().getByRole('list', { name: 'Waiting for the network' })
  await expect.element(list).toBeVisible()
  expect(await violations()).toEqual([])
  await button('Cancel transaction').click()
  await expect.poll(() => asked).toEqual([[{ hash: first, action: 'cancel' }]])
  await expect.poll(() => decide).toBeDefined()
  pending = [{ ...waiting, hash: second, earlier: [first], isCancelled: true }]
  answer(second)
  await expect.element(list.getByText(/You asked to cancel it/)).toBeVisible()
  await button('Speed up the cancellation').click()
  await expect.poll(() => asked.at(-1)).toEqual([{ hash: first, action: 'cancel' }])
})
