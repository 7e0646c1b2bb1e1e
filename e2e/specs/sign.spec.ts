import { verifyMessage } from 'viem'
import { section } from '../developerPage.ts'
import { answer, expect, openConnected, test } from '../fixtures.ts'

const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

test('default: signs a message and typed data; a declined signature and invalid JSON are explained', async ({
  page,
}) => {
  await openConnected(page, '/developer')
  const form = section(page, 'Sign a message')
  const message = 'Grüße aus dem Test: <b>no markup</b>\nsecond line'
  await form.getByRole('textbox').fill(message)
  await answer(page, 'approve', () =>
    form.getByRole('button', { name: 'Sign', exact: true }).click(),
  )
  await expect(form.getByText('Valid: signed by 0xf3…b92266', { exact: false })).toBeVisible()
  const signature = (await form.locator('pre').textContent()) as `0x${string}`
  expect(await verifyMessage({ address: account, message, signature })).toBe(true)

  const typed = section(page, 'Sign typed data')
  await answer(page, 'approve', () =>
    typed.getByRole('button', { name: 'Sign', exact: true }).click(),
  )
  await expect(typed.getByText('Valid: signed by', { exact: false })).toBeVisible()

  await answer(page, 'reject', () =>
    form.getByRole('button', { name: 'Sign', exact: true }).click(),
  )
  await expect(form.getByText('User rejected the request')).toBeVisible()
  await typed.getByRole('textbox').fill('{ "broken": ')
  await typed.getByRole('button', { name: 'Sign', exact: true }).click()
  await expect(typed.locator('.failure')).toBeVisible()
  await expect(typed.getByRole('textbox')).toHaveValue('{ "broken": ')
})
