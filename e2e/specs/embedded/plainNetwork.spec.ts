import { expect, frameOf, fund, holdToApprove, makeWallet, test } from '../../embedded.ts'
import { dollarsOf, wrappedOf } from '../../holdings.ts'
import { allowanceOf, fillSwap, openSwap, review } from '../../swapping.ts'

const tenth = 10n ** 17n

test('default: without smart accounts, the wallet signs a permit, or sends the allowance as a transaction', async ({
  page,
}) => {
  test.slow()
  const { address } = await makeWallet(page)
  await fund(address, 3n * tenth)
  await expect.poll(() => wrappedOf(address)).toBe(3n * tenth)
  await page.reload()
  const frame = frameOf(page)

  const dialog = await openSwap(page)
  await fillSwap(page, { from: 'dUSD', to: 'ETH', amount: '20.5' })
  await review(page)
  await expect(dialog.getByText('spend exactly 20.5 dUSD', { exact: false })).toBeVisible()
  await dialog.getByRole('button', { name: 'Sign and swap' }).click()
  await expect(
    frame.getByText('Your signature alone is enough to take it', { exact: false }),
  ).toBeVisible()
  await expect(frame.getByText('20.5 dUSD').first()).toBeVisible()
  await holdToApprove(page, 'allow')
  await expect(
    frame.getByText('Your signature alone is enough to take it', { exact: false }),
  ).toBeHidden()
  // The swap uses the complete allowance, so the frame does not warn that others may take more
  // later.
  await expect(frame.getByText('Leaves', { exact: true })).toBeVisible()
  await expect(frame.getByText('Others may take')).toHaveCount(0)
  await holdToApprove(page, 'send')
  await expect(dialog.getByText('Swap complete')).toBeVisible()
  expect(await dollarsOf(address)).toBe(229_500_000n)
  expect(await allowanceOf(address)).toBe(0n)
  await dialog.getByRole('button', { name: 'Done' }).click()

  await openSwap(page)
  await fillSwap(page, { from: 'WETH', to: 'dUSD', amount: '0.2' })
  await review(page)
  await expect(dialog.getByText('to spend exactly 0.2 WETH', { exact: false })).toBeVisible()
  await dialog.getByRole('button', { name: 'Allow and swap' }).click()
  await holdToApprove(page, 'allow')
  await expect.poll(() => allowanceOf(address, 'wrappedEther')).toBe(2n * tenth)
  await holdToApprove(page, 'send')
  await expect(dialog.getByText('Swap complete')).toBeVisible()
  expect(await wrappedOf(address)).toBe(tenth)
  // The router keeps no allowance.
  expect(await allowanceOf(address, 'wrappedEther')).toBe(0n)
})
