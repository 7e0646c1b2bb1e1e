import type { Page, Request, Response } from '@playwright/test'
import { allow } from '../../allowances.ts'
import { expect, openConnected, pageOf, rpc, stack, test } from '../../fixtures.ts'

const chain = 'eip155:31337'
const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const giver = '0x976EA74026E726554dB657fA54763abd0C3a0aa9'
// No other spec allows this address anything.
const spender = '0x5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e0007'

type Shown = { title: string; body?: string; data?: string }

/** Records the notices in place of the browser, which would show them outside of the page. */
async function noteNotices(page: Page) {
  await page.addInitScript(() => {
    const shown: object[] = []
    Object.assign(window, { shown })
    class Noted extends EventTarget {
      static permission = 'granted'
      static requestPermission = async () => 'granted'
      constructor(title: string, options: object) {
        super()
        shown.push({ title, ...options })
      }
    }
    Object.assign(window, { Notification: Noted })
  })
  return () => page.evaluate(() => (window as unknown as { shown: Shown[] }).shown)
}

// A second more than the page waits.
const minuteMs = 61_000
const dayMs = 24 * 3_600_000 + 1_000
/** No response takes longer. */
const longestMs = 20_000
/** Longer than a page works between two requests. */
const momentMs = 1_000

const isHistory = (response: Response) => response.url().includes('/history?')

/** Installs a clock in a page, before the page loads. */
async function installClock(page: Page, time = Date.now()) {
  const open = new Set<Request>()
  let changedAtMs = Date.now()
  const end = (request: Request) => {
    if (open.delete(request)) changedAtMs = Date.now()
  }
  page.on('request', (request) => {
    changedAtMs = Date.now()
    open.add(request)
    // A cached file may never be reported as finished.
    setTimeout(() => end(request), longestMs)
  })
  page.on('response', (response) => void response.finished().then(() => end(response.request())))
  page.on('requestfailed', end)
  await page.clock.install({ time })
  /** Whether the page waits for no response, and has received none for a moment. */
  const isQuiet = () => open.size === 0 && Date.now() - changedAtMs > momentMs
  /**
   * Lets time pass until a condition holds, but none while the page waits for a response or its
   * wallet: a minute would end the request or the connection.
   */
  const pass = async (stepMs: number, isMet: () => unknown) => {
    const step = async () => {
      if (isQuiet()) {
        await page.clock.fastForward(stepMs)
        changedAtMs = Date.now()
      }
      return isMet()
    }
    await expect.poll(step).toBeTruthy()
  }
  return { isQuiet, pass }
}

const local = 'projectId=local&st=latchkey&sv=e2e'

/** Pays the account, and waits until the server lists the payment. */
const pay = async (value: string) => {
  const hash = await rpc<string>(chain, 'eth_sendTransaction', [{ from: giver, to: alice, value }])
  await expect
    .poll(() => rpc<{ status: string } | null>(chain, 'eth_getTransactionReceipt', [hash]))
    .toMatchObject({ status: '0x1' })
  await expect
    .poll(async () =>
      (await fetch(`${stack.urls.web}/v1/account/${alice}/history?${local}`)).text(),
    )
    .toContain(hash)
}

test('default: the box is not checked; once it is, a payment is announced once, and nothing older', async ({
  page,
}) => {
  const clock = await installClock(page)
  const shown = await noteNotices(page)
  await pay('0x16345785d8a0000')
  await openConnected(page, '/settings')
  const toggle = page.getByRole('checkbox', { name: 'Show notices in this browser' })
  await expect(toggle).not.toBeChecked()
  const first = page.waitForResponse(isHistory)
  await toggle.click()
  await (await first).finished()
  await expect(toggle).toBeChecked()
  await pay('0x6f05b59d3b20000')
  const received = async () => (await shown()).filter(({ title }) => title.startsWith('Received'))
  await clock.pass(minuteMs, async () => (await received()).length > 0)
  const expected = { title: 'Received 0.500 ETH', body: 'Latchkey One' }
  expect(await received()).toMatchObject([expected])
  expect((await received())[0]?.data).toMatch(/^\/activity\?chain=.+&transaction=./)
  let reads = 0
  page.on('response', (response) => {
    if (isHistory(response)) reads += 1
  })
  await clock.pass(minuteMs, () => reads > 1)
  expect(await received()).toHaveLength(1)
  await toggle.click()
  await expect(toggle).not.toBeChecked()
  expect(await page.evaluate(() => localStorage.getItem('latchkey.web.notices'))).toBeNull()
})

test('behavior: an allowance without a limit that is older than 90 days is announced', async ({
  page,
}) => {
  await allow(alice, { token: 'gold', spender, amount: 2n ** 256n - 1n })
  const clock = await installClock(page, Date.now() + 100 * 24 * 3_600_000)
  const shown = await noteNotices(page)
  await openConnected(page, '/settings')
  await page.getByRole('checkbox', { name: 'Show notices in this browser' }).click()
  // The index may take a moment, and allowances are read once a day.
  await clock.pass(dayMs, async () => (await shown()).length > 0)
  const [notice, ...others] = await shown()
  expect(others).toEqual([])
  expect(notice?.title).toMatch(/^\d+ apps? may take all your .+ since /)
  expect(notice?.data).toMatch(/^\/allowances\?chain=.+&address=./)
  await allow(alice, { token: 'gold', spender, amount: 0n })
})

test('error: a browser that blocks notices has an explanation', async ({ page }) => {
  await page.addInitScript(() => {
    Object.assign(window, {
      Notification: { permission: 'denied', requestPermission: async () => 'denied' },
    })
  })
  await openConnected(page, '/settings')
  await expect(page.getByText('This browser blocks notices from this page.')).toBeVisible()
  const toggle = page.getByRole('checkbox', { name: 'Show notices in this browser' })
  await expect(toggle).toBeDisabled()
  await page.evaluate(() => {
    Object.assign(Notification, { permission: 'default' })
    window.dispatchEvent(new Event('focus'))
  })
  await expect(toggle).toBeEnabled()
})

test('default: the manifest names pages and pictures that exist', async ({ page, request }) => {
  await page.goto(pageOf('/status'))
  const path = await page.locator('link[rel=manifest]').getAttribute('href')
  const response = await request.get(stack.urls.web + path)
  expect(response.headers()['content-type']).toBe('application/manifest+json')
  const manifest = await response.json()
  expect(manifest).toMatchObject({ name: 'Latchkey', start_url: '/', display: 'standalone' })
  const purposes = new Set<string>()
  for (const { src, sizes, type, purpose } of manifest.icons) {
    const picture = await request.get(stack.urls.web + src)
    expect(picture.headers()['content-type']).toBe(type)
    purposes.add(purpose)
    if (type !== 'image/png') continue
    // Width and height of a PNG.
    const bytes = await picture.body()
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes)
  }
  expect([...purposes]).toEqual(['any', 'maskable'])
  for (const { url, name } of manifest.shortcuts) {
    await page.goto(pageOf(url))
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  }
})

test.describe('offline', () => {
  // Requests fail without a network, and the browser logs each.
  test.use({
    serviceWorkers: 'allow',
    allowedErrors: [/net::ERR_|Failed to load resource|WebSocket/],
  })

  // Their skeleton has no items.
  const tokensOf = (page: Page) =>
    page.getByRole('region', { name: 'Tokens' }).getByRole('listitem').first()

  test('behavior: after sleep, the line has the time of the last read, not of the event', async ({
    page,
    context,
  }) => {
    const noon = new Date().setHours(12, 0, 0, 0)
    const clock = await installClock(page, noon)
    await openConnected(page)
    await expect(tokensOf(page)).toBeVisible()
    const today = await page.evaluate(() =>
      new Date().toLocaleDateString(undefined, { dateStyle: 'medium' }),
    )
    await expect.poll(clock.isQuiet).toBe(true)
    // Nothing is read while the browser sleeps.
    await context.route(/\/v1\//, (route) => route.abort())
    await page.clock.setSystemTime(noon + 3 * 24 * 3_600_000)
    await context.setOffline(true)
    await expect(page.getByText(/^Offline\. The balances were last read/)).toContainText(today)
    await context.setOffline(false)
  })

  test.describe('without stored code', () => {
    test.use({ serviceWorkers: 'block' })

    test('default: account, receive and review are there', async ({ page, context }) => {
      const ahead = page.waitForResponse(/ReviewTransaction[^/]*\.js$/)
      const { isQuiet } = await installClock(page)
      await openConnected(page)
      await expect(tokensOf(page)).toBeVisible()
      await ahead
      await expect.poll(isQuiet).toBe(true)
      await context.setOffline(true)
      await page
        .getByRole('button', { name: /^Account 0x/ })
        .first()
        .click()
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByText(/^Offline\. The balances were last read on /)).toBeVisible()
      await dialog.getByRole('button', { name: 'Receive', exact: true }).click()
      await expect(dialog.getByRole('img', { name: 'QR code of your address' })).toBeVisible()
      await dialog.getByRole('button', { name: 'Back' }).click()
      await dialog.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(dialog.getByRole('textbox', { name: 'To' })).toBeVisible()
      await context.setOffline(false)
    })
  })

  test('default: the pages open offline with one line, and no response of the API is stored', async ({
    page,
    context,
  }) => {
    await openConnected(page)
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    await expect(tokensOf(page)).toBeVisible()
    await context.setOffline(true)
    const line = page.getByText(/^Offline\. /)
    await expect(line).toHaveText(/^Offline\. The balances were last read on .+\.$/)
    // Code that was not loaded yet.
    const account = page.getByRole('button', { name: /^Account 0x/ }).first()
    await account.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Receive', exact: true }).click()
    await expect(dialog.getByRole('img', { name: 'QR code of your address' })).toBeVisible()
    await page.goto(pageOf('/settings'))
    await expect(line).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
    await context.setOffline(false)
    await expect(line).toHaveCount(0)
    const stored = await page.evaluate(async () => {
      const names = await caches.keys()
      const all = names.map(async (name) => (await caches.open(name)).keys())
      return (await Promise.all(all)).flat().map(({ url }) => new URL(url).pathname)
    })
    expect(stored.filter((path) => !path.startsWith('/assets/')).toSorted()).toEqual([
      '/',
      '/config.json',
    ])
  })
})
