import {
  expect,
  frameOf,
  keepKit,
  movePlace,
  press,
  readAddress,
  test,
  typeCode,
} from '../../embedded.ts'
import { pageOf } from '../../fixtures.ts'
import { countMails, readCode, readDeviceLink, someEmail } from '../../mails.ts'
import { createPerson } from '../../person.ts'

test('limit: a first wallet by email takes one mail, seven presses and four fields', async ({
  device,
}) => {
  const page = await device()
  const email = someEmail()
  const person = createPerson()
  const modal = page.getByRole('dialog')
  const frame = frameOf(page)
  await page.goto(pageOf('/developer'))
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
  await expect(tab.getByText('enter the code from the same email')).toBeVisible()
  await tab.close()
  await page.bringToFront()
  await person.see(frame.getByLabel('Digit 1 of 6'))
  await expect(frame.getByText('The code is in the email with the link')).toBeVisible()
  await person.type(() => readCode(email).then((code) => typeCode(frame, code)))
  const kit = frame.getByLabel('Printed kit')
  await person.press(() => press(kit))
  await expect(kit).toBeChecked()
  await person.press(() => press(frame.getByRole('button', { name: 'Continue' })))
  // Saved, a group, and on.
  await person.press(() => keepKit(page), { clicks: 2, fields: 1 })
  expect(await readAddress(page)).toMatch(/^0x/)
  expect(await countMails(email)).toBe(1)
  person.end('first wallet by email', { clicks: 7, fields: 4, mails: 1 })
})
