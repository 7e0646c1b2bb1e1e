import { expect, test } from '../../fixtures.ts'
import { dollarsOf } from '../../holdings.ts'
import { allowanceOf, allowUnlimited, fillSwap, openSwap, review } from '../../swapping.ts'
import { connectElsewhere, decide } from '../../walletConnect.ts'

// The first of the development accounts, whose keys the development wallet holds.
const owner = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

test('default: a wallet on another device signs that a token may be taken, and swaps; or allows it by a transaction first', async ({
  page,
  wallet,
}) => {
  await connectElsewhere(page, wallet)
  const held = await dollarsOf(owner)
  const dialog = await openSwap(page)
  await fillSwap(page, { from: 'dUSD', to: 'ETH', amount: '12.5' })
  await review(page)
  await dialog.getByRole('button', { name: 'Sign and swap' }).click()
  const details = wallet.getByTestId('request').getByTestId('details')
  await expect(details).toContainText('12500000')
  await expect(details).toContainText('Permit')
  // The swap follows at once, in the same place.
  await wallet.getByTestId('request').getByTestId('approve').click()
  await expect(details).not.toContainText('Permit')
  await decide(wallet, 'request', 'approve')
  await expect(dialog.getByText('Swap complete')).toBeVisible()
  expect(held - (await dollarsOf(owner))).toBe(12_500_000n)
  expect(await allowanceOf(owner)).toBe(0n)
  await dialog.getByRole('button', { name: 'Done' }).click()

  await openSwap(page)
  await fillSwap(page, { from: 'dUSD', to: 'ETH', amount: '7' })
  await review(page)
  await allowUnlimited(page)
  await dialog.getByRole('button', { name: 'Allow and swap' }).click()
  const allowing = (await details.textContent()) ?? ''
  await wallet.getByTestId('request').getByTestId('approve').click()
  await expect.poll(() => allowanceOf(owner)).toBe(2n ** 256n - 1n)
  // The swap follows in the same place here too.
  await expect(details).not.toHaveText(allowing)
  await decide(wallet, 'request', 'approve')
  await expect(dialog.getByText('Swap complete')).toBeVisible()
  expect(held - (await dollarsOf(owner))).toBe(19_500_000n)
})
