import { violationsInThemes } from '@latchkey/dev/axe'
import { brokenNumbers } from '@latchkey/dev/brokenNumbers'
import type { Page } from '@playwright/test'
import { answer, expect, openConnected, pageOf, stack, test } from '../../fixtures.ts'

const chain = 'eip155:31337'
const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const pay = (page: Page, link: string) => page.goto(pageOf(`/pay/${link}`))

/** Checks that the send form of the modal is filled in. */
async function expectForm(page: Page, form: { to: string; amount: string; symbol: string }) {
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Amount')).toHaveValue(form.amount)
  await expect(dialog.getByRole('button', { name: `Token ${form.symbol}` })).toBeVisible()
  await expect(dialog.getByLabel('To', { exact: true })).toHaveValue(form.to)
  await expect(dialog.getByRole('button', { name: 'Review' })).toBeEnabled()
}

test('default: a link shows who gets how much, and fills in the form once an account is connected', async ({
  page,
}) => {
  const dollar = stack.addresses[chain]?.usd?.toLowerCase()
  await pay(page, `Bob.latchkey.eth?amount=25.50&asset=${chain}/erc20:${dollar}&speed=fast`)
  const main = page.getByRole('main')
  const dialog = page.getByRole('dialog')
  await expect(page).toHaveTitle('Pay bob.latchkey.eth · Latchkey')
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Pay bob.latchkey.eth')
  await expect(main.getByText('25.5 dUSD')).toBeVisible()
  await expect(main.getByTitle(dollar ?? '')).toBeVisible()
  await expect(main.getByText(/^on Latchkey One/)).toBeVisible()
  await expect(main.getByText(bob)).toBeVisible()
  await expect(main.getByRole('img', { name: 'QR code of the address' })).toBeVisible()
  expect(await violationsInThemes(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  expect(await page.evaluate(brokenNumbers, 'main')).toEqual([])
  await page.setViewportSize({ width: 1280, height: 800 })

  await main.getByRole('button', { name: 'Connect to pay' }).click()
  await answer(page, 'approve', () =>
    dialog.getByRole('button', { name: /Latchkey Development Wallet/ }).click(),
  )
  await main.getByRole('button', { name: 'Review payment' }).click()
  await expectForm(page, { to: 'bob.latchkey.eth', amount: '25.5', symbol: 'dUSD' })
  await dialog.getByRole('button', { name: 'Review' }).click()
  await expect(dialog.getByText('25.5 dUSD')).toBeVisible()
  await expect(dialog.getByText(bob)).toBeVisible()
})

test('behavior: a press changes the network first, and a declined change is explained', async ({
  page,
}) => {
  await openConnected(page, '/developer')
  await pay(page, `${bob}?amount=1&asset=eip155:31338/slip44:60`)
  const review = page.getByRole('button', { name: 'Review payment' })
  await answer(page, 'reject', () => review.click())
  await expect(page.getByText('Your wallet stayed on the other network.')).toBeVisible()
  await answer(page, 'approve', () => review.click())
  await expectForm(page, { to: bob, amount: '1', symbol: 'ETH' })
})

test('default: the link that an account makes opens the right form', async ({ page }) => {
  await openConnected(page, '/request')
  const link = page.getByRole('region', { name: 'Payment link' }).getByRole('link')
  const native = pageOf(`/pay/alice.latchkey.eth?asset=${chain}/slip44:60`)
  await expect(link).toHaveAttribute('href', native)
  await expect(page.getByRole('region', { name: 'Payment link' }).getByText(alice)).toBeVisible()
  await page.getByRole('combobox', { name: 'Token on Latchkey One' }).click()
  await page.getByRole('option', { name: 'dUSD · Dev USD' }).click()
  const amount = page.getByLabel('Amount')
  await amount.fill('1.1234567')
  await expect(page.getByText('dUSD has at most 6 decimals.')).toBeVisible()
  await expect(link).toHaveCount(0)
  await amount.fill('1.5')
  await expect(page.getByRole('img', { name: 'QR code of the payment link' })).toBeVisible()
  expect(await violationsInThemes(page)).toEqual([])
  await page.goto((await link.getAttribute('href')) ?? '')
  await page.getByRole('button', { name: 'Review payment' }).click()
  await expectForm(page, { to: 'alice.latchkey.eth', amount: '1.5', symbol: 'dUSD' })
})

test('security: a link has the address, if the account’s name leads to another account', async ({
  page,
}) => {
  const path = /\/v1\/identity\/name\/alice\.latchkey\.eth\?/
  const json = { name: 'alice.latchkey.eth', address: bob, avatar: null, resolvedAt: null }
  await page.route(path, (route) => route.fulfill({ json }))
  const answered = page.waitForResponse(path)
  await openConnected(page, '/request')
  await answered
  const region = page.getByRole('region', { name: 'Payment link' })
  const paid = new RegExp(`/pay/${alice}\\?`, 'i')
  await expect(region.getByRole('link')).toHaveAttribute('href', paid)
  await expect(region.getByText(alice, { exact: true })).toBeVisible()
})

test('error: an unusable link is explained and opens nothing', async ({ page }) => {
  await pay(page, 'alice%E2%80%AE.eth')
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { name: 'This payment link is not usable' })).toBeVisible()
  await expect(main.getByText('It does not name an account')).toBeVisible()
  await pay(page, 'bob.latchkey.eth?amount=1e9')
  await expect(main.getByText('Its amount is not a plain number')).toBeVisible()
  await pay(page, 'bob.latchkey.eth?asset=eip155:1/slip44:60')
  await expect(main.getByText('a network that this app does not have')).toBeVisible()
  await main.getByRole('link', { name: 'Go to the portfolio' }).click()
  await expect(page).toHaveURL(pageOf())
})
