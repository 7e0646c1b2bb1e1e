import { expect, frameOf, fund, holdToApprove, makeWallet, test } from '../../embedded.ts'
import { rpc } from '../../fixtures.ts'
import { dollarsOf } from '../../holdings.ts'
import { allowanceOf, at, chain, fillSwap, openSwap, review } from '../../swapping.ts'

// The first of the development accounts has everything.
const giver = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

test('default: the wallet by e-mail swaps a token in one batch: allowance and swap with one approval', async ({
  page,
}) => {
  // Its own: a batch turns the smart account on, which the tests of others begin without.
  const { address } = await makeWallet(page)
  await fund(address)
  const receiver = address.slice(2).toLowerCase().padStart(64, '0')
  const data = `0xa9059cbb${receiver}${50_000_000n.toString(16).padStart(64, '0')}`
  await rpc(chain, 'eth_sendTransaction', [{ from: giver, to: at('usd'), data }])
  await expect.poll(() => dollarsOf(address)).toBeGreaterThanOrEqual(50_000_000n)
  const held = await dollarsOf(address)
  await page.reload()

  const dialog = await openSwap(page)
  await fillSwap(page, { from: 'dUSD', to: 'ETH', amount: '20' })
  await review(page)
  await expect(dialog.getByText('to take exactly 20 dUSD', { exact: false })).toBeVisible()
  await expect(dialog.getByText('Your wallet does both as one', { exact: false })).toBeVisible()
  await dialog.getByRole('button', { name: 'Allow and swap' }).click()
  // The frame reads both calls by itself.
  await expect(frameOf(page).getByText('20 dUSD').first()).toBeVisible()
  await holdToApprove(page, 'send')
  await expect(page.getByRole('dialog').getByText('All done')).toBeVisible()
  expect(held - (await dollarsOf(address))).toBe(20_000_000n)
  // Nothing is left that the router could take.
  expect(await allowanceOf(address)).toBe(0n)
})
