import { answer, expect, openConnected, test } from '../fixtures.ts'

test('default: switches between the two local networks; a declined switch changes nothing', async ({
  page,
}) => {
  await openConnected(page, '/developer')
  const network = (name: string) =>
    page.getByRole('button', { name: new RegExp(`^Network: ${name}`) }).first()
  await network('Latchkey One').click()
  const dialog = page.getByRole('dialog')
  const two = dialog.getByRole('button', { name: /Latchkey Two/ })
  await answer(page, 'reject', () => two.click())
  await expect(dialog.getByText('Switch declined')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(network('Latchkey One')).toBeVisible()

  await network('Latchkey One').click()
  await answer(page, 'approve', () => two.click())
  await expect(network('Latchkey Two')).toBeVisible()
  await page.reload()
  await expect(network('Latchkey Two')).toBeVisible()
})
