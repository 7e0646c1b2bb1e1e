import { violations } from '@latchkey/dev/axe'
import { allow, allowanceOf } from '../allowances.ts'
import { answer, answerIn, connect, expect, openConnected, rpc, stack, test } from '../fixtures.ts'

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
// An unused address: no other test allows it anything.
const spender = '0x5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e0001'

test('default: the allowance of a site is listed, revoked and gone', async ({ page }) => {
  await allow(alice, { token: 'gold', spender, amount: 2n ** 256n - 1n })
  await openConnected(page, '/developer')
  await page
    .getByRole('button', { name: /^Account 0x/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Allowances/ }).click()
  const box = dialog.getByRole('checkbox', {
    name: /^dGLD Unlimited ?Can take all your dGLD.*0x5e…5e0001/,
  })
  await expect(box).toBeVisible()
  expect(await violations(page)).toEqual([])
  await box.check()
  await expect(dialog.getByText('Network fee, up to')).toBeVisible()
  await answer(page, 'approve', () => dialog.getByRole('button', { name: 'Revoke 1' }).click())
  await expect(box).toHaveCount(0)
  expect(await allowanceOf(alice, { token: 'gold', spender })).toBe(0n)
})

test('behavior: a browser wallet with batches revokes two allowances with one approval', async ({
  page,
}) => {
  // Only this test uses the account, because the batch gives it code (EIP-7702).
  const account = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
  await allow(account, { token: 'gold', spender, amount: 5n * 10n ** 18n })
  await allow(account, { token: 'usd', spender, amount: 7n * 10n ** 6n })
  const chain = 'eip155:31337'
  const count = async () =>
    Number(await rpc<string>(chain, 'eth_getTransactionCount', [account, 'latest']))
  const before = await count()
  await page.goto(stack.urls.wallet)
  await page.getByTestId('account-4').click()
  await page.getByTestId('atomic').check()
  await connect(page, '/developer')
  await page
    .getByRole('button', { name: /^Account 0x/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Allowances/ }).click()
  const boxes = dialog.getByRole('checkbox', { name: /0x5e…5e0001/ })
  await expect(boxes).toHaveCount(2)
  await expect(dialog.getByText(/Can take 7 dUSD \(\$/)).toBeVisible()
  await expect(dialog.getByText(/^1 app can take \$/)).toBeVisible()
  for (const box of await boxes.all()) await box.check()
  await expect(dialog.getByText('In one transaction: all or nothing')).toBeVisible()
  const opened = page.waitForEvent('popup')
  await dialog.getByRole('button', { name: 'Revoke 2' }).click()
  const popup = await opened
  await expect(popup.getByText('Make 2 calls in one transaction?')).toBeVisible()
  for (const text of ['dGLD', 'dUSD', 'The account delegates to'])
    await expect(popup.getByText(text).first()).toBeVisible()
  await answerIn(popup, 'approve')
  await expect(boxes).toHaveCount(0)
  for (const token of ['gold', 'usd'] as const)
    expect(await allowanceOf(account, { token, spender })).toBe(0n)
  // One transaction, and its authorization.
  expect(await count()).toBe(before + 2)
  expect(await rpc(chain, 'eth_getCode', [account, 'latest'])).toMatch(/^0xef0100/)
})
