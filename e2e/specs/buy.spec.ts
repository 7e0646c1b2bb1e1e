import { violations } from '@latchkey/dev/axe'
import type { Page } from '@playwright/test'
import { expect, openConnected, stack, test } from '../fixtures.ts'
import { dollarsOf, nativeOf } from '../holdings.ts'
import { noteMessages } from '../noteMessages.ts'

// The account that the development wallet connects.
const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
/** The ether for 150 dollars at 3,000 dollars per ether, after a fee of 1.5 %. */
const bought = 49_250_000_000_000_000n

const dialog = (page: Page) => page.getByRole('dialog')

/** Opens the web app, and fills in the form of a purchase. */
async function openBuy(page: Page) {
  await openConnected(page, '/developer')
  await fillBuy(page)
}

async function fillBuy(page: Page) {
  await page
    .getByRole('button', { name: /^Account 0x/ })
    .first()
    .click()
  await dialog(page).getByRole('button', { name: 'Buy', exact: true }).click()
  await dialog(page).getByRole('textbox', { name: 'You pay' }).fill('150')
  await expect(dialog(page).getByText(/^≈ /)).toBeVisible()
}

/** Continues to the checkout, which opens in a popup. */
async function openCheckout(page: Page) {
  const opened = page.waitForEvent('popup')
  await dialog(page).getByRole('button', { name: 'Continue to Latchkey Checkout' }).click()
  const checkout = await opened
  await expect(dialog(page).getByText('Waiting for your payment')).toBeVisible()
  return checkout
}

const choose = (checkout: Page, name: RegExp) => checkout.getByRole('button', { name }).click()
const told = (page: Page, text: string | RegExp) =>
  expect(dialog(page).getByText(text).first()).toBeVisible()

test('default: a card payment delivers the quoted amount; then a token in euros, by bank', async ({
  page,
}) => {
  const before = await nativeOf(alice)
  await openBuy(page)
  await told(page, '≈ 0.04925')
  await told(page, '$2.25')
  const checkout = await openCheckout(page)
  await expect(checkout.getByText('0.04925 ETH')).toBeVisible()
  expect(await checkout.evaluate(() => window.opener)).toBeNull()
  await choose(checkout, /is paid at once/)
  await told(page, '0.04925 ETH arrived')
  expect((await nativeOf(alice)) - before).toBe(bought)
  expect(await violations(page)).toEqual([])
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await page
    .getByRole('button', { name: /^Account 0x/ })
    .first()
    .click()
  await dialog(page).getByRole('tab', { name: 'Activity' }).click()
  await expect(dialog(page).getByRole('listitem').filter({ hasText: 'Bought' })).toContainText([
    '+0.04925 ETH',
  ])
  await page.keyboard.press('Escape')

  const held = await dollarsOf(alice)
  await fillBuy(page)
  await dialog(page).getByRole('button', { name: 'Token: ETH' }).click()
  await dialog(page)
    .getByRole('button', { name: /Dev USD/ })
    .click()
  await dialog(page).getByRole('button', { name: 'Currency: USD' }).click()
  await dialog(page).getByRole('button', { name: /EUR/ }).click()
  await dialog(page)
    .getByRole('radio', { name: /Bank account/ })
    .click()
  await told(page, '≈ 162.525')
  await choose(await openCheckout(page), /is paid at once/)
  await told(page, '162.525 dUSD arrived')
  expect((await dollarsOf(alice)) - held).toBe(162_525_000n)
})

test('behavior: a forged report and a changed checkout are refused; after a reload the order arrives', async ({
  page,
}) => {
  await openBuy(page)
  const placed = page.waitForResponse(/onrampurl/)
  const checkout = await openCheckout(page)
  const { orderId } = await (await placed).json()
  const data = { orderId, status: 'sent', transactionHash: `0x${'1'.repeat(64)}` }
  const forged = await fetch(`${stack.urls.web}/v1/onramp/webhooks/local`, {
    method: 'POST',
    headers: {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': 'v1,AAAA',
    },
    body: JSON.stringify({ type: 'order.updated', timestamp: new Date().toISOString(), data }),
  })
  expect(forged.status).toBe(401)
  // Its popup opens before it has a URL.
  await expect(checkout).toHaveURL(/to=0x/)
  const changed = checkout
    .url()
    .replace(/to=0x\w+/, 'to=0x000000000000000000000000000000000000dEaD')
  expect(changed).not.toBe(checkout.url())
  expect((await fetch(changed)).status).toBe(400)
  await told(page, 'Waiting for your payment')

  await page.reload()
  await page
    .getByRole('button', { name: /^Account 0x/ })
    .first()
    .click()
  await dialog(page).getByRole('button', { name: 'Buy', exact: true }).click()
  const order = dialog(page).getByRole('button', { name: /\$150.00 for ETH/ })
  await expect(order).toBeVisible()
  // Pays only now: the order is in the list for the ten seconds of this card, enough for a busy
  // machine.
  await choose(checkout, /takes ten seconds/)
  await order.click()
  await told(page, '0.04925 ETH arrived')
  await dialog(page).getByRole('button', { name: 'Done' }).click()

  const hasAnnounced = await noteMessages(page)
  await fillBuy(page)
  await choose(await openCheckout(page), /takes ten seconds/)
  await page.reload()
  await hasAnnounced('0.04925 ETH arrived')
  await expect(dialog(page)).toHaveCount(0)
})

test('behavior: a failed purchase is reported, and nothing arrives', async ({ page }) => {
  const before = await nativeOf(alice)
  await openBuy(page)
  const checkout = await openCheckout(page)
  await choose(checkout, /3-D Secure/)
  await choose(checkout, /Refuse/)
  await told(page, 'Your bank did not confirm the payment')
  await choose(checkout, /is declined/)
  await told(page, 'The card was declined')
  await choose(checkout, /Cancel/)
  await told(page, 'You canceled the payment')
  await choose(checkout, /nothing can be sent/)
  await told(page, 'Latchkey Checkout could not deliver')
  expect(await violations(page)).toEqual([])
  expect(await nativeOf(alice)).toBe(before)
})

test('behavior: if the browser opens no window, a link does; a payment is confirmed by 3-D Secure', async ({
  page,
}) => {
  await page.addInitScript(() => {
    window.open = () => null
  })
  await openBuy(page)
  await dialog(page).getByRole('button', { name: 'Continue to Latchkey Checkout' }).click()
  await told(page, 'Your browser blocked the window')
  const opened = page.waitForEvent('popup')
  await dialog(page).getByRole('link', { name: 'Open the checkout' }).click()
  const checkout = await opened
  await choose(checkout, /3-D Secure/)
  await choose(checkout, /Confirm the payment/)
  await told(page, '0.04925 ETH arrived')
})
