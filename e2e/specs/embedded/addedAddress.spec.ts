import {
  expect,
  frameOf,
  holdToApprove,
  openAccountSettings,
  openSettings,
  press,
  readCode,
  setUpKit,
  someEmail,
  stack,
  test,
  typeCode,
} from '../../embedded.ts'
import { noteMessages } from '../../noteMessages.ts'

// The browser itself reports that a confirmation is needed first.
test.use({ allowedErrors: [/Failed to load resource/] })

test('security: the sign-in from before an added address is removed at its provider alone, and the screen says what else there is', async ({
  page,
  context,
}) => {
  test.slow()
  const frame = frameOf(page)
  const email = someEmail()
  const hasAnnounced = await noteMessages(page)
  const signIn = async (start: () => Promise<unknown>) => {
    const [opened] = await Promise.all([context.waitForEvent('page'), start()])
    await opened.getByLabel('Somebody else').fill(email.split('@')[0] ?? '')
    await opened.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await page.goto(stack.urls.web)
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  const google = page.getByRole('dialog').getByRole('button', { name: 'Continue with Google' })
  await signIn(() => google.click())
  await setUpKit(page)
  await press(frame.getByRole('button', { name: 'Show', exact: true }))
  const modal = await openAccountSettings(page)
  await modal.getByRole('button', { name: 'E-mail Add an address' }).click()
  await modal.getByLabel('E-mail address').fill(email)
  await modal.getByRole('button', { name: 'Continue' }).click()
  await holdToApprove(page, 'add it')
  const confirm = frame.getByRole('button', { name: 'Continue with Google' })
  await signIn(() => press(confirm))
  await typeCode(frame, await readCode(email))
  await hasAnnounced('E-mail address added')
  await page.keyboard.press('Escape')

  await openSettings(page, 'Sign-ins')
  const row = frame.getByRole('listitem').filter({ hasText: 'Google' })
  await press(row.getByRole('button', { name: 'Remove' }))
  await expect(frame.getByText('or a passkey that is three days old')).toBeVisible()
  await expect(confirm).toBeVisible()
  await signIn(() => press(confirm))
  await expect(row).toBeHidden()
  await expect(frame.getByText('You cannot remove the last way to sign in.')).toBeVisible()
})
