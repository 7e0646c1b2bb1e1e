import { mayClose } from '@latchkey/dev'
import type { Locator, Page } from '@playwright/test'
import {
  expect,
  frameOf,
  holdToApprove,
  logIn,
  openAccountSettings,
  openSettings,
  openWithKit,
  press,
  readAddress,
  setUpKit,
  signOut,
  test,
  typeCode,
} from '../../embedded.ts'
import { stack } from '../../fixtures.ts'
import { readCode, someEmail } from '../../mails.ts'
import { noteMessages } from '../../noteMessages.ts'
import { plugPasskeys } from '../../plugPasskeys.ts'
import { chooseApart, findProvider, openModal, signInAs, somebody } from '../../socialSignIn.ts'

// The browser itself logs each error response.
test.use({ allowedErrors: [/Failed to load resource/] })

/** Presses a button, and chooses on the page of the provider whose window that opens. */
async function chooseAt(page: Page, button: Locator, choice: string): Promise<Page> {
  const [opened] = await Promise.all([page.waitForEvent('popup'), press(button)])
  await mayClose(opened.getByRole('button', { name: choice }).click())
  return opened
}

test('default: login after a blocked window and failures; sign-ins are added and removed', async ({
  page,
}) => {
  test.slow()
  const modal = page.getByRole('dialog')
  const choice = await findProvider(page, 'Google')
  await expect(choice).toBeVisible()
  await page.evaluate(() => {
    const { open } = window
    window.open = () => {
      window.open = open
      return null
    }
  })
  await choice.click()
  await expect(modal.getByText('The window was blocked')).toBeVisible()
  const button = modal.getByRole('button', { name: 'Open the window' })
  const [closed] = await Promise.all([page.waitForEvent('popup'), button.click()])
  await expect(modal.getByText('Authenticating...')).toBeVisible()
  await closed.getByRole('heading', { name: 'Google, for development' }).waitFor()
  await closed.close()
  await expect(modal.getByText('The Google window seems to be closed.')).toBeVisible()
  const tryAgain = modal.getByRole('button', { name: 'Try again' })
  const [stray] = await Promise.all([page.waitForEvent('popup'), tryAgain.click()])
  await stray.getByRole('heading', { name: 'Google, for development' }).waitFor()
  await stray.goto(`${stack.urls.frame}/oauth/callback/google?code=x&state=of-another-login`)
  await expect(stray.getByText('This sign-in was not started here, or has ended.')).toBeVisible()
  await expect(modal.getByText(/before the sign-in was complete/)).toBeVisible()
  // The next window would have the same name.
  await stray.close()
  await chooseAt(page, tryAgain, 'Fail, as if Google had an error')
  await expect(modal.getByText('Sign-in failed')).toBeVisible()
  await chooseAt(page, tryAgain, 'Do not allow it')
  await expect(modal.getByText('Not signed in')).toBeVisible()
  const opened = await chooseAt(page, tryAgain, 'Sign in as ada')
  const frame = frameOf(page)
  await expect(frame.getByLabel('Printed kit')).toBeVisible()
  await expect(frame.getByText('By email (less private)')).toBeHidden()
  await expect.poll(() => opened.isClosed()).toBe(true)
  await setUpKit(page)
  // A provider may sign in without asking, so the page has to.
  await press(frame.getByRole('button', { name: 'Show', exact: true }))
  const address = await readAddress(page)

  await openSettings(page, 'Sign-ins')
  await expect(frame.getByText('You cannot remove the last way to sign in.')).toBeVisible()
  await press(frame.getByRole('button', { name: 'Add GitHub' }))
  // Without a mailbox, it is the provider that confirms.
  const confirm = frame.getByRole('button', { name: 'Continue with Google' })
  await chooseAt(page, confirm, 'Sign in as ada')
  await chooseAt(
    page,
    frame.getByRole('button', { name: 'Continue with GitHub' }),
    'Sign in as grace',
  )
  await expect(frame.getByText('grace')).toBeVisible()
  const row = frame.locator('li', { hasText: 'Google' })
  const remove = row.getByRole('button', { name: 'Remove' })
  const leftOf = (one: Locator) => one.evaluate((element) => element.getBoundingClientRect().left)
  expect(await leftOf(remove.locator('span'))).toBe(await leftOf(row.getByText('Google')))
  await press(remove)
  await chooseAt(page, confirm, 'Sign in as ada')
  await expect(frame.getByText('You cannot remove the last way to sign in.')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.reload()
  await signOut(page)

  await openModal(page)
  await modal.getByRole('button', { name: 'More ways to sign in' }).click()
  await chooseAt(page, modal.getByRole('button', { name: 'GitHub' }), 'Sign in as grace')
  await press(frame.getByRole('button', { name: 'Show', exact: true }))
  expect(await readAddress(page)).toBe(address)
})

// The test above covers Google and GitHub. `social.test.ts` of the server covers the other
// providers.
test('default: a new user signs in with X, Discord, Apple and Facebook', async ({ page }) => {
  for (const provider of ['X', 'Discord', 'Apple', 'Facebook']) {
    await signInAs(page, await findProvider(page, provider), somebody())
    await expect(frameOf(page).getByLabel('Printed kit')).toBeVisible()
  }
})

test('default: an account without a mailbox adds one and signs in with it; its first sign-in is removed', async ({
  page,
  device,
}) => {
  test.slow()
  const frame = frameOf(page)
  const [owner, email] = [somebody(), someEmail()]
  const hasAnnounced = await noteMessages(page)
  await signInAs(page, await findProvider(page, 'Google'), owner)
  const kit = await setUpKit(page)
  await press(frame.getByRole('button', { name: 'Show', exact: true }))
  const address = await readAddress(page)
  const modal = await openAccountSettings(page)
  await modal.getByRole('button', { name: 'Email Add an address' }).click()
  await modal.getByLabel('Email address').fill(email)
  await modal.getByRole('button', { name: 'Continue' }).click()
  await expect(frame.getByText('Add this email address to your account')).toBeVisible()
  await expect(frame.getByText(email)).toBeVisible()
  await holdToApprove(page, 'add it')
  const confirm = frame.getByRole('button', { name: 'Continue with Google' })
  await expect(frame.getByText(email)).toBeVisible()
  await signInAs(page, confirm, owner)
  await typeCode(frame, await readCode(email))
  await hasAnnounced('Email address added')
  await expect(modal.getByRole('button', { name: `Email ${email}` })).toBeVisible()
  const other = await device()
  await logIn(other, email)
  await openWithKit(other, kit)
  expect(await readAddress(other)).toBe(address)

  await page.bringToFront()
  await page.keyboard.press('Escape')
  await openSettings(page, 'Sign-ins')
  const row = frame.getByRole('listitem').filter({ hasText: 'Google' })
  await press(row.getByRole('button', { name: 'Remove' }))
  await expect(frame.getByText('or a passkey that is three days old')).toBeVisible()
  await expect(confirm).toBeVisible()
  await signInAs(page, confirm, owner)
  await expect(row).toBeHidden()
  await expect(frame.getByText('You cannot remove the last way to sign in.')).toBeVisible()
})

test('behavior: a passkey that is new adds an address, but the sign-in from before the address removes it', async ({
  page,
}) => {
  test.slow()
  await plugPasskeys(page)
  const frame = frameOf(page)
  const [owner, email] = [somebody(), someEmail()]
  const hasAnnounced = await noteMessages(page)
  await signInAs(page, await findProvider(page, 'Google'), owner)
  await expect(frame.getByLabel('Passkey')).toBeChecked()
  await press(frame.getByRole('button', { name: 'Create my wallet' }))
  await press(frame.getByRole('button', { name: 'Show', exact: true }))
  const address = await readAddress(page)
  const modal = await openAccountSettings(page)
  await modal.getByRole('button', { name: 'Email Add an address' }).click()
  await modal.getByLabel('Email address').fill(email)
  await modal.getByRole('button', { name: 'Continue' }).click()
  await holdToApprove(page, 'add it')
  await press(frame.getByRole('button', { name: 'Use your passkey' }))
  await typeCode(frame, await readCode(email))
  await hasAnnounced('Email address added')
  await page.keyboard.press('Escape')

  await openSettings(page, 'Sign-ins')
  const row = frame.getByRole('listitem').filter({ hasText: email })
  await press(row.getByRole('button', { name: 'Remove' }))
  await expect(frame.getByText('or a passkey that is three days old, confirms this')).toBeVisible()
  await expect(frame.getByRole('button', { name: 'Use your passkey' })).toBeHidden()
  await signInAs(page, frame.getByRole('button', { name: 'Continue with Google' }), owner)
  await expect(row).toBeHidden()
  await page.keyboard.press('Escape')
  expect(await readAddress(page)).toBe(address)
})

test('default: Farcaster has a code: refused, then signed by its app, which also confirms another sign-in', async ({
  page,
  context,
}) => {
  const modal = page.getByRole('dialog')
  await (await findProvider(page, 'Farcaster')).click()
  const answer = async (choice: string) => {
    await expect(modal.getByRole('img', { name: 'QR code for your Farcaster app' })).toBeVisible()
    const button = modal.getByRole('button', { name: 'Open Farcaster' })
    const [opened] = await Promise.all([context.waitForEvent('page'), button.click()])
    await mayClose(opened.getByRole('button', { name: choice }).click())
    await opened.getByText('Done.').waitFor()
    await opened.close()
  }
  await answer('Do not allow it')
  await expect(modal.getByText('Not signed in')).toBeVisible()
  await modal.getByRole('button', { name: 'Try again' }).click()
  const own = 'Sign in as grace (fid 2)'
  await answer(own)
  await setUpKit(page)
  const frame = frameOf(page)
  await press(frame.getByRole('button', { name: 'Show', exact: true }))
  await openSettings(page, 'Sign-ins')
  await press(frame.getByRole('button', { name: 'Add GitHub' }))
  const farcaster = frame.getByRole('button', { name: 'Continue with Farcaster' })
  const app = await chooseApart(page, farcaster, (opened) =>
    mayClose(opened.getByRole('button', { name: own }).click()),
  )
  await expect.poll(() => app.isClosed()).toBe(true)
  await expect(frame.getByRole('button', { name: 'Continue with GitHub' })).toBeVisible()
})
