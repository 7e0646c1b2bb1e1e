import {
  expect,
  frameOf,
  keepKit,
  logIn,
  movePlace,
  openWithKit,
  press,
  readAddress,
  test,
  typeCode,
} from '../../embedded.ts'
import { pageOf } from '../../fixtures.ts'
import { countMails, mailed, readCode, readDeviceLink, someEmail } from '../../mails.ts'
import { createPerson } from '../../person.ts'

test('limit: a first wallet by email takes one mail, three presses and three fields', async ({
  device,
}) => {
  const page = await device()
  const email = someEmail()
  const person = createPerson()
  const modal = page.getByRole('dialog')
  const frame = frameOf(page)
  await page.goto(pageOf('/developer'))
  await person.measureLoad(page, page.getByRole('contentinfo'))
  await person.click(page.getByRole('button', { name: 'Connect wallet' }).first())
  await person.fill(modal.getByLabel('Email address'), email)
  await movePlace(page.context())
  await person.click(modal.getByRole('button', { name: 'Continue with email' }))
  await person.see(modal.getByText('Open the link we sent to'))
  const digits = (await modal.getByText(/^\d{2}$/).textContent()) ?? ''
  const link = await person.read(() => readDeviceLink(email))
  const tab = await page.context().newPage()
  await tab.goto(link)
  await person.fill(tab.getByLabel('Enter the two digits shown there'), digits)
  await person.click(tab.getByRole('button', { name: 'Yes, sign me in' }))
  await expect(tab.getByText('type the code from this email there')).toBeVisible()
  await tab.close()
  await page.bringToFront()
  await person.see(frame.getByLabel('Digit 1 of 6'))
  await expect(frame.getByText('The code is in the email with the link')).toBeVisible()
  await person.type(() => readCode(email).then((code) => typeCode(frame, code)))
  let address = ''
  await person.press(() => readAddress(page).then((read) => (address = read)), { clicks: 0 })
  expect(await countMails(email)).toBe(1)
  await person.measureLoad(page, page.getByRole('contentinfo'))
  // The goal is four seconds; twice that is a fault.
  person.end('first wallet by email', { clicks: 3, fields: 3, mails: 1, seconds: 8 })

  // The same wallet on another page, and both say what is missing.
  await page.goto(pageOf('/'))
  await expect(page.getByRole('main').getByText('Only on this device')).toBeVisible()
  await page.goto(pageOf('/developer'))
  expect(await readAddress(page)).toBe(address)
  const account = page.getByRole('button', { name: /^Account 0x/ }).first()
  await account.click()
  await expect(modal.getByText('Only on this device')).toBeVisible()

  // The question comes before the address, once.
  await modal.getByRole('button', { name: 'Receive', exact: true }).first().click()
  await expect(frame.getByText('Your wallet is only on this device')).toBeVisible()
  await expect(modal.getByRole('button', { name: 'Copy address', exact: true })).toBeHidden()
  await frame.getByRole('button', { name: /^Later/ }).click()
  await expect(modal.getByRole('button', { name: 'Copy address', exact: true })).toBeVisible()
  await modal.getByRole('button', { name: 'Back', exact: true }).click()

  // Another browser gets no second wallet: only this one can open it.
  const other = await device()
  await logIn(other, email)
  const otherFrame = frameOf(other)
  await expect(otherFrame.getByText('Only the browser that made your wallet')).toBeVisible()
  await expect(
    otherFrame.getByRole('button', { name: 'Approve on a device you already use' }),
  ).toBeVisible()
  await expect(otherFrame.getByRole('button', { name: 'Use your printed kit' })).toBeHidden()
  await other.close()

  // One step from the account: no further code but a notice, and the line is gone.
  const mails = await countMails(email)
  await modal.getByRole('button', { name: 'Back up' }).click()
  const printed = frame.getByLabel('Printed kit')
  await press(printed)
  await expect(printed).toBeChecked()
  await press(frame.getByRole('button', { name: 'Continue' }))
  const kit = await keepKit(page)
  await expect(modal.getByText('Only on this device')).toBeHidden()
  expect(await mailed(email, 'Your new wallet was backed up')).toBe(1)
  expect(await countMails(email)).toBe(mails + 1)

  const third = await device()
  await logIn(third, email)
  await openWithKit(third, kit)
  expect(await readAddress(third)).toBe(address)
})
