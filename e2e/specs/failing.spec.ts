import { connect, expect, stack, test } from '../fixtures.ts'
import { noteMessages } from '../noteMessages.ts'

// The browser itself logs each error response.
test.use({ allowedErrors: [/Failed to load resource/] })

test('error: without the directory the wallets of this browser are still listed, with the reason', async ({
  page,
}) => {
  await page.route('**/getWallets?*', (route) => route.fulfill({ status: 503, body: '{}' }))
  await page.goto(stack.urls.web)
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: /Latchkey Development Wallet/ })).toBeVisible()
  await expect(dialog.getByText('More wallets could not be loaded.')).toBeVisible()
})

test('error: code that could not be loaded ahead is loaded when the list opens', async ({
  page,
}) => {
  const file = '**/assets/opening-*.js'
  await page.route(file, (route) => route.abort())
  const failed = page.waitForEvent('requestfailed', (request) =>
    request.url().includes('/opening-'),
  )
  await page.goto(stack.urls.web)
  await failed
  await page.unroute(file)
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  await expect(
    page.getByRole('dialog').getByRole('button', { name: /^All wallets \d/ }),
  ).toBeVisible()
})

test.describe('the code of the modal', () => {
  // The page behind the modal needs the file too.
  test.use({ allowedErrors: [/Failed to load resource|dynamically imported module/] })

  test("error: the account button reports that the modal's code could not be loaded, and tries again", async ({
    page,
  }) => {
    await connect(page)
    const file = '**/assets/opening-*.js'
    await page.route(file, (route) => route.abort())
    await page.reload()
    const button = page.locator('[data-account-button]').first()
    await button.click()
    await expect(button).toHaveText('Could not load. Try again')
    await page.unroute(file)
    await button.click()
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Disconnect' })).toBeVisible()
    await expect(button).toContainText('0x')
  })
})

test('error: without the balance service the native balance comes from the chain', async ({
  page,
}) => {
  await page.route('**/v1/account/*/balance**', (route) =>
    route.fulfill({ status: 503, body: '{}' }),
  )
  const hasAnnounced = await noteMessages(page)
  await connect(page)
  await hasAnnounced('Token Balance Unavailable')
  await page
    .getByRole('button', { name: /^Account 0x/ })
    .first()
    .click()
  await expect(page.getByRole('dialog').getByText(/^[\d,]+\.\d{3} ETH$/)).toBeVisible()
})

test('error: a page that cannot reach its server shows what to do', async ({ page }) => {
  await page.route('**/config.json', (route) => route.fulfill({ status: 500, body: 'no' }))
  await page.goto(stack.urls.web)
  await expect(page.getByRole('button', { name: /try again/i })).toBeVisible()
  const asked = page.waitForRequest('**/config.json')
  await page.getByRole('button', { name: /try again/i }).click()
  await asked
  await expect(page.getByRole('button', { name: /try again/i })).toBeVisible()
  // A captive portal responds in place of the server, and the page retries without a click.
  await page.unroute('**/config.json')
  await page.route('**/config.json', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Log in to this Wi-Fi</h1>' }),
  )
  await expect(page.getByText('no connection to the server')).toBeVisible({ timeout: 20_000 })
  await page.unroute('**/config.json')
  await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible({
    timeout: 20_000,
  })
})
