import type { Page } from '@playwright/test'
import { askToSign, openDeveloperPage } from '../../developerPage.ts'
import {
  expect,
  frameOf,
  holdToApprove,
  logIn,
  openSettings,
  openWithKit,
  press,
  readAddress,
  test,
} from '../../embedded.ts'

/** Signs for the first time in a browser that the wallet came to: it asks for a picture of its own before. */
async function signHere(page: Page) {
  await openDeveloperPage(page)
  const form = await askToSign(page)
  await press(frameOf(page).getByRole('button', { name: 'Use this picture' }))
  await holdToApprove(page, 'sign')
  await expect(form.getByText('Valid: signed by', { exact: false })).toBeVisible()
}

test('default: a second browser is approved by the first after three words, and signs', async ({
  connected: page,
  owner: { email, address },
  device,
}) => {
  test.slow()
  const second = await device()
  await logIn(second, email)
  const asking = frameOf(second)
  await press(asking.getByRole('button', { name: 'Approve on a device you already use' }))

  await openSettings(page, 'Devices')
  const approving = frameOf(page)
  await press(approving.getByRole('button', { name: 'Compare words' }))
  await expect(approving.locator('.words')).toHaveText(/^\w+\s+\w+\s+\w+$/)
  const words = await approving.locator('.words').textContent()
  await expect(asking.locator('.words')).toHaveText(words ?? '')
  for (const frame of [approving, asking])
    await press(frame.getByRole('button', { name: 'The words are the same' }))
  expect(await readAddress(second)).toBe(address)
  await signHere(second)
})

test('behavior: refused by the first browser, the second gets nothing', async ({
  connected: page,
  owner: { email },
  device,
}) => {
  test.slow()
  const second = await device()
  await logIn(second, email)
  const asking = frameOf(second)
  await press(asking.getByRole('button', { name: 'Approve on a device you already use' }))
  await openSettings(page, 'Devices')
  const approving = frameOf(page)
  await press(approving.getByRole('button', { name: 'Compare words' }))
  await press(approving.getByRole('button', { name: 'They differ, refuse' }))
  await expect(asking.getByText('The other device refused.')).toBeVisible()
  await expect(asking.locator('.words')).toBeHidden()
  await expect(asking.getByRole('button', { name: 'The words are the same' })).toBeHidden()
  await expect(second.getByRole('button', { name: /^Copy address 0x/ })).toHaveCount(0)
})

test('default: a third browser gets the wallet by the printed kit, and signs', async ({
  owner: { email, kit, address },
  device,
}) => {
  test.slow()
  const third = await device()
  await logIn(third, email)
  await openWithKit(third, kit.toLowerCase())
  expect(await readAddress(third)).toBe(address)
  await signHere(third)
})
