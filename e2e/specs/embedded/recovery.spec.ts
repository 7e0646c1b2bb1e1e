import type { Page } from '@playwright/test'
import { mnemonicToAccount } from 'viem/accounts'
import {
  approveDevice,
  expect,
  forgetBrowser,
  frameOf,
  logIn,
  movePlace,
  openSettings,
  press,
  readAddress,
  signOut,
  stack,
  submitEmail,
  test,
  typeCode,
} from '../../embedded.ts'
import { countCodes, readCode, someEmail } from '../../mails.ts'

// The browser itself logs each error response.
test.use({ allowedErrors: [/Failed to load resource/] })

const byMail = 'By email (less private)'

/** Creates a new user with a wallet that the operator can recover. */
async function makeAssisted(page: Page) {
  const email = someEmail()
  await logIn(page, email)
  const frame = frameOf(page)
  const assisted = frame.getByLabel(byMail)
  await press(assisted)
  await expect(assisted).toBeChecked()
  await press(frame.getByRole('button', { name: 'Create my wallet' }))
  return { email, address: await readAddress(page) }
}

/** Requests the operator's help, up to the input of the code. */
async function askByMail(page: Page) {
  const frame = frameOf(page)
  const [digit, button] = [
    frame.getByLabel('Digit 1 of 6'),
    frame.getByRole('button', { name: byMail }),
  ]
  await expect(button).toBeVisible()
  // The previous code was mailed less than 30 s ago.
  await expect(async () => {
    if (await button.isVisible()) await press(button)
    await expect(digit).toBeVisible({ timeout: 5_000 })
  }).toPass({ timeout: 120_000 })
}

/** Requests the operator's help, and types the code. */
async function recoverByMail(page: Page, email: string) {
  const before = await countCodes(email)
  await askByMail(page)
  await typeCode(frameOf(page), await readCode(email, before))
}

test('default: an assisted wallet is recovered by email; a third browser shows when recovery opens', async ({
  page: first,
  device,
}) => {
  test.slow()
  const { email, address } = await makeAssisted(first)
  await forgetBrowser(first)
  const page = await device()
  await logIn(page, email)
  await recoverByMail(page, email)
  expect(await readAddress(page)).toBe(address)

  const other = await device()
  await logIn(other, email)
  await recoverByMail(other, email)
  const frame = frameOf(other)
  const waits = frame.getByText(/^Your wallet can be opened here after/)
  const readWhen = async () => {
    const [, when = ''] = /after (.+), unless/.exec((await waits.textContent()) ?? '') ?? []
    return Date.parse(when)
  }
  await expect(waits).toBeVisible()
  const whenMs = await readWhen()
  expect(Math.abs(whenMs - Date.now() - 24 * 3_600_000)).toBeLessThan(120_000)
  const codes = await countCodes(email)
  await submitEmail(other, email)
  await press(frame.getByRole('button', { name: byMail }))
  await expect(waits).toBeVisible()
  expect(Math.abs((await readWhen()) - whenMs)).toBeLessThanOrEqual(60_000)
  expect(await countCodes(email)).toBe(codes)

  // The browser that holds the wallet is notified, also without opening the settings, and after it
  // is signed out. It then stops the recovery for a week with only its key.
  await openSettings(page, 'Devices')
  const holder = frameOf(page)
  const told = holder.getByText('A code from your email was used in another browser.')
  await expect(told).toBeVisible()
  await page.reload()
  await expect(told).toBeVisible()
  await page.keyboard.press('Escape')
  await signOut(page)
  await submitEmail(page, email)
  await expect(told).toBeVisible()
  await press(holder.getByRole('button', { name: 'Stop it' }))
  await expect(holder.getByText('Stopped. Your wallet stays closed there')).toBeVisible()
  await submitEmail(other, email)
  await press(frame.getByRole('button', { name: byMail }))
  await expect(frame.getByText('A recovery was stopped recently.')).toBeVisible()
})

test('default: the exported words give the same address in another library', async ({
  connected: page,
  owner: { email, kit, address },
}) => {
  test.slow()
  await openSettings(page, 'Recovery phrase')
  const opened = page.context().waitForEvent('page')
  await press(frameOf(page).getByRole('button', { name: 'Open the tab' }))
  const tab = await opened
  await expect.poll(() => new URL(tab.url()).origin).toBe(stack.urls.frame)
  // For the wallet, the tab is a separate browser: it does not share the frame's storage.
  const before = await countCodes(email)
  await movePlace(page.context())
  await tab.getByLabel('Email address').fill(email)
  await tab.getByRole('button', { name: 'Continue' }).click()
  await approveDevice(tab, email, tab.getByText(/^\d{2}$/))
  await tab.bringToFront()
  await typeCode(tab, await readCode(email, before))
  await tab.getByRole('button', { name: 'Continue' }).click()
  await tab.getByRole('button', { name: 'Use your printed kit' }).click()
  await tab.getByLabel('The seven groups of your kit').fill(kit)
  await tab.getByRole('button', { name: 'Open with the kit' }).click()
  const hold = tab.getByRole('button', { name: 'Hold to see the words' })
  await hold.hover()
  await tab.mouse.down()
  const items = tab.locator('.phrase li')
  await expect(items.first()).not.toHaveText('••••')
  const words = (await items.allTextContents()).join(' ')
  await tab.mouse.up()
  await expect(items.first()).toHaveText('••••')
  expect(words.split(' ')).toHaveLength(24)
  expect(mnemonicToAccount(words).address).toBe(address)
  await tab.getByRole('button', { name: 'Hide and forget' }).click()
  await expect(tab.getByText('The words are gone from this page.')).toBeVisible()
})
