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
  shownAddress,
  test,
} from '../../embedded.ts'

/**
 * Signs for the first time in a browser with a recovered wallet: the wallet first asks to choose a
 * picture for this browser.
 */
async function signHere(page: Page) {
  await openDeveloperPage(page)
  const form = await askToSign(page)
  await press(frameOf(page).getByRole('button', { name: 'Use this picture' }))
  await holdToApprove(page, 'sign')
  await expect(form.getByText('Valid: signed by', { exact: false })).toBeVisible()
}

test.describe('a browser that is removed', () => {
  // The browser itself logs each error response.
  test.use({ allowedErrors: [/Failed to load resource/] })

  // The first test: the list of browsers has no other entry yet.
  test('behavior: a refused browser gets nothing, signs with the kit, and has no wallet after its removal', async ({
    connected: page,
    owner: { email, kit, address },
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
    await expect(shownAddress(second)).toHaveCount(0)

    await press(asking.getByRole('button', { name: 'Back' }))
    await openWithKit(second, kit.toLowerCase())
    expect(await readAddress(second)).toBe(address)
    await signHere(second)

    await page.reload()
    await openSettings(page, 'Devices')
    const rows = approving.getByRole('listitem')
    await expect(rows).toHaveCount(2)
    await press(rows.nth(1).getByRole('button', { name: 'Remove' }))
    await expect(approving.getByText('Remove it? It can no longer sign.')).toBeVisible()
    await press(rows.nth(1).getByRole('button', { name: 'Remove' }))
    await expect(approving.getByText('No other browser holds your wallet.')).toBeVisible()
    await second.reload()
    await expect(second.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
    await expect(shownAddress(second)).toHaveCount(0)
    // The first browser stays connected, also if the user leaves a page before its wallet has
    // responded.
    for (let times = 0; times < 3; times++) {
      await page.reload()
      expect(await readAddress(page)).toBe(address)
    }
  })
})

test('default: another browser is approved by the first after three words, and signs', async ({
  connected: page,
  owner: { email, address },
  device,
}) => {
  test.slow()
  const third = await device()
  await logIn(third, email)
  const asking = frameOf(third)
  await press(asking.getByRole('button', { name: 'Approve on a device you already use' }))

  await openSettings(page, 'Devices')
  const approving = frameOf(page)
  await press(approving.getByRole('button', { name: 'Compare words' }))
  await expect(approving.locator('.words')).toHaveText(/^\w+\s+\w+\s+\w+$/)
  const words = await approving.locator('.words').textContent()
  await expect(asking.locator('.words')).toHaveText(words ?? '')
  for (const frame of [approving, asking])
    await press(frame.getByRole('button', { name: 'The words are the same' }))
  expect(await readAddress(third)).toBe(address)
  await signHere(third)
})
