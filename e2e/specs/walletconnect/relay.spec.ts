import type { Page } from '@playwright/test'
import { askToSign, openDeveloperPage } from '../../developerPage.ts'
import { test as base, expect, stack } from '../../fixtures.ts'
import {
  createRelayProxy,
  type RelayProxy,
  routeThroughProxy,
  withoutProxy,
} from '../../relayProxy.ts'
import { account, connectElsewhere, decide, openCode, pair, scan } from '../../walletConnect.ts'

const test = base.extend<{ relayProxy: RelayProxy }>({
  relayProxy: async ({ page }, use) => {
    const relayProxy = createRelayProxy()
    await routeThroughProxy(page, relayProxy)
    await use(relayProxy)
    await relayProxy.shut()
  },
})

test.use({
  // The browser itself logs each URL that it cannot reach.
  allowedErrors: [/WebSocket connection to .* failed|ERR_INTERNET_DISCONNECTED/],
  bypassCSP: true,
})

/** Requests a signature and waits until the wallet shows the request. */
async function askInWallet(page: Page, wallet: Page) {
  await openDeveloperPage(page)
  const form = await askToSign(page)
  await expect(wallet.getByTestId('request')).toBeVisible()
  return form
}

test('error: without a relay the view shows an error after 15 s; when it is back, trying again connects', async ({
  page,
  wallet,
  relayProxy,
}) => {
  await page.goto(stack.urls.web)
  const startedAtMs = performance.now()
  const dialog = await openCode(page)
  await expect(dialog.getByText('No connection to the relay')).toBeVisible()
  expect(performance.now() - startedAtMs).toBeGreaterThan(14_500)
  await relayProxy.open()
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await pair(wallet, await scan(page))
  await decide(wallet, 'proposal', 'approve')
  await expect(dialog).toBeHidden()
  await expect(account(page)).toBeVisible()
})

test('behavior: the relay is down while the wallet responds; both continue when it is back', async ({
  page,
  wallet,
  relayProxy,
}) => {
  await relayProxy.open()
  await connectElsewhere(page, wallet)
  const form = await askInWallet(page, wallet)
  await relayProxy.shut()
  await wallet.getByTestId('request').getByTestId('approve').click()
  await expect(wallet.getByTestId('recent')).toContainText('personal_sign')
  await relayProxy.open()
  await expect(form.getByText('Valid: signed by 0xf3…b92266')).toBeVisible()
})

test('behavior: the app is offline while the wallet responds, and gets the response when it is back', async ({
  page,
  context,
  wallet,
  relayProxy,
}) => {
  await relayProxy.open()
  await connectElsewhere(page, wallet, withoutProxy)
  const form = await askInWallet(page, wallet)
  await context.setOffline(true)
  await relayProxy.shut()
  await decide(wallet, 'request', 'approve')
  await relayProxy.open()
  await context.setOffline(false)
  await expect(form.getByText('Valid: signed by 0xf3…b92266')).toBeVisible()
})

test('behavior: the app is offline while the wallet approves the connection', async ({
  page,
  context,
  wallet,
  relayProxy,
}) => {
  await relayProxy.open()
  await page.goto(stack.urls.web)
  const dialog = await openCode(page)
  const uri = await scan(page)
  await context.setOffline(true)
  await relayProxy.shut()
  await pair(wallet, withoutProxy(uri))
  await decide(wallet, 'proposal', 'approve')
  await relayProxy.open()
  await context.setOffline(false)
  await expect(dialog).toBeHidden()
  await expect(account(page)).toBeVisible()
})
