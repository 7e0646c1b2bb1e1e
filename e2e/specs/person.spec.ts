import type { Page } from '@playwright/test'
import { expect, openConnected, pageOf, test } from '../fixtures.ts'
import { createPerson } from '../person.ts'

// The ninth of the development accounts.
const receiver = '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f'

const dialogOf = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string | RegExp) =>
  dialogOf(page).getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
const connectButton = (page: Page) => page.getByRole('button', { name: 'Connect wallet' }).first()
/** A button of the portfolio: send, receive, swap or buy. */
const action = (page: Page, name: string) => page.locator('.actions').getByRole('button', { name })

test('limit: connecting takes three presses', async ({ page }) => {
  const person = createPerson()
  await page.goto(pageOf())
  await person.measureLoad(page, connectButton(page))
  await person.click(connectButton(page))
  const window = await person.open(page, button(page, /Latchkey Development Wallet/))
  await person.click(window.getByTestId('approve')).catch(() => {})
  await person.see(page.locator('.worth .sum'))
  await person.measureLoad(page, page.locator('.worth .sum'))
  person.end('connect', { clicks: 3, seconds: 6 })
})

test('limit: sending takes four presses and two fields', async ({ page }) => {
  await openConnected(page)
  const person = createPerson()
  await person.measureLoad(page, action(page, 'Send'))
  await person.click(action(page, 'Send'))
  await person.fill(dialogOf(page).getByLabel('Amount'), '0.25')
  await person.fill(dialogOf(page).getByLabel('To', { exact: true }), receiver)
  await person.click(button(page, 'Review'))
  const window = await person.open(page, button(page, 'Send'))
  await person.click(window.getByTestId('approve')).catch(() => {})
  await person.see(dialogOf(page).getByText('Transfer complete'))
  await person.measureLoad(page, action(page, 'Send'))
  person.end('send', { clicks: 4, fields: 2, seconds: 8 })
})

test('limit: swapping takes six presses and a field', async ({ page }) => {
  await openConnected(page)
  const person = createPerson()
  await person.measureLoad(page, action(page, 'Send'))
  await person.click(action(page, 'Swap'))
  await person.click(button(page, /^Token to receive/))
  await person.click(button(page, /\bdUSD\b/))
  await person.fill(dialogOf(page).getByLabel('You pay', { exact: true }), '0.5')
  await person.click(button(page, 'Review swap'))
  const window = await person.open(page, button(page, 'Swap'))
  await person.click(window.getByTestId('approve')).catch(() => {})
  await person.see(dialogOf(page).getByText('Swap complete'))
  await person.measureLoad(page, action(page, 'Send'))
  person.end('swap', { clicks: 6, fields: 1, seconds: 8 })
})

test('limit: buying takes four presses and no field', async ({ page }) => {
  await openConnected(page)
  const person = createPerson()
  await person.measureLoad(page, action(page, 'Send'))
  await person.click(action(page, 'Buy'))
  await person.click(button(page, '$100'))
  await expect(dialogOf(page).getByText(/^≈ /)).toBeVisible()
  const checkout = await person.open(page, button(page, 'Continue to Latchkey Checkout'))
  await person.click(checkout.getByRole('button', { name: /is paid at once/ }))
  await person.see(dialogOf(page).getByText(/ETH arrived/))
  await person.measureLoad(page, action(page, 'Send'))
  person.end('buy', { clicks: 4, seconds: 8 })
})
