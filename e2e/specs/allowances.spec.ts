import { allow, allowanceOf } from '../allowances.ts'
import { violations } from '../axe.ts'
import { answer, expect, openConnected, test } from '../fixtures.ts'

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
// Of nobody: no other test allows it anything.
const spender = '0x5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e0001'

test('default: what a site may take is listed, revoked and gone', async ({ page }) => {
  await allow(alice, { token: 'gold', spender, amount: 2n ** 256n - 1n })
  await openConnected(page)
  await page
    .getByRole('button', { name: /^Account 0x/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Allowances/ }).click()
  const box = dialog.getByRole('checkbox', { name: /^dGLD Unlimited.*0x5e…5e0001/ })
  await expect(box).toBeVisible()
  expect(await violations(page)).toEqual([])
  await box.check()
  await expect(dialog.getByText('Fee, at most')).toBeVisible()
  await answer(page, 'approve', () => dialog.getByRole('button', { name: 'Revoke 1' }).click())
  await expect(box).toHaveCount(0)
  expect(await allowanceOf(alice, { token: 'gold', spender })).toBe(0n)
})
