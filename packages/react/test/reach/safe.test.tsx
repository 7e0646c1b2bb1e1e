import { latchkeyOne } from '@latchkey/core/internal'
import { afterEach, expect, test } from 'vitest'
import type { SafePage } from './safePage.tsx'

const safeAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const word = (text: string) => text.padStart(64, '0')
const hash = (mark: string) => `0x${mark.repeat(64)}`

/** The Safe's web app is on another origin than the page in its frame and this test. */
const safeOrigin = await (await fetch('/origin-of-safe')).text()

type SafeMessage = { id: string; method: string; params: unknown }
type Answers = Record<string, (params: never) => unknown>

let close = () => {}
afterEach(() => close())

/**
 * A Safe's web app, limited to its messages to the page in its frame. `asked` are the requests, in
 * order.
 */
function openSafeApp({
  answers = {},
  allowed = safeOrigin,
  hint = '',
}: {
  answers?: Answers
  allowed?: string
  /** With `&hint`, the page shows the pending proposal. */
  hint?: string
} = {}) {
  const asked: SafeMessage[] = []
  const known: Answers = {
    getSafeInfo: () => ({
      ...{ safeAddress, chainId: 31337, threshold: 2, owners: [bob, safeAddress], nonce: 7 },
      isReadOnly: false,
    }),
    safe_setSettings: (settings) => settings,
    ...answers,
  }
  const frame = document.createElement('iframe')
  const answer = async ({ source, origin, data }: MessageEvent<SafeMessage>) => {
    if (source !== frame.contentWindow || typeof data?.method !== 'string') return
    expect(origin).toBe(safeOrigin)
    asked.push(data)
    const { id, method, params } = data
    const reply = (body: object) =>
      frame.contentWindow?.postMessage({ id, version: '9.1.0', ...body }, safeOrigin)
    try {
      const find = known[method]
      if (!find) throw new Error(`No ${method}`)
      reply({ success: true, data: await find(params as never) })
    } catch (error) {
      reply({ success: false, error: (error as Error).message })
    }
  }
  window.addEventListener('message', answer)
  const inside = `${location.origin}/in-a-safe?allowed=${encodeURIComponent(allowed)}${hint}`
  frame.src = `${safeOrigin}/?page=${encodeURIComponent(inside)}`
  document.body.append(frame)
  close = () => {
    window.removeEventListener('message', answer)
    frame.remove()
  }
  // Of this test's origin, so that it may look inside.
  const getWindow = () => frame.contentWindow?.[0] as (Window & { safePage?: SafePage }) | undefined
  const getPage = () => getWindow()?.safePage
  const getText = () => getWindow()?.document.body.textContent
  const getConnection = () => getPage()?.app.store.getState().connections.eip155
  const ask = (method: string, ...params: unknown[]) => {
    const page = getPage()
    if (!page) throw new Error('The page is not there')
    return page.ask(method, params)
  }
  const find = (method: string) => asked.filter((each) => each.method === method)
  return { asked, find, ask, getWindow, getPage, getText, getConnection }
}

/** Opens it and waits until the page in it is connected. */
async function openConnected(answers: Answers = {}, hint = '') {
  const safeApp = openSafeApp({ answers, hint })
  await expect.poll(() => safeApp.getConnection()?.status).toBe('connected')
  return safeApp
}

test('default: connects by itself, and a transaction is done once its confirmations are there', async () => {
  let looks = 0
  const { getConnection, find, ask, getWindow, getPage, getText } = await openConnected({
    sendTransactions: () => ({ safeTxHash: hash('a') }),
    getTxBySafeTxHash: () => {
      looks += 1
      return looks === 1
        ? { txStatus: 'AWAITING_CONFIRMATIONS', txHash: null }
        : { txStatus: 'SUCCESS', txHash: hash('b') }
    },
  })
  expect(getConnection()).toMatchObject({
    connectorId: 'safe',
    account: { address: safeAddress, type: 'smartAccount' },
    chainId: 'eip155:31337',
  })
  const sent = await ask('eth_sendTransaction', { from: safeAddress, to: bob, value: '0xa' })
  expect(sent).toBe(hash('b'))
  expect(find('sendTransactions').map(({ params }) => params)).toEqual([
    { txs: [{ to: bob, value: '10', data: '0x' }] },
  ])
  expect(find('getTxBySafeTxHash')).toHaveLength(2)
  // The account is shown without a click.
  expect(getPage()?.app.store.getState().modal.open).toBe(false)
  await expect.poll(getText).toContain('0x5F')
  expect(getWindow()?.location.ancestorOrigins[0]).toBe(safeOrigin)
  await getPage()?.showWallets()
  await expect.poll(getText).toContain('SafeRecent')
})

test('behavior: all owners sign, a message and typed data', async () => {
  let looks = 0
  const { ask, find } = await openConnected({
    signMessage: () => ({ messageHash: hash('c') }),
    getOffChainSignature: () => {
      looks += 1
      return looks === 1 ? '' : `0x${'ab'.repeat(130)}`
    },
    signTypedMessage: () => ({ signature: `0x${'cd'.repeat(65)}` }),
  })
  expect(await ask('personal_sign', '0x48656c6c6f', safeAddress)).toBe(`0x${'ab'.repeat(130)}`)
  expect(find('signMessage')[0]?.params).toEqual({ message: 'Hello' })
  expect(find('safe_setSettings')[0]?.params).toEqual([{ offChainSigning: true }])
  const typedData = { types: { A: [] }, domain: {}, primaryType: 'A', message: {} }
  expect(await ask('eth_signTypedData_v4', safeAddress, JSON.stringify(typedData))).toBe(
    `0x${'cd'.repeat(65)}`,
  )
  expect(find('signTypedMessage')[0]?.params).toEqual({ typedData })
})

test('behavior: a batch is one transaction of the Safe, and its status is reported', async () => {
  const { ask, find } = await openConnected({
    sendTransactions: () => ({ safeTxHash: hash('a') }),
    getTxBySafeTxHash: () => ({ txStatus: 'AWAITING_EXECUTION', txHash: null }),
  })
  const calls = [
    { to: bob, data: '0x1234' },
    { to: safeAddress, value: '0x1' },
  ]
  const batch = {
    ...{ version: '2.0.0', chainId: '0x7a69', from: safeAddress, atomicRequired: true },
    calls: calls.map((call) => ({ data: '0x', value: '0x0', ...call })),
  }
  expect(await ask('wallet_sendCalls', batch)).toMatchObject({ id: hash('a') })
  expect(find('sendTransactions')[0]?.params).toEqual({
    txs: [
      { to: bob, value: '0', data: '0x1234' },
      { to: safeAddress, value: '1', data: '0x' },
    ],
  })
  expect(await ask('wallet_getCallsStatus', hash('a'))).toMatchObject({ status: 100 })
})

test('behavior: a swap is one transaction of the Safe, with an allowance of exactly the amount before it', async () => {
  const { getPage, find } = await openConnected({
    sendTransactions: () => ({ safeTxHash: hash('a') }),
  })
  expect(await getPage()?.swap()).toEqual({ callsId: hash('a') })
  const [{ txs } = { txs: [] }] = find('sendTransactions').map(
    ({ params }) => params as { txs: { to: string; value: string; data: string }[] },
  )
  expect(txs.map(({ to, value }) => `${to.toLowerCase()} ${value}`)).toEqual([
    '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512 0',
    `${latchkeyOne.swap?.router.toLowerCase()} 0`,
  ])
  // approve(router, 5000000)
  const approved = `0x095ea7b3${word(latchkeyOne.swap?.router.slice(2) ?? '')}${word('4c4b40')}`
  expect(txs[0]?.data).toBe(approved.toLowerCase())
  expect(find('sendTransactions')).toHaveLength(1)
})

test('error: owners who decline, a transaction that is canceled, and an invalid answer', async () => {
  const answers: Answers = {
    sendTransactions: () => {
      throw new Error('Transaction was rejected: user rejected')
    },
    getTxBySafeTxHash: () => ({ txStatus: 'CANCELLED', txHash: null }),
    signMessage: () => ({ signature: 'no hex' }),
  }
  const { ask } = await openConnected({
    ...answers,
    sendTransactions: (params) => answers.sendTransactions?.(params),
  })
  const fail = (method: string, ...params: unknown[]) =>
    ask(method, ...params).then(
      () => 'done',
      (error) => error.code,
    )
  const send = () => fail('eth_sendTransaction', { from: safeAddress, to: bob, value: '0x1' })
  expect(await send()).toBe('USER_REJECTED')
  answers.sendTransactions = () => ({ safeTxHash: hash('a') })
  expect(await send()).toBe('USER_REJECTED')
  answers.sendTransactions = () => ({ safeTxHash: 'nothing' })
  expect(await send()).toBe('WALLET_ANSWER_INVALID')
  expect(await fail('personal_sign', '0x48', safeAddress)).toBe('WALLET_ANSWER_INVALID')
})

test('error: unsupported requests and requests for another account reach no owner', async () => {
  const { ask, find } = await openConnected({
    sendTransactions: () => ({ safeTxHash: hash('a') }),
    getTxBySafeTxHash: () => ({ txStatus: 'SUCCESS', txHash: hash('b') }),
  })
  const fail = (method: string, ...params: unknown[]) =>
    expect(ask(method, ...params).catch(({ code }) => code)).resolves
  const batch = { version: '2.0.0', from: safeAddress, calls: [{ to: bob }] }
  await fail('wallet_sendCalls', { ...batch, chainId: '0x1' }).toBe('BATCH_CHAIN_UNSUPPORTED')
  await fail('wallet_sendCalls', { ...batch, capabilities: { flow: {} } }).toBe(
    'CAPABILITY_UNSUPPORTED',
  )
  await fail('wallet_getCallsStatus', 'mine').toBe('BATCH_ID_UNKNOWN')
  await fail('eth_sendTransaction', { from: bob, to: bob }).toBe('UNAUTHORIZED')
  await fail('personal_sign', '0x48', bob).toBe('UNAUTHORIZED')
  await fail('eth_signTypedData_v4', bob, '{}').toBe('UNAUTHORIZED')
  expect(find('sendTransactions')).toHaveLength(0)
  expect(await ask('eth_sendTransaction', { to: bob, input: '0x1234' })).toBe(hash('b'))
  expect(find('sendTransactions')[0]?.params).toEqual({
    txs: [{ to: bob, value: '0', data: '0x1234' }],
  })
})

test('param: allowedOrigins: a page in a frame of any other site sends no request', async () => {
  const { asked, getPage, getConnection } = openSafeApp({ allowed: 'https://other.example' })
  await expect.poll(getPage).toBeDefined()
  expect(getPage()?.app.store.getState().connectors).toEqual([])
  expect(getConnection()).toEqual({ status: 'disconnected' })
  expect(asked).toEqual([])
})

/** A transaction in the format of the Safe's web app. */
const told = (txStatus: string, { nonce = 7, confirmed = 1 } = {}) => ({
  txStatus,
  txHash: txStatus === 'SUCCESS' ? hash('b') : null,
  detailedExecutionInfo: {
    type: 'MULTISIG',
    nonce,
    confirmationsRequired: 2,
    confirmations: Array.from({ length: confirmed }, () => ({ signer: { value: bob } })),
  },
})

test('default: while a transaction waits, it says who has to confirm and whose turn it is', async () => {
  let transaction: object = told('AWAITING_CONFIRMATIONS', { nonce: 9 })
  const { ask, getPage, getText } = await openConnected(
    {
      sendTransactions: () => ({ safeTxHash: hash('a') }),
      getTxBySafeTxHash: () => transaction,
    },
    '&hint',
  )
  const says = (text: string) => expect.poll(getText).toContain(text)
  // Only the contract is read, because no proposal is pending yet.
  await says('Owners who have to confirm: 2 of 3')
  const sent = ask('eth_sendTransaction', { from: safeAddress, to: bob, value: '0xa' })
  await says('Confirmed: 1 of 2')
  await says('One more owner has to confirm.')
  await says('Nonce 9: the next to be sent is 7, so others go first.')
  const page = getPage()
  if (!page) throw new Error('The page is not there')
  page.contract.nonce = 9
  transaction = told('AWAITING_EXECUTION', { nonce: 9, confirmed: 2 })
  await says('Enough owners have confirmed.')
  await says('Nonce 9: next to be sent.')
  page.contract.nonce = 10
  await says('Nonce 9 was used by another transaction')
  transaction = told('SUCCESS', { nonce: 9, confirmed: 2 })
  expect(await sent).toBe(hash('b'))
  await says('Owners who have to confirm: 2 of 3')
})

test('error: unreadable confirmations of the web app are not shown', async () => {
  const { ask, getText } = await openConnected(
    {
      sendTransactions: () => ({ safeTxHash: hash('a') }),
      getTxBySafeTxHash: () => ({
        ...told('AWAITING_CONFIRMATIONS'),
        detailedExecutionInfo: {
          nonce: '<b>7</b>',
          confirmationsRequired: -1,
          confirmations: 'all',
        },
      }),
    },
    '&hint',
  )
  void Promise.resolve(ask('eth_sendTransaction', { from: safeAddress, to: bob })).catch(() => {})
  await expect.poll(getText).toContain('have to confirm: 2 of 3')
  expect(getText()).not.toContain('Confirmed:')
})
