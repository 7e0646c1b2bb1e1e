import { mayClose } from '@latchkey/dev'
import type { BrowserContext, Page } from 'playwright-core'
import { type Hex, verifyMessage, verifyTypedData } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { accounts } from '../src/accounts.ts'
import { startWallet } from './startWallet.ts'

type Call = { method: string; params?: unknown }
type WalletAnswer = { result?: unknown; code?: number; message?: string }
type SiteWindow = {
  next: Call[]
  answers: Promise<WalletAnswer[]>
  events: [string, unknown][]
  call(one: Call): Promise<WalletAnswer>
}

let started: Awaited<ReturnType<typeof startWallet>>
let context: BrowserContext
let complaints: string[]
const own = accounts.map((address) => address.toLowerCase())
const connect = { method: 'eth_requestAccounts' }

beforeAll(async () => {
  started = await startWallet()
})
afterAll(() => started?.stop())
beforeEach(async () => {
  complaints = []
  context = await started.browser.newContext()
  context.setDefaultTimeout(120_000)
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('console', (line) => line.type() === 'error' && complaints.push(line.text()))
})
afterEach(async () => {
  await context.close()
  expect(complaints).toEqual([])
})

async function visit(url: string, where: BrowserContext = context): Promise<Page> {
  const page = await where.newPage()
  await page.goto(url)
  await page.waitForFunction(() => 'wallet' in window)
  return page
}

/** Clicks, so that the page makes `calls` in a user gesture. */
async function click(page: Page, calls: Call[]) {
  await page.evaluate((next) => Object.assign(window, { next }), calls)
  await page.click('#go')
}

const answers = (page: Page) =>
  page.evaluate(() => (window as unknown as SiteWindow).answers) as Promise<WalletAnswer[]>
const call = (page: Page, method: string, params?: unknown) =>
  page.evaluate((one) => (window as unknown as SiteWindow).call(one), {
    method,
    params,
  }) as Promise<WalletAnswer>
const events = (page: Page) =>
  page.evaluate(() => (window as unknown as SiteWindow).events) as Promise<[string, unknown][]>

async function ask(page: Page, one: Call, decision: 'approve' | 'reject' | 'close') {
  const opened = page.waitForEvent('popup')
  await click(page, [one])
  const popup = await opened
  if (decision === 'close') {
    await popup.getByTestId('approve').waitFor()
    await popup.close()
  } else await mayClose(popup.getByTestId(decision).click())
  return (await answers(page))[0]
}

async function connected(url = started.urls.one): Promise<Page> {
  const page = await visit(url)
  await ask(page, connect, 'approve')
  return page
}

async function openWallet(): Promise<Page> {
  const page = await context.newPage()
  await page.goto(started.urls.wallet)
  return page
}

test('default: announces without loading anything, connects, and reads', async () => {
  const page = await visit(started.urls.one)
  expect(await page.evaluate(() => (window as unknown as { info: object }).info)).toMatchObject({
    name: 'Latchkey Development Wallet',
    rdns: 'dev.latchkey.wallet',
    uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-/),
  })
  expect(await page.locator('iframe').count()).toBe(0)
  expect(await call(page, 'eth_accounts')).toEqual({ result: [] })
  expect(await ask(page, connect, 'approve')).toEqual({ result: [own[0]] })
  expect(await call(page, 'eth_accounts')).toEqual({ result: [own[0]] })
  expect(await call(page, 'eth_chainId')).toEqual({ result: '0x7a69' })
  expect(await call(page, 'eth_blockNumber')).toEqual({ result: expect.stringMatching(/^0x/) })
  expect(await events(page)).toEqual([
    ['connect', { chainId: '0x7a69' }],
    ['accountsChanged', [own[0]]],
  ])
})

test('behavior: reject and closing the window are both 4001', async () => {
  const page = await visit(started.urls.one)
  const rejected = { code: 4001, message: 'User rejected the request' }
  expect(await ask(page, connect, 'reject')).toEqual(rejected)
  expect(await ask(page, connect, 'close')).toEqual(rejected)
  expect(await call(page, 'eth_accounts')).toEqual({ result: [] })
})

test('behavior: a second connect is refused while the first is open', async () => {
  const page = await visit(started.urls.one)
  const opened = page.waitForEvent('popup')
  await click(page, [connect, connect])
  await (await opened).getByTestId('approve').click()
  expect(await answers(page)).toEqual([
    { result: [own[0]] },
    { code: -32002, message: 'A request is already open in the wallet' },
  ])
})

test('behavior: requests queue in one window, in order', async () => {
  const page = await connected()
  const sign = (text: string) => ({ method: 'personal_sign', params: [text, own[0]] })
  const opened = page.waitForEvent('popup')
  await click(page, [sign('one'), sign('two')])
  const popup = await opened
  for (const text of ['one', 'two']) {
    await popup.getByText(text, { exact: true }).waitFor()
    await mayClose(popup.getByTestId('approve').click())
  }
  expect(await answers(page)).toEqual([
    { result: expect.stringMatching(/^0x/) },
    { result: expect.stringMatching(/^0x/) },
  ])
})

test('behavior: a double click approves one request, not the next one too', async () => {
  const page = await connected()
  const sign = (text: string) => ({ method: 'personal_sign', params: [text, own[0]] })
  const opened = page.waitForEvent('popup')
  await click(page, [sign('one'), sign('two')])
  const popup = await opened
  const approve = popup.getByTestId('approve')
  await popup.getByText('one', { exact: true }).waitFor()
  await approve.click()
  await popup.getByText('two', { exact: true }).waitFor()
  await approve.hover()
  await popup.mouse.down({ clickCount: 2 })
  await popup.mouse.up({ clickCount: 2 })
  expect(await popup.getByText('two', { exact: true }).isVisible()).toBe(true)
  await mayClose(popup.getByTestId('reject').click())
  expect(await answers(page)).toEqual([
    { result: expect.stringMatching(/^0x/) },
    expect.objectContaining({ code: 4001 }),
  ])
})

test('behavior: signs a message and typed data', async () => {
  const page = await connected()
  const [address] = accounts
  const signed = await ask(
    page,
    { method: 'personal_sign', params: ['0x68656c6c6f', address] },
    'approve',
  )
  const signature = signed?.result as Hex
  expect(await verifyMessage({ address, message: 'hello', signature })).toBe(true)
  const data = {
    domain: { name: 'Test', chainId: 31_337 },
    types: { EIP712Domain: [], Note: [{ name: 'text', type: 'string' }] },
    primaryType: 'Note',
    message: { text: 'hi' },
  } as const
  const params = [address, JSON.stringify(data)]
  const typed = await ask(page, { method: 'eth_signTypedData_v4', params }, 'approve')
  const verified = { ...data, address, signature: typed?.result as Hex }
  expect(await verifyTypedData(verified)).toBe(true)
})

test('behavior: sends and the balance moves', async () => {
  const page = await connected()
  const to = '0x00000000000000000000000000000000000000aa'
  const params = [{ from: own[0], to, value: '0x2a' }]
  const sent = await ask(page, { method: 'eth_sendTransaction', params }, 'approve')
  expect(sent).toEqual({ result: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
  await expect.poll(() => call(page, 'eth_getBalance', [to, 'latest'])).toEqual({ result: '0x2a' })
})

test('behavior: with the setting on, a batch is one transaction; the next needs no authorization', async () => {
  const wallet = await openWallet()
  await wallet.getByTestId('account-4').click()
  const page = await connected()
  const [from, to] = [own[4], '0x00000000000000000000000000000000000000ad']
  const toBatch = (more: object = {}, value = '0x1') => ({
    method: 'wallet_sendCalls',
    params: [
      {
        ...{ version: '2.0.0', from, chainId: '0x7a69', atomicRequired: true },
        ...{
          calls: [
            { to, value },
            { to, value: '0x2' },
          ],
          ...more,
        },
      },
    ],
  })
  const refuse = async (batch: Call) => {
    await click(page, [batch])
    return (await answers(page))[0]?.code
  }
  expect(await refuse(toBatch())).toBe(4200)
  await wallet.getByTestId('atomic').check()
  expect(await call(page, 'wallet_getCapabilities', [from, ['0x7a69', '0x1']])).toEqual({
    result: { '0x7a69': { atomic: { status: 'supported' } } },
  })
  expect(await call(page, 'wallet_getCapabilities', [own[0]])).toMatchObject({ code: 4100 })
  const counted = async () =>
    Number((await call(page, 'eth_getTransactionCount', [from, 'latest'])).result)
  const before = await counted()
  const { result } = (await ask(page, toBatch({ id: 'first' }), 'approve')) ?? {}
  expect(result).toEqual({ id: 'first' })
  const readStatus = () => call(page, 'wallet_getCallsStatus', ['first'])
  await expect
    .poll(async () => ((await readStatus()).result as { status: number }).status)
    .toBe(200)
  expect(await readStatus()).toMatchObject({
    result: { id: 'first', atomic: true, chainId: '0x7a69', receipts: [{ status: '0x1' }] },
  })
  expect(await call(page, 'eth_getBalance', [to, 'latest'])).toEqual({ result: '0x3' })
  expect(await counted()).toBe(before + 2)
  expect(await ask(page, toBatch(), 'approve')).toEqual({
    result: { id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  })
  await expect.poll(counted).toBe(before + 3)
  // A failing call would undo the others: the batch is not even shown.
  expect(await refuse(toBatch({}, `0x${'f'.repeat(40)}`))).toBe(-32000)
  expect(await refuse(toBatch({ id: 'first' }))).toBe(5720)
  expect(await refuse(toBatch({ chainId: '0x7a6a' }))).toBe(5710)
  expect(await refuse(toBatch({ capabilities: { paymasterService: {} } }))).toBe(5700)
  expect(await refuse(toBatch({ from: own[0] }))).toBe(4100)
  expect(await refuse(toBatch({ calls: [{ data: '0x00' }] }))).toBe(-32602)
  expect(await call(page, 'wallet_getCallsStatus', ['other'])).toMatchObject({ code: 5730 })
})

test('behavior: switches the network from the site and from the wallet', async () => {
  const page = await connected()
  const to = (chainId: string) => ({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  expect(await ask(page, to('0x7a6a'), 'approve')).toEqual({ result: null })
  expect(await call(page, 'eth_chainId')).toEqual({ result: '0x7a6a' })
  expect(await call(page, 'wallet_switchEthereumChain', [{ chainId: '0x1' }])).toEqual({
    code: 4902,
    message: 'The wallet does not know this network',
  })
  const wallet = await openWallet()
  await wallet.getByTestId('chain').selectOption('31337')
  await expect.poll(() => events(page)).toContainEqual(['chainChanged', '0x7a69'])
  expect(await events(page)).toContainEqual(['chainChanged', '0x7a6a'])
})

test('behavior: change of account, lock, unlock and disconnect reach the page', async () => {
  const page = await connected()
  const wallet = await openWallet()
  await wallet.getByTestId('account-2').click()
  await expect.poll(async () => (await events(page)).at(-1)).toEqual(['accountsChanged', [own[2]]])
  await wallet.getByTestId('lock').click()
  await expect.poll(async () => (await events(page)).at(-1)).toEqual(['accountsChanged', []])
  await wallet.getByTestId('unlock').click()
  await expect.poll(async () => (await events(page)).at(-1)).toEqual(['accountsChanged', [own[2]]])
  await wallet.getByTestId('disconnect').click()
  await expect.poll(async () => (await events(page)).at(-1)).toEqual(['accountsChanged', []])
  expect(await call(page, 'personal_sign', ['hi', own[2]])).toMatchObject({ code: 4100 })
})

test('behavior: the site disconnects itself', async () => {
  const page = await connected()
  expect(await call(page, 'wallet_revokePermissions', [{ eth_accounts: {} }])).toEqual({
    result: null,
  })
  expect(await call(page, 'eth_accounts')).toEqual({ result: [] })
  expect((await events(page)).at(-1)).toEqual(['accountsChanged', []])
})

test('behavior: stays connected over a reload, without a window', async () => {
  const page = await connected()
  await page.reload()
  await page.waitForFunction(() => 'wallet' in window)
  expect(await call(page, 'eth_accounts')).toEqual({ result: [own[0]] })
  expect(await call(page, 'eth_requestAccounts')).toEqual({ result: [own[0]] })
  await expect.poll(() => context.pages().length).toBe(1)
})

test('behavior: another origin gets no data; two pages are served at once', async () => {
  const one = await connected()
  const two = await visit(started.urls.two)
  expect(await call(two, 'eth_accounts')).toEqual({ result: [] })
  await ask(two, connect, 'approve')
  const wallet = await openWallet()
  await expect.poll(() => wallet.getByTestId('site').count()).toBe(2)
  await wallet.getByTestId('account-1').click()
  for (const page of [one, two])
    await expect
      .poll(async () => (await events(page)).at(-1))
      .toEqual(['accountsChanged', [own[1]]])
})

test('behavior: forged greetings to the bridge are refused', async () => {
  await connected()
  const thief = await visit(started.urls.two)
  const heard = await thief.evaluate(
    async ({ wallet, victim }) => {
      const said: unknown[] = []
      window.addEventListener('message', ({ data }) => said.push(data))
      const frame = document.createElement('iframe')
      frame.src = `${wallet}/bridge.html#${victim}`
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
      document.body.append(frame)
      await loaded
      await new Promise((resolve) => setTimeout(resolve, 300))
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }) => said.push(data)
      const hello = JSON.stringify({ latchkey: 'hello', id: '0'.repeat(32) })
      frame.contentWindow?.postMessage(hello, wallet, [port2])
      const request = { kind: 'request', id: '1'.repeat(32), method: 'state', params: null }
      port1.postMessage(JSON.stringify({ ...request, sequence: 1 }))
      await new Promise((resolve) => setTimeout(resolve, 300))
      return said
    },
    { wallet: started.urls.wallet, victim: started.urls.one },
  )
  expect(heard).toEqual([])
  // The browser itself logs that the bridge greeted an origin other than the embedding origin.
  complaints = complaints.filter((text) => !text.includes("Failed to execute 'postMessage'"))
})

test('error: a blocked window is named', async () => {
  // Headless Chromium does not block popups. A blocked popup is `null` to the page that opens it.
  await context.addInitScript(() => Object.assign(window, { open: () => null }))
  const page = await visit(started.urls.one)
  expect(await call(page, 'eth_requestAccounts')).toEqual({
    code: -32000,
    message: "The browser blocked the wallet's window. Allow pop-ups for this page and try again",
  })
})

test('error: unknown methods, foreign accounts and foreign networks', async () => {
  const page = await connected()
  for (const method of ['wallet_getCapabilities', 'anvil_setBalance', 'constructor'])
    expect(await call(page, method)).toEqual({
      code: 4200,
      message: `The wallet does not support ${method}`,
    })
  const params = ['hi', own[1]]
  await click(page, [{ method: 'personal_sign', params }])
  expect((await answers(page))[0]).toMatchObject({ code: 4100 })
  const chain = { chainId: '0x1', chainName: 'Real', rpcUrls: ['http://127.0.0.1:1'] }
  const add = { method: 'wallet_addEthereumChain', params: [chain] }
  expect(await ask(page, add, 'reject')).toMatchObject({ code: 4902 })
})

test('behavior: a locked wallet first requests to be unlocked', async () => {
  const wallet = await openWallet()
  await wallet.getByTestId('lock').click()
  const page = await visit(started.urls.one)
  const opened = page.waitForEvent('popup')
  await click(page, [connect])
  const popup = await opened
  await popup.getByTestId('unlock').click()
  await mayClose(popup.getByTestId('approve').click())
  expect(await answers(page)).toEqual([{ result: [own[0]] }])
})

test('behavior: hidden and turned characters are written out, and the buttons stay in reach', async () => {
  const page = await connected()
  const sign = async (text: string) => {
    const opened = page.waitForEvent('popup')
    await click(page, [{ method: 'personal_sign', params: [text, own[0]] }])
    const popup = await opened
    await popup.getByTestId('approve').waitFor()
    return popup
  }
  const tricky = await sign('pay \u202eevil\u202c\u200b\u0007')
  expect(await tricky.getByTestId('details').textContent()).toContain(
    'pay \\u{202e}evil\\u{202c}\\u{200b}\\u{7}',
  )
  await tricky.getByTestId('reject').click()
  expect((await answers(page))[0]).toMatchObject({ code: 4001 })
  const long = await sign(`0x${'61'.repeat(200_000)}`)
  await long.setViewportSize({ width: 390, height: 500 })
  for (const name of ['approve', 'reject']) {
    const box = await long.getByTestId(name).boundingBox()
    expect(box && box.y >= 0 && box.y + box.height <= 500).toBe(true)
  }
  expect(
    await long.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0)
  await long.getByTestId('reject').click()
})

test('error: typed data that is too deep to be shown is refused, not drawn', async () => {
  const page = await connected()
  const nested = `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`
  const data = `{"domain":{},"types":{},"primaryType":"Note","message":${nested}}`
  await click(page, [{ method: 'eth_signTypedData_v4', params: [own[0], data] }])
  expect((await answers(page))[0]).toMatchObject({ code: -32602 })
})

test('behavior: data for a network other than the selected network is marked, a transaction is refused', async () => {
  const page = await connected()
  const message = { text: 'hi' }
  const types = { Note: [{ name: 'text', type: 'string' }] }
  const data = { domain: { chainId: 31_338 }, types, primaryType: 'Note', message }
  const opened = page.waitForEvent('popup')
  await click(page, [{ method: 'eth_signTypedData_v4', params: [own[0], data] }])
  const popup = await opened
  await popup.getByText('This is for Latchkey Two, not for the network in use.').waitFor()
  await mayClose(popup.getByTestId('reject').click())
  await answers(page)
  const params = [{ from: own[0], to: own[1], chainId: '0x7a6a' }]
  await click(page, [{ method: 'eth_sendTransaction', params }])
  expect((await answers(page))[0]).toMatchObject({ code: -32602 })
})

test('error: a node that is down is named; a request to a node that hangs can be rejected', async () => {
  const page = await connected()
  const params = [{ from: own[0], to: own[1], value: '0x1' }]
  await context.route(started.urls.chain, (route) => route.abort())
  await click(page, [{ method: 'eth_sendTransaction', params }])
  expect((await answers(page))[0]).toEqual({
    code: -32000,
    message: 'The node of Latchkey One does not answer',
  })
  await context.unroute(started.urls.chain)
  await context.route(started.urls.chain, () => {})
  expect(await ask(page, { method: 'eth_sendTransaction', params }, 'reject')).toMatchObject({
    code: 4001,
  })
  complaints = complaints.filter((text) => !text.includes('net::ERR_FAILED'))
})

test('error: a node that stops between showing and approving', async () => {
  const page = await connected()
  const params = [{ from: own[0], to: own[1], value: '0x1' }]
  const opened = page.waitForEvent('popup')
  await click(page, [{ method: 'eth_sendTransaction', params }])
  const popup = await opened
  await popup.getByTestId('approve').waitFor()
  await context.route(started.urls.chain, (route) => route.abort())
  await mayClose(popup.getByTestId('approve').click())
  expect((await answers(page))[0]).toMatchObject({ code: -32000 })
  complaints = complaints.filter((text) => !text.includes('net::ERR_FAILED'))
})

test('error: damaged storage is dropped, not thrown', async () => {
  const wallet = await openWallet()
  for (const text of ['{', 'null', '[]', '{"locked":1}', '{"account":99}', '{"__proto__":{}}']) {
    await wallet.evaluate((value) => localStorage.setItem('latchkey.wallet.v1', value), text)
    await wallet.reload()
    await wallet.getByTestId('account-0').waitFor()
    expect(await wallet.getByTestId('site').count()).toBe(0)
  }
  await wallet.getByTestId('account-1').click()
  await wallet.locator('[data-testid=account-1][aria-pressed=true]').waitFor()
})

test('error: forbidden or full storage does not block a response', async () => {
  await context.addInitScript(() => {
    const fail = () => {
      throw new DOMException('no', 'QuotaExceededError')
    }
    Object.assign(Storage.prototype, { setItem: fail, getItem: fail })
  })
  const page = await visit(started.urls.one)
  expect(await ask(page, connect, 'reject')).toMatchObject({ code: 4001 })
  expect(await ask(page, connect, 'approve')).toMatchObject({ code: -32603 })
})

test('behavior: watches a token; refuses an address without one', async () => {
  const page = await connected()
  const address = '0x00000000000000000000000000000000000000aa'
  const watch = (params: unknown) => ({ method: 'wallet_watchAsset', params })
  const token = { type: 'ERC20', options: { address, symbol: 'TST', decimals: 6 } }
  expect(await ask(page, watch(token), 'approve')).toEqual({ result: true })
  expect(await ask(page, watch(token), 'reject')).toMatchObject({ code: 4001 })
  for (const params of [null, [], { ...token, type: 'ERC721' }, { type: 'ERC20', options: {} }]) {
    await click(page, [watch(params)])
    expect((await answers(page))[0]).toMatchObject({ code: -32602 })
  }
})

test('error: parameters that are no JSON, and a window opened without an origin', async () => {
  const page = await connected()
  const code = await page.evaluate(() =>
    (window as unknown as SiteWindow).call({ method: 'eth_call', params: [1n] }),
  )
  expect(code).toMatchObject({ code: -32602 })
  const opened = page.waitForEvent('popup')
  await page.evaluate((url) => {
    window.open(`${url}/approve.html#null`)
  }, started.urls.wallet)
  await (await opened).getByText('Nothing to approve.').waitFor()
})
