import type { Page } from '@playwright/test'
import { createPublicClient, http } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { answer, expect, openConnected, rpc, stack, test } from '../fixtures.ts'

const chain = 'eip155:31337'
const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
/** Mnemonic of the accounts of every local chain. */
const words = 'test test test test test test test test test test test junk'

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

test('default: name and picture in the button and in the modal; sends to a name', async ({
  page,
}) => {
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
  await page.keyboard.press('Escape')

  const before = await nativeOf(bob)
  const dialog = await openSend(page)
  await dialog.getByLabel('Amount').fill('0.25')
  await dialog.getByLabel('To', { exact: true }).fill('Bob.latchkey.eth')
  await expect(dialog.getByText(bob)).toBeVisible()
  await dialog.getByRole('button', { name: 'Review' }).click()
  const question = dialog.getByRole('heading', { level: 3 })
  await expect(question).toHaveText('Send 0.25 ETH to Bob.latchkey.eth?')
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
    await expect(dialog.getByText(/This is not a valid name/)).toBeVisible()
  })
})

/** Another user registers a name. */
async function registerForBob(name: string) {
  const account = mnemonicToAccount(words, { addressIndex: 1 })
  expect(account.address).toBe(bob)
  const timestamp = Math.floor(Date.now() / 1000)
  const message = JSON.stringify({ action: 'register', name, attributes: {}, timestamp })
  const signature = await account.signMessage({ message })
  const body = { message, signature, coin_type: 0x80000000 + 31_337, address: bob }
  const url = `${stack.urls.web}/v1/profile/account`
  const { status } = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  expect(status).toBe(200)
}

/** Resolves a name with viem, configured only with the address of the universal resolver. */
function ens(name: string, coinType?: bigint) {
  const universalResolverAddress = stack.addresses[chain]?.universalResolver ?? '0x'
  const client = createPublicClient({ transport: http(stack.urls.rpc[chain]) })
  return client.getEnsAddress({ name, universalResolverAddress, ...(coinType && { coinType }) })
}

test.describe('a registered name', () => {
  // The server refuses a taken name.
  test.use({ allowedErrors: [/status of 400/] })

  test('default: registers a name, points it elsewhere, sends to it, and releases it', async ({
    page,
  }) => {
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
    const submit = dialog.getByRole('button', { name: /^Register/ })
    await field.fill('River-Rock')
    await expect(dialog.getByText('Available').first()).toBeVisible()
    await answer(page, 'approve', async () => {
      await submit.click()
      // Another user registers the name before the wallet responds.
      await registerForBob('river-rock.latchkey.id')
    })
    await expect(dialog.getByText(/^The name is taken/)).toBeVisible()
    await expect(dialog.getByText('Registered')).toBeVisible()
    await field.fill('River-Stone')
    await expect(dialog.getByText('Available').first()).toBeVisible()
    // A rejection does not clear the input.
    await answer(page, 'reject', () => submit.click())
    await expect(field).toHaveValue('river-stone')
    await answer(page, 'approve', () => submit.click())
    await expect(dialog.getByText(`${name} is yours`)).toBeVisible()
    await dialog.getByRole('button', { name: 'Done' }).click()

    await dialog.getByRole('button', { name: 'Names', exact: true }).click()
    await dialog.getByRole('button', { name }).click()
    await dialog.getByText('Change where it points').click()
    await dialog.getByRole('textbox', { name: 'To', exact: true }).fill(bob.toLowerCase())
    await answer(page, 'approve', () =>
      dialog.getByRole('button', { name: 'Use on Latchkey One' }).click(),
    )
    // The server has stored it when the list is shown again.
    await expect(dialog.getByRole('button', { name: 'Choose a name' })).toBeVisible()
    const coinType = 0x80000000n + 31_337n
    const [anywhere, here] = await Promise.all([ens(name), ens(name, coinType)])
    expect({ anywhere, here }).toEqual({ anywhere: alice, here: bob.toLowerCase() })
    await dialog.getByRole('button', { name: 'Back' }).click()

    const before = await nativeOf(bob)
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog.getByLabel('Amount').fill('0.01')
    await dialog.getByLabel('To', { exact: true }).fill(name)
    await expect(dialog.getByText(bob)).toBeVisible()
    await dialog.getByRole('button', { name: 'Review' }).click()
    await answer(page, 'approve', () =>
      dialog.getByRole('button', { name: 'Send', exact: true }).click(),
    )
    await expect(dialog.getByText('Transfer complete')).toBeVisible()
    expect((await nativeOf(bob)) - before).toBe(10_000_000_000_000_000n)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page
      .getByRole('button', { name: /^Account 0x/ })
      .first()
      .click()

    await dialog.getByRole('button', { name: 'Names', exact: true }).click()
    await dialog.getByRole('button', { name }).click()
    await dialog.getByLabel('About you').fill('Hello')
    const save = dialog.getByRole('button', { name: 'Save' })
    await answer(page, 'approve', () => save.click())
    // The button is also disabled while the request is pending.
    await expect(save.and(page.locator('[aria-disabled]:not([aria-busy])'))).toBeVisible()
    // The account also has an ENS name.
    await expect(
      dialog.getByText('Apps show your ENS name alice.latchkey.eth first.'),
    ).toBeVisible()
    await answer(page, 'approve', () =>
      dialog.getByRole('button', { name: 'Show as my name' }).click(),
    )
    // The list also shows the record; the closing view has the same title, and a button with only
    // the name.
    await dialog.getByRole('button', { name: `${name} Hello` }).click()
    await dialog.getByText('Release this name').click()
    await answer(page, 'approve', () =>
      dialog.getByRole('button', { name: `Release ${name}` }).click(),
    )
    await expect(dialog.getByText('No name registered here yet')).toBeVisible()
  })
})
