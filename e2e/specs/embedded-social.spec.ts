import type { Locator, Page } from '@playwright/test'
import {
  expect,
  frameOf,
  openSettings,
  press,
  readAddress,
  setUpKit,
  signOut,
  stack,
  test,
} from '../embedded.ts'

// The browser itself reports each refused answer.
test.use({ allowedErrors: [/Failed to load resource/] })

/** Opens the modal on its ways to connect. */
async function openModal(page: Page): Promise<Locator> {
  await page.goto(stack.urls.web)
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  return page.getByRole('dialog')
}

/** Presses a button, and chooses on the page of the provider whose window that opens. */
async function chooseAt(page: Page, button: Locator, choice: string): Promise<Page> {
  const [opened] = await Promise.all([page.waitForEvent('popup'), button.click()])
  await opened.getByRole('button', { name: choice }).click()
  return opened
}

test('default: refused, then signed in without a mailbox; sign-ins are added and removed, and the second login finds the wallet', async ({
  page,
}) => {
  test.slow()
  const modal = await openModal(page)
  const google = modal.getByRole('button', { name: 'Continue with Google' })
  await chooseAt(page, google, 'Do not allow it')
  await expect(modal.getByText('Not signed in')).toBeVisible()
  const tryAgain = modal.getByRole('button', { name: 'Try again' })
  const opened = await chooseAt(page, tryAgain, 'Sign in as ada')
  const frame = frameOf(page)
  await expect(frame.getByLabel('Printed kit')).toBeVisible()
  await expect(frame.getByText('By e-mail, with the operator’s help')).toBeHidden()
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
  await press(frame.locator('li', { hasText: 'Google' }).getByRole('button', { name: 'Remove' }))
  await chooseAt(page, confirm, 'Sign in as ada')
  await expect(frame.getByText('You cannot remove the last way to sign in.')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.reload()
  await signOut(page)

  await openModal(page)
  await modal.getByRole('button', { name: 'All ways to sign in' }).click()
  await chooseAt(page, modal.getByRole('button', { name: 'GitHub' }), 'Sign in as grace')
  await press(frame.getByRole('button', { name: 'Show', exact: true }))
  expect(await readAddress(page)).toBe(address)
})

test('error: a blocked window, one that was closed, and a provider that fails', async ({
  page,
}) => {
  const modal = await openModal(page)
  const google = modal.getByRole('button', { name: 'Continue with Google' })
  await expect(google).toBeVisible()
  await page.evaluate(() => {
    const { open } = window
    window.open = () => {
      window.open = open
      return null
    }
  })
  await google.click()
  await expect(modal.getByText('The window was blocked')).toBeVisible()
  const button = modal.getByRole('button', { name: 'Open the window' })
  const [opened] = await Promise.all([page.waitForEvent('popup'), button.click()])
  await expect(modal.getByText('Authenticating...')).toBeVisible()
  await opened.getByRole('heading', { name: 'Google, for development' }).waitFor()
  await opened.close()
  await expect(modal.getByText('The window of Google looks closed.')).toBeVisible()
  const tryAgain = modal.getByRole('button', { name: 'Try again' })
  await chooseAt(page, tryAgain, 'Fail, as if Google had an error')
  await expect(modal.getByText('The sign-in did not work')).toBeVisible()
})
