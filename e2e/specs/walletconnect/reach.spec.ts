import { settled, violations, violationsInThemes } from '@latchkey/dev/axe'
import type { Locator, Page } from '@playwright/test'
import { askToSign, openDeveloperPage, section } from '../../developerPage.ts'
import { expect, stack, test } from '../../fixtures.ts'
import { noteMessages } from '../../noteMessages.ts'
import { nameOwnRelay } from '../../relayProxy.ts'
import { account, connectElsewhere, decide, openCode, pair, scan } from '../../walletConnect.ts'

/** Presses Tab until the target has the focus, then Enter. */
async function pressAt(page: Page, target: Locator) {
  const isFocused = () => target.evaluate((node) => node === document.activeElement)
  for (let tabs = 0; tabs < 80 && !(await isFocused()); tabs++) await page.keyboard.press('Tab')
  await expect(target).toBeFocused()
  await page.keyboard.press('Enter')
}

test('behavior: from the first button to the signature by keyboard alone', async ({
  page,
  context,
  wallet,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const hasAnnounced = await noteMessages(page)
  await page.goto(stack.urls.web)
  await pressAt(page, page.getByRole('button', { name: 'Connect wallet' }).first())
  const dialog = page.getByRole('dialog')
  await pressAt(page, dialog.getByRole('button', { name: /^WalletConnect/ }))
  await scan(page)
  await pressAt(page, dialog.getByRole('button', { name: 'Copy link' }))
  await hasAnnounced('Link copied')
  const uri = await page.evaluate(() => navigator.clipboard.readText())

  await wallet.getByTestId('uri').focus()
  await wallet.keyboard.insertText(uri)
  await wallet.keyboard.press('Enter')
  await pressAt(wallet, wallet.getByTestId('proposal').getByTestId('approve'))
  await expect(dialog).toBeHidden()
  await expect(account(page)).toBeVisible()

  await pressAt(page, page.getByRole('link', { name: 'Developer' }).first())
  const form = section(page, 'Sign a message')
  await pressAt(page, form.getByRole('button', { name: 'Sign', exact: true }))
  await pressAt(wallet, wallet.getByTestId('request').getByTestId('approve'))
  await expect(form.getByText('Valid: signed by 0xf3…b92266')).toBeVisible()
})

test('behavior: axe finds nothing on the way, in either theme', async ({ page, wallet }) => {
  await nameOwnRelay(page)
  await page.goto(stack.urls.web)
  const dialog = await openCode(page)
  const uri = await scan(page)
  expect(await violationsInThemes(page)).toEqual([])
  await pair(wallet, uri)
  expect(await violationsInThemes(wallet)).toEqual([])
  await decide(wallet, 'proposal', 'reject')
  await expect(dialog.getByText('Connection declined')).toBeVisible()
  expect(await violationsInThemes(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Back' }).click()

  // The page's styles for lists and paragraphs must not change the modal.
  await settled(page)
  const startOf = async (name: RegExp) =>
    (await dialog.getByRole('button', { name }).boundingBox())?.x
  expect(await startOf(/^All wallets/)).toBe(await startOf(/^WalletConnect/))

  // A wallet with two ways to connect.
  await dialog.getByRole('button', { name: /^All wallets/ }).click()
  await dialog.getByRole('button', { name: /^Ledger / }).click()
  await scan(page)
  expect(await violationsInThemes(page)).toEqual([])
  await dialog.getByRole('tab', { name: 'Desktop' }).click()
  await expect(dialog.getByText('Continue in Ledger')).toBeVisible()
  expect(await violationsInThemes(page)).toEqual([])
})

test('behavior: axe finds nothing while a request waits elsewhere', async ({ page, wallet }) => {
  await connectElsewhere(page, wallet)
  await openDeveloperPage(page)
  await askToSign(page)
  await expect(wallet.getByTestId('request')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await wallet.getByTestId('session-manage').click()
  for (const part of ['session-reach', 'session-event']) await wallet.getByTestId(part).click()
  expect(await violations(wallet)).toEqual([])
})
