import type { Page } from '@playwright/test'
import { answer, expect, openConnected, test } from '../fixtures.ts'
import { dollarsOf, nativeOf } from '../holdings.ts'

// The third of the development accounts: no other test of this suite sends to it.
const receiver = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

async function openSend(page: Page) {
  await page
    .getByRole('button', { name: /^Account 0x/ })
    .first()
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
}

test('default: reports invalid input, keeps the form after a declined transfer, sends ETH and a token', async ({
  page,
}) => {
  await openConnected(page, '/developer')
  const before = await nativeOf(receiver)
  const account = page.getByRole('button', { name: /^Account 0x/ }).first()
  await expect(account).toContainText(' ETH')
  const shown = await account.textContent()
  await openSend(page)
  const dialog = page.getByRole('dialog')
  const amount = dialog.getByLabel('Amount')
  const to = dialog.getByLabel('To', { exact: true })
  await amount.fill('99999999')
  await expect(dialog.getByRole('button', { name: 'Insufficient funds' })).toBeVisible()
  await amount.fill('2')
  await to.fill('0x1234')
  await expect(dialog.getByRole('button', { name: 'Invalid address' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Back' }).click()
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(amount).toHaveValue('2')
  await expect(to).toHaveValue('0x1234')

  await to.fill(receiver)
  await dialog.getByRole('button', { name: 'Review' }).click()
  await answer(page, 'reject', () =>
    dialog.getByRole('button', { name: 'Send', exact: true }).click(),
  )
  await expect(dialog.getByText('You declined the transfer. Nothing was sent.')).toBeVisible()
  expect(await nativeOf(receiver)).toBe(before)
  await dialog.getByRole('button', { name: 'Back' }).click()
  await expect(amount).toHaveValue('2')

  await amount.fill('1.5')
  await dialog.getByRole('button', { name: 'Review' }).click()
  await expect(dialog.getByText('1.5 ETH')).toBeVisible()
  await expect(dialog.getByText('Latchkey One').first()).toBeVisible()
  await answer(page, 'approve', () =>
    dialog.getByRole('button', { name: 'Send', exact: true }).click(),
  )
  await expect(dialog.getByText('Transfer complete')).toBeVisible()
  await expect
    .poll(async () => (await nativeOf(receiver)) - before)
    .toBe(1_500_000_000_000_000_000n)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(account).not.toHaveText(shown ?? '')

  const held = await dollarsOf(receiver)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await openSend(page)
  await dialog.getByRole('button', { name: /^Token / }).click()
  await dialog.getByRole('button', { name: /dUSD/ }).click()
  await dialog.getByLabel('Amount').fill('12.345678')
  await dialog.getByLabel('To', { exact: true }).fill(receiver)
  await dialog.getByRole('button', { name: 'Review' }).click()
  await answer(page, 'approve', () =>
    dialog.getByRole('button', { name: 'Send', exact: true }).click(),
  )
  await expect(dialog.getByText('Transfer complete')).toBeVisible()
  await expect.poll(async () => (await dollarsOf(receiver)) - held).toBe(12_345_678n)
})
