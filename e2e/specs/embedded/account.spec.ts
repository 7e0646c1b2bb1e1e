import type { Locator, Page } from '@playwright/test'
import {
  expect,
  frameOf,
  holdToApprove,
  keepKit,
  openAccountSettings,
  openSettings,
  press,
  pressSignOut,
  readAddress,
  stack,
  submitAgain,
  submitEmail,
  test,
  typeCode,
} from '../../embedded.ts'
import { countCodes, mailed, readCode, someEmail } from '../../mails.ts'
import { noteMessages } from '../../noteMessages.ts'

// The browser itself logs each error response.
test.use({ allowedErrors: [/Failed to load resource/] })

/**
 * Presses the button until the frame shows its question: the pause after the previous mail may not
 * have ended.
 */
async function askToChange(page: Page, modal: Locator) {
  const asked = frameOf(page).getByText('Change your email address?')
  await expect(async () => {
    if (await asked.isVisible()) return
    await modal.getByRole('button', { name: 'Continue', exact: true }).click({ timeout: 1_000 })
    await expect(asked).toBeVisible({ timeout: 3_000 })
  }).toPass({ timeout: 120_000 })
}

test('default: the email address changes with a code to each address; the wallet stays the same', async ({
  connected: page,
  owner,
}) => {
  test.slow()
  const { email, address } = owner
  const newEmail = someEmail()
  const hasAnnounced = await noteMessages(page)
  await page.reload()
  const frame = frameOf(page)
  const modal = await openAccountSettings(page)
  await modal.getByRole('button', { name: new RegExp(`^Email.*${email}`) }).click()
  const before = await countCodes(email)
  await modal.getByLabel('New email address').fill(newEmail)
  await askToChange(page, modal)
  // The user sees the complete address before any mail is sent.
  await expect(frame.locator('.asked')).toContainText(newEmail)
  expect(await countCodes(email)).toBe(before)
  await holdToApprove(page, 'change it')
  await expect(frame.getByText(`Change your email address to ${newEmail}`)).toBeVisible()
  await typeCode(frame, await readCode(email, before))
  await expect(modal.getByText(newEmail)).toBeVisible()
  await expect(frame.getByText(`Change your email address to ${newEmail}`)).toBeVisible()
  await typeCode(frame, await readCode(newEmail))
  await hasAnnounced('Email address changed')
  await expect(modal.getByRole('button', { name: new RegExp(`^Email.*${newEmail}`) })).toBeVisible()
  await expect.poll(() => mailed(email, 'Your email address was changed')).toBe(1)

  owner.email = newEmail
  await pressSignOut(modal)
  const codes = await countCodes(newEmail)
  await submitEmail(page, newEmail)
  await submitAgain(page)
  await typeCode(frame, await readCode(newEmail, codes))
  expect(await readAddress(page)).toBe(address)
})

test.describe('while the server of the wallet is away', () => {
  test.use({ allowedErrors: [/ERR_FAILED|503/] })

  test("behavior: without the wallet's server, the page keeps its account, and connects when it is back", async ({
    connected: page,
    owner: { address },
  }) => {
    await page.goto(stack.urls.web)
    const copy = page.getByRole('button', { name: /^Copy address 0x/ })
    const calls = `${stack.urls.frame}/api/**`
    for (const answer of ['no connection', 'an error'] as const) {
      await page
        .context()
        .route(calls, (route) =>
          answer === 'an error' ? route.fulfill({ status: 503 }) : route.abort(),
        )
      await page.reload()
      const words = page.getByText('Your wallet’s server is unreachable. Retrying…')
      await expect(words).toBeVisible()
      await expect(copy).toHaveAttribute('title', address)
      await page.context().unroute(calls)
      await page.evaluate(() => window.dispatchEvent(new Event('online')))
      await expect(words).toBeHidden()
      await expect(copy).toHaveAttribute('title', address)
    }
  })
})

test('default: the user moves to a new wallet, and the page switches; the old wallet is used and dropped', async ({
  connected: page,
  owner,
}) => {
  const { email, address } = owner
  await openSettings(page, 'Replace this wallet')
  const frame = frameOf(page)
  const confirm = async (name: string) => {
    const codes = await countCodes(email)
    await press(frame.getByRole('button', { name }))
    await typeCode(frame, await readCode(email, codes))
  }
  await confirm('Create a new wallet')
  const kit = await keepKit(page)
  await frame.getByLabel('The seven groups of your kit').fill(kit)
  await press(frame.getByRole('button', { name: 'Check the kit and move' }))
  const card = frame.getByRole('region', { name: 'Your new wallet' })
  const fresh = (await card.getByText(/^0x/).textContent()) as `0x${string}`
  expect(fresh).not.toBe(address)
  Object.assign(owner, { address: fresh, kit })
  const dialog = page.getByRole('dialog', { name: 'Replace this wallet' })
  const close = () => dialog.getByRole('button', { name: 'Close' }).click()
  await close()
  await expect.poll(() => readAddress(page)).toBe(fresh)
  await page.reload()
  expect(await readAddress(page)).toBe(fresh)
  await openSettings(page, 'Replace this wallet')
  await press(frame.getByRole('button', { name: 'Use the old wallet here' }))
  await expect(frame.getByRole('button', { name: 'Use the new wallet here' })).toBeVisible()
  await close()
  await expect.poll(() => readAddress(page)).toBe(address)
  await openSettings(page, 'Replace this wallet')
  await press(frame.getByRole('button', { name: 'Use the new wallet here' }))
  await press(frame.getByRole('button', { name: 'Delete the old wallet' }))
  await frame.getByRole('textbox').fill('delete this wallet')
  await confirm('Delete it')
  await expect(frame.getByRole('button', { name: 'Create a new wallet' })).toBeVisible()
  await close()
  await expect.poll(() => readAddress(page)).toBe(fresh)
})
