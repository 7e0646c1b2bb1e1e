import { answer, expect, openConnected, test } from '../fixtures.ts'

test('default: switches between the two local networks', async ({ page }) => {
  await openConnected(page)
  await page
    .getByRole('button', { name: /^Network: Latchkey One/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await answer(page, 'approve', () => dialog.getByRole('button', { name: /Latchkey Two/ }).click())
  await expect(page.getByRole('button', { name: /^Network: Latchkey Two/ }).first()).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: /^Network: Latchkey Two/ }).first()).toBeVisible()
})

test('behavior: declining stays where it was', async ({ page }) => {
  await openConnected(page)
  await page
    .getByRole('button', { name: /^Network: Latchkey One/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await answer(page, 'reject', () => dialog.getByRole('button', { name: /Latchkey Two/ }).click())
  await expect(dialog.getByText('Switch declined')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: /^Network: Latchkey One/ }).first()).toBeVisible()
})
