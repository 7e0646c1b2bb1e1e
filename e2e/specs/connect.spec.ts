import { answer, connect, disconnect, expect, stack, test } from '../fixtures.ts'

const connectButton = 'Connect wallet'
const developmentWallet = /Latchkey Development Wallet/

test('default: stays connected over a reload without a prompt, and stays disconnected after that', async ({
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await connect(page)
  const account = page.getByRole('button', { name: /^Account 0xf3…b92266/i }).first()
  await expect(account).toBeVisible()
  await expect(account).toContainText('ETH')

  const popups: unknown[] = []
  page.on('popup', (popup) => popups.push(popup))
  await page.reload()
  await expect(account).toBeVisible()
  await expect(account).toContainText('ETH')
  expect(popups).toEqual([])

  await account.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('tab', { name: 'Tokens' })).toBeVisible()
  await expect(dialog.getByText('dUSD').first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: connectButton }).first()).toBeVisible()

  await page.reload()
  // The operator of this server collects no events, so the page sends none.
  expect(asked).toContain('/getAnalyticsConfig')
  expect(asked).not.toContain('/batch')
  await expect(page.getByRole('button', { name: connectButton }).first()).toBeVisible()
  expect(popups).toEqual([])
})

test('behavior: a rejection is shown, closing the popup is one, and trying again works', async ({
  page,
}) => {
  await page.goto(stack.urls.web)
  await page.getByRole('button', { name: connectButton }).first().click()
  const dialog = page.getByRole('dialog')
  const declined = dialog.getByText('Connection declined')
  const tryAgain = dialog.getByRole('button', { name: 'Try again' })
  const opened = page.waitForEvent('popup')
  await dialog.getByRole('button', { name: developmentWallet }).click()
  const popup = await opened
  await popup.getByTestId('reject').waitFor()
  await popup.close()
  await expect(declined).toBeVisible()
  await answer(page, 'reject', () => tryAgain.click())
  await expect(declined).toBeVisible()
  await answer(page, 'approve', () => tryAgain.click())
  await expect(dialog).toBeHidden()
})

test('behavior: two tabs follow each other without a prompt', async ({ page, context }) => {
  await connect(page)
  const other = await context.newPage()
  await other.goto(stack.urls.web)
  await expect(other.getByRole('button', { name: /^Account 0x/ }).first()).toBeVisible()
  await disconnect(page)
  await expect(other.getByRole('button', { name: connectButton }).first()).toBeVisible()
})
