import { readFile } from 'node:fs/promises'
import { violationsInThemes } from '@latchkey/dev/axe'
import { expect, openConnected, pageOf, test } from '../../fixtures.ts'

const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const carol = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

test('default: a contact is added, chosen in Send, changed, removed and put back', async ({
  page,
}) => {
  await openConnected(page, '/contacts')
  await expect(page).toHaveTitle('Contacts · Latchkey')
  const form = page.getByRole('region', { name: 'Add contact' })
  const list = page.getByRole('region', { name: 'Your contacts' })
  await expect(list.getByText('No contacts yet')).toBeVisible()
  await form.getByLabel('Name').fill('Bob')
  await form.getByLabel('Address').fill('0x12')
  await form.getByRole('button', { name: 'Add contact' }).click()
  await expect(form.getByText(/^This is not an Ethereum, Solana/)).toBeVisible()
  await expect(form.getByLabel('Address')).toHaveAttribute('aria-invalid', 'true')
  await form.getByLabel('Address').fill(bob.toLowerCase())
  await form.getByRole('button', { name: 'Add contact' }).click()
  await expect(list.getByText(bob)).toBeVisible()
  await expect(form.getByLabel('Name')).toHaveValue('')
  expect(await violationsInThemes(page)).toEqual([])

  await page
    .getByRole('button', { name: /^Account 0x/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByLabel('Amount').fill('1')
  await dialog.getByRole('button', { name: /^Bob/ }).click()
  await expect(dialog.getByLabel('To', { exact: true })).toHaveValue(bob)
  await dialog.getByRole('button', { name: 'Review' }).click()
  const question = dialog.getByRole('heading', { level: 3 })
  await expect(question).toHaveText('Send 1 ETH to Bob?')
  await expect(dialog.getByText(bob, { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await list.getByRole('button', { name: 'Send to Bob' }).click()
  await expect(dialog.getByLabel('To', { exact: true })).toHaveValue(bob)
  await expect(dialog.getByLabel('Amount')).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await list.getByRole('button', { name: 'Edit Bob' }).click()
  await list.getByLabel('Name').fill('Robert')
  await list.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(list.getByText('Robert is saved.')).toBeVisible()
  await page.reload()
  await list.getByLabel('Search contacts').fill('xyz')
  await expect(list.getByText('No contact matches')).toBeVisible()
  await list.getByLabel('Search contacts').fill('rob')
  await list.getByRole('button', { name: 'Remove Robert' }).click()
  await expect(list.getByText('No contacts yet')).toBeVisible()
  await list.getByRole('button', { name: 'Undo' }).click()
  await expect(list.getByText(bob)).toBeVisible()
})

test('security: a lookalike of a known address is saved only after its warning', async ({
  page,
}) => {
  await page.goto(pageOf('/contacts'))
  const form = page.getByRole('region', { name: 'Add contact' })
  const list = page.getByRole('region', { name: 'Your contacts' })
  const lookalike = `${bob.slice(0, 6)}${'0'.repeat(30)}${bob.slice(-6)}`.toLowerCase()
  const add = async (name: string, address: string) => {
    await form.getByLabel('Name').fill(name)
    await form.getByLabel('Address').fill(address)
    await form.getByRole('button', { name: 'Add contact' }).click()
  }
  await add('Bob', bob)
  await expect(list.getByText('Bob is saved.')).toBeVisible()
  await add('Twin', lookalike)
  const warning = form.getByRole('alert').filter({ hasText: /^Not saved yet/ })
  await expect(warning.getByText(bob)).toBeVisible()
  await expect(warning.getByText(lookalike)).toBeVisible()
  expect(await violationsInThemes(page)).toEqual([])
  await expect(list.getByText('Twin')).toHaveCount(0)
  await form.getByRole('button', { name: 'Save anyway' }).click()
  await expect(list.getByText('Twin is saved.')).toBeVisible()
  await expect(warning).toHaveCount(0)
  await list.getByRole('button', { name: 'Remove Twin' }).click()
  await list.getByRole('button', { name: 'Undo' }).click()
  await list.getByRole('button', { name: 'Save anyway' }).click()
  await expect(list.getByRole('heading', { name: 'Twin' })).toBeVisible()
})

test('default: an export is imported in another browser, and a conflict is listed', async ({
  page,
  browser,
}) => {
  await page.goto(pageOf('/contacts'))
  const form = page.getByRole('region', { name: 'Add contact' })
  for (const [name, address] of [
    ['Bob', bob],
    ['Carol', carol],
  ] as const) {
    await form.getByLabel('Name').fill(name)
    await form.getByLabel('Address').fill(address)
    await form.getByRole('button', { name: 'Add contact' }).click()
    await expect(page.getByText(address)).toBeVisible()
  }
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const exported = await readFile(await (await downloading).path())
  expect(JSON.parse(exported.toString())).toEqual({
    version: 1,
    contacts: [
      { name: 'Bob', address: `eip155:${bob}` },
      { name: 'Carol', address: `eip155:${carol}` },
    ],
  })

  const context = await browser.newContext()
  const other = await context.newPage()
  await other.goto(pageOf('/contacts'))
  const upload = (buffer: Buffer) =>
    other
      .getByLabel('File with contacts')
      .setInputFiles({ name: 'contacts.json', mimeType: 'application/json', buffer })
  await upload(exported)
  await expect(other.getByText('Added: 2. Left out: 0.')).toBeVisible()
  await expect(other.getByText(carol)).toBeVisible()
  const changed = carol.replace('3C', '4c').toLowerCase()
  await upload(Buffer.from(exported.toString().replace(bob, changed)))
  await expect(other.getByText('Added: 0. Left out: 1.')).toBeVisible()
  await expect(other.getByText(/^Another contact has this name/)).toBeVisible()
  await upload(Buffer.from('{'))
  await expect(other.getByText(/^This file is not an export of contacts/)).toBeVisible()
  await expect(other.getByText(bob)).toBeVisible()
  await context.close()
})
