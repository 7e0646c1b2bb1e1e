import { expect, frameOf, fund, holdToApprove, openSettings, press, test } from '../../embedded.ts'
import { dollarsOf } from '../../holdings.ts'
import { allowanceOf, fillSwap, openSwap, review } from '../../swapping.ts'

// The first batch turns the smart account on, so the test without it comes first.
test('behavior: without the smart account, a user allows exactly the amount, and swaps, with two approvals', async ({
  connected: page,
  owner: { address },
}) => {
  test.slow()
  await fund(address)
  await expect.poll(() => dollarsOf(address)).toBe(250_000_000n)
  await openSettings(page, 'Smart account')
  const frame = frameOf(page)
  await press(frame.getByRole('button', { name: 'Pause smart account' }))
  await expect(frame.getByText('Your smart account is not in use.')).toBeVisible()
  await page.reload()

  const dialog = await openSwap(page)
  await fillSwap(page, { from: 'dUSD', to: 'ETH', amount: '20' })
  await review(page)
  await expect(dialog.getByText('to spend exactly 20 dUSD', { exact: false })).toBeVisible()
  await dialog.getByRole('button', { name: 'Allow and swap' }).click()
  await expect(frame.getByText('Turns on your smart account')).toBeVisible()
  await press(frame.getByRole('button', { name: 'Reject' }))
  await holdToApprove(page, 'allow')
  await expect.poll(() => allowanceOf(address)).toBe(20_000_000n)
  // A file of the development exchange describes the swap.
  for (const label of ['Amount to send', 'Least to receive'])
    await expect(frame.getByText(label, { exact: false }).first()).toBeVisible()
  await expect(frame.getByText('could not be read')).toHaveCount(0)
  await holdToApprove(page, 'send')
  await expect(dialog.getByText('Swap complete')).toBeVisible()
  expect(await dollarsOf(address)).toBe(230_000_000n)
  // The router keeps no allowance.
  expect(await allowanceOf(address)).toBe(0n)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await openSettings(page, 'Smart account')
  await press(frame.getByRole('button', { name: 'Use the smart account' }))
  await expect(frame.getByText('Your smart account sends batches', { exact: false })).toBeVisible()
})

test('default: the email wallet swaps a token in one batch: allowance and swap with one approval', async ({
  connected: page,
  owner: { address },
}) => {
  const held = await dollarsOf(address)
  const dialog = await openSwap(page)
  await fillSwap(page, { from: 'dUSD', to: 'ETH', amount: '20' })
  await review(page)
  await expect(dialog.getByText('to spend exactly 20 dUSD', { exact: false })).toBeVisible()
  await expect(dialog.getByText('Your wallet does both as one', { exact: false })).toBeVisible()
  await dialog.getByRole('button', { name: 'Allow and swap' }).click()
  await press(frameOf(page).getByRole('button', { name: 'Reject' }))
  await expect(page.getByText('You declined the request')).toBeVisible()
  await dialog.getByRole('button', { name: 'Allow and swap' }).click()
  // The frame decodes both calls itself.
  await expect(frameOf(page).getByText('20 dUSD').first()).toBeVisible()
  await holdToApprove(page, 'send')
  await expect(page.getByRole('dialog').getByText('All done')).toBeVisible()
  expect(held - (await dollarsOf(address))).toBe(20_000_000n)
  // The router keeps no allowance.
  expect(await allowanceOf(address)).toBe(0n)
})
