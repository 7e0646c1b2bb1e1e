import {
  expect,
  forgetBrowser,
  frameOf,
  holdToApprove,
  openAccountSettings,
  openSettings,
  press,
  pressSignOut,
  readAddress,
  test,
  typeCode,
} from '../../embedded.ts'
import { pageOf } from '../../fixtures.ts'
import { countMails, readCode, someEmail } from '../../mails.ts'
import { noteMessages } from '../../noteMessages.ts'
import { createPerson } from '../../person.ts'
import { plugPasskeys } from '../../plugPasskeys.ts'

// The server refuses the new address until the user has confirmed it.
test.use({ allowedErrors: [/status of 403 .*\/api\/email\/add/] })

test('limit: a first wallet by passkey takes two presses in the open modal; an email address is added later', async ({
  page,
}) => {
  test.slow()
  const hasAnnounced = await noteMessages(page)
  await plugPasskeys(page)
  const person = createPerson()
  const modal = page.getByRole('dialog')
  const frame = frameOf(page)
  await page.goto(pageOf('/developer'))
  await person.measureLoad(page, page.getByRole('contentinfo'))
  await person.click(page.getByRole('button', { name: 'Connect wallet' }).first())
  await person.click(modal.getByRole('button', { name: 'Create a wallet with a passkey' }))
  await person.press(() => press(frame.getByRole('button', { name: 'Create my wallet' })))
  let address = ''
  await person.press(() => readAddress(page).then((read) => (address = read)), { clicks: 0 })
  await person.measureLoad(page, page.getByRole('contentinfo'))
  person.end('first wallet by passkey', { clicks: 3, seconds: 8 })

  // Nothing recovers the wallet yet, and the account says so. The same passkey then does.
  await page
    .getByRole('button', { name: /^Account 0x/ })
    .first()
    .click()
  await expect(modal.getByText('Only on this device')).toBeVisible()
  await modal.getByRole('button', { name: 'Back up' }).click()
  await expect(frame.getByRole('radio', { name: /^Use your passkey/ })).toBeChecked()
  await press(frame.getByRole('button', { name: 'Back up my wallet' }))
  await expect(modal.getByText('Only on this device')).toBeHidden()
  await page.reload()
  expect(await readAddress(page)).toBe(address)

  // The passkey is the sign-in, and it recovers the wallet: a browser without data opens it.
  await openSettings(page, 'Sign-ins')
  await expect(frame.getByText('The passkey is your only way to sign in.')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.reload()
  await forgetBrowser(page)
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  await modal.getByRole('button', { name: 'I have a passkey' }).click()
  await press(frame.getByRole('button', { name: 'Use your passkey' }))
  expect(await readAddress(page)).toBe(address)

  const email = someEmail()
  const settings = await openAccountSettings(page)
  await settings.getByRole('button', { name: 'Email Add an address' }).click()
  await settings.getByLabel('Email address').fill(email)
  await settings.getByRole('button', { name: 'Continue' }).click()
  await expect(frame.getByText('Add this email address to your account')).toBeVisible()
  expect(await countMails(email)).toBe(0)
  await holdToApprove(page, 'add it')
  const confirm = frame.getByRole('button', { name: 'Use your passkey' })
  await expect(confirm).toBeVisible()
  // Nothing but the passkey could confirm that.
  await expect(frame.getByRole('button', { name: 'I can’t use it' })).toBeHidden()
  await press(confirm)
  await typeCode(frame, await readCode(email))
  await hasAnnounced('Email address added')
  await page.reload()
  await openSettings(page, 'Sign-ins')
  await expect(frame.getByText(email)).toBeVisible()
  await expect(frame.getByText('Your account began with it.')).toBeVisible()
  await expect(frame.getByRole('button', { name: 'Remove' })).toHaveCount(1)
  await page.keyboard.press('Escape')
  await pressSignOut(modal)
})
