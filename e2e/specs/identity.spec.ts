import type { Page } from '@playwright/test'
import { answer, expect, openConnected, rpc, test } from '../fixtures.ts'

const chain = 'eip155:31337'
const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const nativeOf = async (address: string) =>
  BigInt(await rpc<string>(chain, 'eth_getBalance', [address, 'latest']))

async function openSend(page: Page) {
  await page
    .getByRole('button', { name: /^Account 0x/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  return dialog
}

test('default: name and picture in the button and in the modal', async ({ page }) => {
  await openConnected(page)
  const button = page
    .getByRole('button', { name: 'Account 0xf3…b92266 alice.latchkey.eth' })
    .first()
  await expect(button).toBeVisible()
  const picture = button.locator('img')
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).not.toBe(0)
  expect(new URL((await picture.getAttribute('src')) ?? '').hostname).toBe('127.0.0.1')
  await button.click()
  const chip = page.getByRole('dialog').getByRole('button', { name: /^Copy address/ })
  await expect(chip).toContainText('alice.latchkey.eth')
  await expect(chip).toHaveAttribute('title', new RegExp(alice, 'i'))
})

test('default: sends to a name', async ({ page }) => {
  await openConnected(page)
  const before = await nativeOf(bob)
  const dialog = await openSend(page)
  await dialog.getByLabel('Amount').fill('0.25')
  await dialog.getByLabel('To', { exact: true }).fill('Bob.latchkey.eth')
  await expect(dialog.getByText(bob)).toBeVisible()
  await dialog.getByRole('button', { name: 'Review' }).click()
  await expect(dialog.getByText('Bob.latchkey.eth')).toBeVisible()
  await expect(dialog.getByText(bob)).toBeVisible()
  await answer(page, 'approve', () =>
    dialog.getByRole('button', { name: 'Send', exact: true }).click(),
  )
  await expect(dialog.getByText('Transfer complete')).toBeVisible()
  await expect.poll(async () => (await nativeOf(bob)) - before).toBe(250_000_000_000_000_000n)
})

test.describe('invalid names', () => {
  test.use({ allowedErrors: [/status of 400/] })

  test('error: an unknown name and an invalid name are explained', async ({ page }) => {
    await openConnected(page)
    const dialog = await openSend(page)
    await dialog.getByLabel('Amount').fill('1')
    const receiver = dialog.getByLabel('To', { exact: true })
    await receiver.fill('nobody.latchkey.eth')
    await expect(dialog.getByText('No account has the name nobody.latchkey.eth')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Check receiver' })).toBeVisible()
    await receiver.fill('bo b.latch..eth')
    await expect(dialog.getByRole('button', { name: 'Invalid address' })).toBeVisible()
    await receiver.fill('a_b-.latch—key.eth')
    await expect(dialog.getByText(/This is not a name/)).toBeVisible()
  })
})

test('default: registers a name, sends to it, and releases it', async ({ page }) => {
  const name = 'river-stone.latchkey.id'
  await openConnected(page)
  await page
    .getByRole('button', { name: /^Account 0x/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Names', exact: true }).click()
  await dialog.getByRole('button', { name: 'Choose a name' }).click()
  const field = dialog.getByLabel('Name', { exact: true })
  await field.fill('abc')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Name must be at least 4 characters long')).toBeVisible()
  await field.fill('Support')
  await expect(dialog.getByText('Registered')).toBeVisible()
  await field.fill('River-Stone')
  const submit = dialog.getByRole('button', { name: 'Register', exact: true })
  await expect(dialog.getByText('Available').first()).toBeVisible()
  // A refusal loses nothing that was typed.
  await answer(page, 'reject', () => submit.click())
  await expect(field).toHaveValue('river-stone')
  await answer(page, 'approve', () => submit.click())
  await expect(dialog.getByText('Account name chosen successfully')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()

  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByLabel('To', { exact: true }).fill(name)
  await expect(dialog.getByText(alice)).toBeVisible()
  await dialog.getByRole('button', { name: 'Back' }).click()

  await dialog.getByRole('button', { name: 'Names', exact: true }).click()
  await dialog.getByRole('button', { name }).click()
  await dialog.getByLabel('About you').fill('Hello')
  await answer(page, 'approve', () => dialog.getByRole('button', { name: 'Save' }).click())
  await expect(dialog.getByRole('button', { name: 'Save' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  // The account has an ENS name too.
  await expect(dialog.getByText('Apps show your ENS name alice.latchkey.eth first.')).toBeVisible()
  await answer(page, 'approve', () =>
    dialog.getByRole('button', { name: 'Show as my name' }).click(),
  )
  // The list says the text too; the view that closes now has the same title, and a button with the name alone.
  await dialog.getByRole('button', { name: `${name} Hello` }).click()
  await dialog.getByText('Release this name').click()
  await answer(page, 'approve', () =>
    dialog.getByRole('button', { name: `Release ${name}` }).click(),
  )
  await expect(dialog.getByText('No name yet')).toBeVisible()
})
