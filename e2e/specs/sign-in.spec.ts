import type { Page } from '@playwright/test'
import { openDeveloperPage, section } from '../developerPage.ts'
import { answer, expect, stack, test } from '../fixtures.ts'
import { requireSignIn } from '../requireSignIn.ts'

/** Opens the web app where a sign-in is required, and connects. */
async function connectToSignIn(page: Page) {
  await requireSignIn(page)
  await page.goto(stack.urls.web)
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  const dialog = page.getByRole('dialog')
  await answer(page, 'approve', () =>
    dialog.getByRole('button', { name: /Latchkey Development Wallet/ }).click(),
  )
  return { dialog, signIn: dialog.getByRole('button', { name: 'Sign in', exact: true }) }
}

test('default: a signature opens a session, which a reload and another network keep', async ({
  page,
}) => {
  const { dialog, signIn } = await connectToSignIn(page)
  await answer(page, 'approve', () => signIn.click())
  await expect(dialog).toBeHidden()
  await page.reload()
  await openDeveloperPage(page)
  const session = section(page, 'Session')
  await expect(session.getByRole('status')).toHaveText('Signed in')
  await expect(session.locator('pre')).toContainText(
    'wants you to sign in with your Ethereum account',
  )
  await page
    .getByRole('button', { name: /^Network: Latchkey One/ })
    .first()
    .click()
  await answer(page, 'approve', () => dialog.getByRole('button', { name: /Latchkey Two/ }).click())
  await expect(page.getByRole('button', { name: /^Network: Latchkey Two/ }).first()).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(session.getByRole('status')).toHaveText('Signed in')
  await session.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
})

test('error: a declined signature is said, and cancelling disconnects', async ({ page }) => {
  const { dialog, signIn } = await connectToSignIn(page)
  await answer(page, 'reject', () => signIn.click())
  await expect(page.getByText('Signature declined')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
})
