import type { Page } from '@playwright/test'
import {
  answer,
  answerIn,
  connect,
  expect,
  openConnected,
  revert,
  rpc,
  stack,
  test,
} from '../fixtures.ts'
import { dollarsOf, wrappedOf } from '../holdings.ts'
import {
  allowanceOf,
  allowUnlimited,
  at,
  buy,
  chain,
  fillSwap,
  openSwap,
  review,
} from '../swapping.ts'

// The first of the development accounts, whose keys the development wallet holds.
const owner = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

test('default: ETH for a token, and the token back with a signature for exactly the amount', async ({
  page,
}) => {
  await openConnected(page, '/developer')
  const before = await dollarsOf(owner)
  const dialog = await openSwap(page)
  await fillSwap(page, { from: 'ETH', to: 'dUSD', amount: '1' })
  await expect(dialog.getByText('Updated', { exact: false })).toBeVisible()
  await review(page)
  await expect(dialog.getByText('You receive at least')).toBeVisible()
  const submit = dialog.getByRole('button', { name: 'Swap', exact: true })
  await answer(page, 'approve', () => submit.click())
  await expect(dialog.getByText('Swap complete')).toBeVisible()
  await expect.poll(async () => (await dollarsOf(owner)) - before).toBeGreaterThan(0n)
  await dialog.getByRole('button', { name: 'Done' }).click()

  await openSwap(page)
  await fillSwap(page, { from: 'dUSD', to: 'ETH', amount: '500.25' })
  await review(page)
  await expect(dialog.getByText('spend exactly 500.25 dUSD', { exact: false })).toBeVisible()
  const held = await dollarsOf(owner)
  // The second popup may open before the first has closed.
  const windows: Page[] = []
  page.on('popup', (popup) => windows.push(popup))
  await dialog.getByRole('button', { name: 'Sign and swap' }).click()
  for (const index of [0, 1]) {
    await expect.poll(() => windows.length).toBeGreaterThan(index)
    await answerIn(windows[index] as Page, 'approve')
  }
  await expect(dialog.getByText('Swap complete')).toBeVisible()
  expect(held - (await dollarsOf(owner))).toBe(500_250_000n)
  // The router keeps no allowance.
  expect(await allowanceOf(owner)).toBe(0n)
})

test('default: a browser wallet that makes several calls at once allows and swaps with one approval', async ({
  page,
}) => {
  // The batch gives the account code (EIP-7702), which is taken back at the end.
  const account = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
  const snapshot = await rpc<string>(chain, 'evm_snapshot')
  const count = async () =>
    Number(await rpc<string>(chain, 'eth_getTransactionCount', [account, 'latest']))
  const [held, sent] = [await dollarsOf(account), await count()]
  await page.goto(stack.urls.wallet)
  await page.getByTestId('account-3').click()
  await page.getByTestId('atomic').check()
  await connect(page, '/developer')
  const dialog = await openSwap(page)
  await fillSwap(page, { from: 'dUSD', to: 'ETH', amount: '30.25' })
  await review(page)
  await expect(dialog.getByText('to spend exactly 30.25 dUSD', { exact: false })).toBeVisible()
  await expect(dialog.getByText('Your wallet does both as one', { exact: false })).toBeVisible()
  const windows: Page[] = []
  page.on('popup', (popup) => windows.push(popup))
  const opened = page.waitForEvent('popup')
  await dialog.getByRole('button', { name: 'Allow and swap' }).click()
  const popup = await opened
  await expect(popup.getByText('Make 2 calls in one transaction?')).toBeVisible()
  await expect(popup.getByText('30.25 dUSD').first()).toBeVisible()
  await answerIn(popup, 'approve')
  await expect(dialog.getByText('All done')).toBeVisible()
  expect(windows).toHaveLength(1)
  expect(held - (await dollarsOf(account))).toBe(30_250_000n)
  // One transaction, and the authorization in it.
  expect(await count()).toBe(sent + 2)
  // The router keeps no allowance.
  expect(await allowanceOf(account)).toBe(0n)
  await revert(chain, snapshot)
})

test('default: a token without permits is allowed by a transaction of exactly the amount, then swapped', async ({
  page,
}) => {
  const snapshot = await rpc<string>(chain, 'evm_snapshot')
  await openConnected(page, '/developer')
  const held = await wrappedOf(owner)
  const dialog = await openSwap(page)
  await fillSwap(page, { from: 'WETH', to: 'dUSD', amount: '2.5' })
  await review(page)
  await expect(dialog.getByText('to spend exactly 2.5 WETH', { exact: false })).toBeVisible()
  // The second popup may open before the first has closed.
  const windows: Page[] = []
  page.on('popup', (popup) => windows.push(popup))
  await dialog.getByRole('button', { name: 'Allow and swap' }).click()
  await expect.poll(() => windows.length).toBe(1)
  await answerIn(windows[0] as Page, 'approve')
  await expect.poll(() => allowanceOf(owner, 'wrappedEther')).toBe(2_500_000_000_000_000_000n)
  await expect.poll(() => windows.length).toBe(2)
  await answerIn(windows[1] as Page, 'approve')
  await expect(dialog.getByText('Swap complete')).toBeVisible()
  expect(held - (await wrappedOf(owner))).toBe(2_500_000_000_000_000_000n)
  // The router keeps no allowance.
  expect(await allowanceOf(owner, 'wrappedEther')).toBe(0n)
  await revert(chain, snapshot)
})

test('behavior: after an unlimited allowance and a reload, only the swap is requested', async ({
  page,
}) => {
  const snapshot = await rpc<string>(chain, 'evm_snapshot')
  await openConnected(page, '/developer')
  const dialog = await openSwap(page)
  await fillSwap(page, { from: 'dUSD', to: 'ETH', amount: '20' })
  await review(page)
  await allowUnlimited(page)
  await answer(page, 'approve', () =>
    dialog.getByRole('button', { name: 'Allow and swap' }).click(),
  )
  await expect.poll(() => allowanceOf(owner)).toBe(2n ** 256n - 1n)
  await page.reload()
  await openSwap(page)
  await fillSwap(page, { from: 'dUSD', to: 'ETH', amount: '20' })
  await review(page)
  await answer(page, 'approve', () =>
    dialog.getByRole('button', { name: 'Swap', exact: true }).click(),
  )
  await expect(dialog.getByText('Swap complete')).toBeVisible()
  await revert(chain, snapshot)
})

test('error: a price that moves between review and click has to be accepted again', async ({
  page,
}) => {
  const snapshot = await rpc<string>(chain, 'evm_snapshot')
  await openConnected(page, '/developer')
  const dialog = await openSwap(page)
  await fillSwap(page, { from: 'ETH', to: 'dGLD', amount: '2' })
  await review(page)
  const submit = dialog.getByRole('button', { name: 'Swap', exact: true })
  await expect(submit).toBeEnabled()
  await expect(dialog.getByText('dGLD').first()).toBeVisible()
  // Another account buys the same token first: 30 ETH of a pool of 1000.
  await buy(at('gold'), 30n * 10n ** 18n)
  await submit.click()
  await expect(dialog.getByText('The price moved.', { exact: false })).toBeVisible()
  const accept = dialog.getByRole('button', { name: 'Accept new price' })
  await accept.click()
  await answer(page, 'approve', () => submit.click())
  await expect(dialog.getByText('Swap complete')).toBeVisible()
  await revert(chain, snapshot)
})

test('behavior: the user has to confirm a high price impact in a pool with little liquidity', async ({
  page,
}) => {
  const snapshot = await rpc<string>(chain, 'evm_snapshot')
  await openConnected(page, '/developer')
  const dialog = await openSwap(page)
  // A fifth of this token's only pool.
  await fillSwap(page, { from: 'ETH', to: 'dGLD', amount: '200' })
  await expect(dialog.getByText(/^You’d lose about 1[67].*%/)).toBeVisible()
  await review(page)
  await expect(dialog.getByText(/^You’d lose about 1[67].*%/)).toBeVisible()
  const submit = dialog.getByRole('button', { name: 'Swap', exact: true })
  await expect(submit).toBeDisabled()
  await dialog.getByLabel(/I may lose about 1[67].*% and want to swap anyway/).check()
  await answer(page, 'approve', () => submit.click())
  await expect(dialog.getByText('Swap complete')).toBeVisible()
  await revert(chain, snapshot)
})
