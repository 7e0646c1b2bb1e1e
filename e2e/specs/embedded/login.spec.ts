import type { Page } from '@playwright/test'
import { askToSign, openDeveloperPage, section } from '../../developerPage.ts'
import {
  approveDevice,
  expect,
  frameOf,
  holdToApprove,
  makeWallet,
  press,
  readAddress,
  setUpKit,
  signOut,
  stack,
  submitAgain,
  submitEmail,
  test,
  typeCode,
} from '../../embedded.ts'
import { pageOf } from '../../fixtures.ts'
import { countCodes, readCode, someEmail } from '../../mails.ts'
import { noteMessages } from '../../noteMessages.ts'
import { requireSignIn } from '../../requireSignIn.ts'

// The browser itself logs each error response.
test.use({ allowedErrors: [/Failed to load resource/] })

/** Signs as the account of this address. */
async function signAs(page: Page, address: string) {
  const form = await askToSign(page)
  await holdToApprove(page, 'sign')
  const valid = new RegExp(`^Valid: signed by 0x.*${address.slice(-6)}$`)
  await expect(form.getByText(valid)).toBeVisible()
}

test("behavior: another user's sign-in in another tab also changes this tab; sites have separate storage", async ({
  connected: page,
  owner,
}) => {
  test.slow()
  await openDeveloperPage(page)
  await signAs(page, owner.address)
  const tab = await page.context().newPage()
  await tab.goto(pageOf('/developer'))
  expect(await readAddress(tab)).toBe(owner.address)
  await signOut(tab)
  // The choices and the button that makes the wallet have to be in sight together, which is hardest
  // here.
  await tab.setViewportSize({ width: 360, height: 560 })
  const second = await makeWallet(tab)
  Object.assign(owner, second)
  const inFrame = tab.frames().find((one) => one.url().startsWith(stack.urls.frame))
  const names = 'indexedDB.databases().then((all) => all.map(({ name }) => name))'
  expect(await inFrame?.evaluate(names)).not.toEqual([])
  await tab.goto(`${stack.urls.frame}/device`)
  expect(await tab.evaluate(names)).toEqual([])
  await page.bringToFront()
  await expect(page.getByText('Valid: signed by')).toBeHidden()
  await signAs(page, second.address)
})

test('behavior: after signing out and in again, the browser is still a known device and has the wallet', async ({
  connected: page,
  owner: { email, address },
}) => {
  test.slow()
  await signOut(page)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
  const before = await countCodes(email)
  await submitEmail(page, email)
  await submitAgain(page)
  await expect(frameOf(page).getByLabel('Digit 1 of 6')).toBeVisible()
  await typeCode(frameOf(page), await readCode(email, before))
  expect(await readAddress(page)).toBe(address)
})

test('error: a wrong code; a login that ends before recovery is set up; a sign-in that is required', async ({
  page,
}) => {
  test.slow()
  const email = someEmail()
  await submitEmail(page, email)
  const modal = page.getByRole('dialog')
  await approveDevice(page, email, modal.getByText(/^\d{2}$/))
  const frame = frameOf(page)
  await expect(frame.getByLabel('Digit 1 of 6')).toBeVisible()
  const right = await readCode(email)
  const wrong = `${(Number(right[0]) + 1) % 10}${right.slice(1)}`
  await typeCode(frame, wrong)
  await expect(frame.getByText('This code is wrong. Check the newest email')).toBeVisible()
  await expect(frame.getByLabel('Digit 1 of 6')).toHaveValue('')
  await typeCode(frame, right)
  await expect(frame.getByLabel('Printed kit')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()

  await requireSignIn(page)
  const hasAnnounced = await noteMessages(page)
  // The session of the first login is still valid, so the server needs no second code.
  await submitEmail(page, email)
  await setUpKit(page)
  await expect(frame.getByText('Sign in', { exact: false }).first()).toBeVisible()
  await press(frame.getByRole('button', { name: 'Reject' }))
  await hasAnnounced('Signature declined')
  await modal.getByRole('button', { name: 'Sign in', exact: true }).click()
  await holdToApprove(page, 'sign')
  await expect(page.locator('dialog[open]')).toHaveCount(0)
  await openDeveloperPage(page)
  await expect(section(page, 'Session').getByRole('status')).toHaveText('Signed in')
})
