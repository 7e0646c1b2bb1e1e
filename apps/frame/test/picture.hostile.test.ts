import type { BrowserContext, Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coverFrame, covers, uncoverFrame } from './coverFrame.ts'
import {
  ask,
  begin,
  type FrameStack,
  holdToApprove,
  inside,
  logIn,
  settle,
  startFrame,
} from './startFrame.ts'

let frame: FrameStack
beforeAll(async () => {
  frame = await startFrame()
})
afterAll(() => frame?.stop())

const drawings = [
  ...['anchor', 'boat', 'crown', 'cup', 'fish', 'flower', 'heart', 'house'],
  ...['kite', 'leaf', 'moon', 'mountain', 'mushroom', 'star', 'tree', 'umbrella'],
]
const inkNames = ['red', 'orange', 'gold', 'green', 'teal', 'blue', 'purple', 'pink']
const picture = (page: Page) => inside(page).getByRole('img', { name: /^Your picture: / })
const nameOf = async (page: Page) => (await picture(page).getAttribute('aria-label')) ?? ''

/** Signed in, with a picture that the test chose in the set-up. */
async function signIn(context: BrowserContext, email: string, [color, symbol]: [string, string]) {
  const page = await frame.embed(context)
  const onSetup = async () => {
    await inside(page).getByRole('button', { name: 'Choose another' }).click()
    await inside(page).getByRole('radio', { name: symbol, exact: true }).check()
    await inside(page).getByRole('radio', { name: color, exact: true }).check()
  }
  await logIn(frame, page, email, { onSetup })
  const { result } = await ask(page, 'APP_GET_USER')
  return { page, address: (result as { address: string }).address }
}
const askToSign = (page: Page, address: string) =>
  begin(page, 'APP_RPC_REQUEST', {
    method: 'personal_sign',
    params: ['Hello', address],
    chainId: 31337,
  })
const openGuard = (page: Page) => inside(page).locator('.hold[data-open="true"]').waitFor()

/**
 * Everything that a page can learn of the frame: messages, answers, addresses that are loaded, and
 * its size.
 */
async function listen(page: Page) {
  const addresses: string[] = []
  page.on('request', (request) =>
    addresses.push(`${request.url()} ${request.postData() ?? ''} ${request.isNavigationRequest()}`),
  )
  await page.evaluate(() => {
    const heard: unknown[] = []
    Object.assign(window, { heard })
    window.addEventListener('message', ({ data }) => heard.push(data))
  })
  return async () => ({
    addresses,
    heard: await page.evaluate(() => [
      window.host.events,
      window.host.answers,
      (window as unknown as { heard: unknown[] }).heard,
    ]),
  })
}

test('default: the picture that was chosen stands on every question, and on the settings', async () => {
  const context = await frame.newContext({ viewport: { width: 900, height: 1_000 } })
  const { page, address } = await signIn(context, 'picture@example.org', ['teal', 'kite'])
  const own = 'Your picture: teal kite'
  const reject = async (asked: string) => {
    await inside(page).getByRole('button', { name: 'Reject' }).click()
    expect(await settle(page, asked)).toMatchObject({ code: 'USER_REJECTED' })
  }
  const rpc = (method: string, params: unknown) =>
    begin(page, 'APP_RPC_REQUEST', { method, params, chainId: 31337 })
  const data = {
    types: { EIP712Domain: [{ name: 'name', type: 'string' }], A: [{ name: 'a', type: 'string' }] },
    primaryType: 'A',
    domain: { name: 'Test' },
    message: { a: 'b' },
  }
  const call = { to: frame.stack.accounts[1]?.address, value: '0x0' }
  const seconds = Math.floor(Date.now() / 1_000)
  const { publicKey } = privateKeyToAccount(generatePrivateKey())
  const allowance = { allowance: '0x1', start: seconds, period: 86_400 }
  const grant = {
    chainId: '0x7a69',
    expiry: seconds + 3_600,
    signer: { type: 'keys', data: { keys: [{ type: 'secp256k1', publicKey }] } },
    permissions: [{ type: 'native-token-recurring-allowance', data: allowance }],
    policies: [],
  }
  const requests = [
    () => askToSign(page, address),
    () => rpc('eth_sendTransaction', [{ from: address, ...call }]),
    () => rpc('eth_signTypedData_v4', [address, data]),
    () =>
      rpc('wallet_sendCalls', [
        {
          version: '2.0.0',
          chainId: '0x7a69',
          atomicRequired: false,
          from: address,
          calls: [call],
        },
      ]),
    () => rpc('wallet_grantPermissions', [grant]),
    () => begin(page, 'APP_UPDATE_EMAIL', { email: 'other@example.org' }),
  ]
  for (const request of requests) {
    const asked = await request()
    await inside(page).locator('.approval').waitFor()
    await expect.poll(() => picture(page).isVisible()).toBe(true)
    expect(await nameOf(page)).toBe(own)
    await reject(asked)
  }
  for (const at of ['settings', 'export', 'recovery']) {
    const opened = await begin(page, 'APP_OPEN', { page: at })
    await expect.poll(() => picture(page).isVisible()).toBe(true)
    expect(await nameOf(page)).toBe(own)
    if (at === 'export') {
      const opening = context.waitForEvent('page')
      await inside(page).getByRole('button', { name: 'Open', exact: false }).first().click()
      const tab = await opening
      await tab.getByRole('img', { name: own }).waitFor()
      expect(tab.url()).not.toContain('kite')
      await tab.close()
    }
    await ask(page, 'APP_CLOSE')
    await settle(page, opened)
  }
})

/** The last event that shows a view: how many come before depends on how fast code loads. */
const readShown = (page: Page, view: string) =>
  page.evaluate(
    (view) =>
      window.host.events.findLast(
        ([name, event]) => name === 'FRAME_SHOW' && (event as { view: string }).view === view,
      ),
    view,
  )

test('clickjacking: a page cannot read the picture: no message, request or size tells it', async () => {
  const sizes: unknown[] = []
  for (const [index, look] of (
    [
      ['gold', 'mushroom'],
      ['pink', 'umbrella'],
    ] as [string, string][]
  ).entries()) {
    const context = await frame.newContext({ viewport: { width: 900, height: 1_000 } })
    // Until a late font arrives, lines break elsewhere.
    await context.route(/\.woff2$/, (route) => route.abort())
    const { page, address } = await signIn(context, `read${index}@example.org`, look)
    const tell = await listen(page)
    const asked = await askToSign(page, address)
    await picture(page).waitFor()
    expect(await nameOf(page)).toBe(`Your picture: ${look.join(' ')}`)
    await holdToApprove(page)
    await settle(page, asked)
    const opened = await begin(page, 'APP_OPEN', { page: 'settings' })
    await inside(page).getByRole('button', { name: 'Sign out everywhere' }).waitFor()
    await picture(page).waitFor()
    // The note of a button that cannot be pressed yet changes the height.
    const heights: unknown[] = []
    const isSteady = async () => {
      heights.push(await readShown(page, 'settings'))
      return JSON.stringify(heights.at(-1)) === JSON.stringify(heights.at(-2))
    }
    await expect.poll(isSteady, { interval: 1_000, timeout: 60_000 }).toBe(true)
    await ask(page, 'APP_CLOSE')
    await settle(page, opened)
    const { addresses, heard } = await tell()
    const all = JSON.stringify([addresses, heard]).toLowerCase()
    for (const word of [...look, 'your picture:']) expect(all).not.toContain(word)
    // The page can read neither the document nor the store of the frame.
    const peeked = await page.evaluate(async () => {
      const other = document.querySelector('iframe')
      const stores = await indexedDB.databases()
      return [other?.contentDocument, stores.map(({ name }) => name), localStorage.length]
    })
    expect(peeked).toEqual([null, [], 0])
    const shown = await Promise.all(['approve', 'settings'].map((view) => readShown(page, view)))
    expect(shown).not.toContain(undefined)
    sizes.push(shown)
  }
  // Neither do the titles and heights of what is shown, or what is loaded, differ by picture.
  expect(sizes[0]).toEqual(sizes[1])
})

test('clickjacking: a page cannot set the picture by message, address, colors or a guided press', async () => {
  const context = await frame.newContext({ viewport: { width: 900, height: 1_000 } })
  const { page, address } = await signIn(context, 'set@example.org', ['green', 'boat'])
  for (const name of ['APP_SET_PICTURE', 'APP_CHOOSE_PICTURE', 'APP_OPEN'])
    expect(await ask(page, name, { page: 'picture', picture: 'star-red' })).toHaveProperty('code')
  await ask(page, 'APP_SYNC_THEME', {
    themeMode: 'light',
    themeVariables: { '--lk-accent': '#ff0000', '--lk-text': '#000000' },
  })
  await page.evaluate(() => indexedDB.open('latchkey-wallet', 1))
  const asked = await askToSign(page, address)
  await picture(page).waitFor()
  expect(await nameOf(page)).toBe('Your picture: green boat')
  expect(await picture(page).locator('path').first().getAttribute('fill')).toBe('#1f7a3d')
  // A page that covers a part, to put other words next to the picture, gets no picture.
  await openGuard(page)
  await coverFrame(page, covers['a transparent overlay'] ?? '')
  await expect.poll(() => picture(page).isVisible()).toBe(false)
  await uncoverFrame(page)
  await expect.poll(() => picture(page).isVisible()).toBe(true)
  await inside(page).getByRole('button', { name: 'Reject' }).click()
  await settle(page, asked)
  // The choice is in another order each time: a press on a place says nothing of what was chosen.
  const orders = new Set<string>()
  for (let round = 0; round < 3; round++) {
    const opened = await begin(page, 'APP_OPEN', { page: 'settings' })
    await inside(page)
      .getByRole('button', { name: /^Your picture/ })
      .click()
    const options = inside(page).getByRole('radio')
    await options.nth(23).waitFor()
    const names = await options.evaluateAll((all) =>
      all.map((one) => one.getAttribute('aria-label')),
    )
    expect([...names].sort()).toEqual([...drawings, ...inkNames].sort())
    orders.add(names.join())
    await ask(page, 'APP_CLOSE')
    await expect
      .poll(() => inside(page).getByRole('button', { name: 'Sign out everywhere' }).count())
      .toBe(1)
    await ask(page, 'APP_CLOSE')
    await settle(page, opened)
  }
  expect(orders.size).toBe(3)
})

test('behavior: owners of older wallets are prompted once; closing keeps the suggested picture', async () => {
  const context = await frame.newContext({ viewport: { width: 900, height: 1_000 } })
  const { page, address } = await signIn(context, 'before@example.org', ['red', 'leaf'])
  await page.frames()[1]?.evaluate(
    () =>
      new Promise((resolve) => {
        const opened = indexedDB.open('latchkey-wallet', 1)
        opened.onsuccess = () => {
          const all = opened.result.transaction('values', 'readwrite')
          const store = all.objectStore('values')
          const keys = store.getAllKeys()
          keys.onsuccess = () => {
            for (const key of keys.result) if (String(key).startsWith('picture ')) store.delete(key)
          }
          all.oncomplete = resolve
        }
      }),
  )
  const asked = await askToSign(page, address)
  await inside(page).getByRole('button', { name: 'Use this picture' }).waitFor()
  const suggested = await nameOf(page)
  await ask(page, 'APP_CLOSE')
  await inside(page).locator('.approval').waitFor()
  expect(await nameOf(page)).toBe(suggested)
  await holdToApprove(page)
  expect((await settle(page, asked)).result).toBeDefined()
  const again = await askToSign(page, address)
  await inside(page).locator('.approval').waitFor()
  expect(await nameOf(page)).toBe(suggested)
  await inside(page).getByRole('button', { name: 'Reject' }).click()
  await settle(page, again)
  const opened = await begin(page, 'APP_OPEN', { page: 'settings' })
  await inside(page)
    .getByRole('button', { name: /^Your picture/ })
    .click()
  await inside(page).getByRole('radio', { name: 'moon' }).check()
  await inside(page).getByRole('radio', { name: 'purple' }).check()
  await inside(page)
    .locator('button[aria-disabled="false"]', { hasText: 'Use this picture' })
    .click()
  await inside(page).getByRole('button', { name: 'Sign out everywhere' }).waitFor()
  expect(await nameOf(page)).toBe('Your picture: purple moon')
  await ask(page, 'APP_CLOSE')
  await settle(page, opened)
  // Another page of the same site has the same store; another user of the browser chooses another
  // one.
  const other = await frame.embed(context)
  const shown = await askToSign(other, address)
  await inside(other).locator('.approval').waitFor()
  expect(await nameOf(other)).toBe('Your picture: purple moon')
  await inside(other).getByRole('button', { name: 'Reject' }).click()
  await settle(other, shown)
})
