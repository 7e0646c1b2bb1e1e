import { expect, revert, rpc, stack, test } from '../../fixtures.ts'
import { dollarsOf } from '../../holdings.ts'
import { allowanceOf, allowUnlimited, chain, fillSwap, openSwap, review } from '../../swapping.ts'
import { connectElsewhere, decide, openCode, pair, scan } from '../../walletConnect.ts'

// The first of the development accounts, whose keys the development wallet holds.
const owner = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

test('default: a phone wallet signs a permit and swaps, or sends the allowance as a transaction first', async ({
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

test('default: a phone wallet with batches allows and swaps with one approval', async ({
  page,
  wallet,
}) => {
  // The batch gives the account code (EIP-7702), which is taken back at the end.
  const account = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
  const snapshot = await rpc<string>(chain, 'evm_snapshot')
  const count = async () =>
    Number(await rpc<string>(chain, 'eth_getTransactionCount', [account, 'latest']))
  const [held, sent] = [await dollarsOf(account), await count()]
  await wallet.getByTestId('account-2').click()
  await wallet.getByTestId('atomic').check()
  await page.goto(stack.urls.web)
  await openCode(page)
  await pair(wallet, await scan(page))
  await decide(wallet, 'proposal', 'approve')
  const dialog = await openSwap(page)
  await fillSwap(page, { from: 'dUSD', to: 'ETH', amount: '7.75' })
  await review(page)
  await expect(dialog.getByText('to spend exactly 7.75 dUSD', { exact: false })).toBeVisible()
  await expect(dialog.getByText('Your wallet does both as one', { exact: false })).toBeVisible()
  await dialog.getByRole('button', { name: 'Allow and swap' }).click()
  const request = wallet.getByTestId('request')
  await expect(request.getByText('Make 2 calls in one transaction?')).toBeVisible()
  await expect(request.getByText('7.75 dUSD').first()).toBeVisible()
  await decide(wallet, 'request', 'approve')
  await expect(dialog.getByText('All done')).toBeVisible()
  expect(held - (await dollarsOf(account))).toBe(7_750_000n)
  // One transaction, and the authorization in it.
  expect(await count()).toBe(sent + 2)
  // The router keeps no allowance.
  expect(await allowanceOf(account)).toBe(0n)
  await revert(chain, snapshot)
})
