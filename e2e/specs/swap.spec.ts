import type { Page } from '@playwright/test'
import { answer, expect, openConnected, rpc, stack, test } from '../fixtures.ts'
import { dollarsOf } from '../holdings.ts'

const chain = 'eip155:31337'
// The first of the development accounts, whose keys the development wallet holds.
const owner = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const word = (value: string | bigint) =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, '0')

const allowanceOf = async (token: string | undefined) =>
  BigInt(
    await rpc<string>(chain, 'eth_call', [
      { to: token, data: `0xdd62ed3e${word(owner)}${word(at('swapRouter'))}` },
      'latest',
    ]),
  )
const at = (name: string) => stack.addresses[chain]?.[name] ?? '0x'

async function openSwap(page: Page) {
  await page
    .getByRole('button', { name: /^Account 0x/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Swap', exact: true }).click()
  return dialog
}

/** Chooses both tokens and fills in the amount. */
async function fillSwap(
  page: Page,
  { from, to, amount }: Record<'from' | 'to' | 'amount', string>,
) {
  const dialog = page.getByRole('dialog')
  for (const [side, symbol] of [
    [/^Token to pay with/, from],
    [/^Token to receive/, to],
  ] as const) {
    await dialog.getByRole('button', { name: side }).click()
    await dialog.getByRole('button', { name: new RegExp(`\\b${symbol}\\b`) }).click()
  }
  await dialog.getByLabel('You pay', { exact: true }).fill(amount)
}

const review = (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name: 'Review swap' }).click()

test('default: ETH for a token, and the token back with an allowance of exactly the amount', async ({
  page,
}) => {
  await openConnected(page)
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
  await expect(dialog.getByText('take exactly 500.25 dUSD', { exact: false })).toBeVisible()
  const held = await dollarsOf(owner)
  await answer(page, 'approve', () =>
    dialog.getByRole('button', { name: 'Allow and swap' }).click(),
  )
  const opened = page.waitForEvent('popup')
  await expect.poll(() => allowanceOf(at('usd'))).toBe(500_250_000n)
  const popup = await opened
  await popup.getByTestId('approve').click()
  await expect(dialog.getByText('Swap complete')).toBeVisible()
  expect(held - (await dollarsOf(owner))).toBe(500_250_000n)
  // Nothing is left that the router could take.
  expect(await allowanceOf(at('usd'))).toBe(0n)
})

test('behavior: after a reload between allowance and swap, only the swap is asked for', async ({
  page,
}) => {
  await openConnected(page)
  const dialog = await openSwap(page)
  await fillSwap(page, { from: 'dUSD', to: 'ETH', amount: '20' })
  await review(page)
  await answer(page, 'approve', () =>
    dialog.getByRole('button', { name: 'Allow and swap' }).click(),
  )
  await expect.poll(() => allowanceOf(at('usd'))).toBe(20_000_000n)
  await page.reload()
  await openSwap(page)
  await fillSwap(page, { from: 'dUSD', to: 'ETH', amount: '20' })
  await review(page)
  await answer(page, 'approve', () =>
    dialog.getByRole('button', { name: 'Swap', exact: true }).click(),
  )
  await expect(dialog.getByText('Swap complete')).toBeVisible()
})

test('error: a price that moves between review and click has to be accepted again', async ({
  page,
}) => {
  const snapshot = await rpc(chain, 'evm_snapshot')
  await openConnected(page)
  const dialog = await openSwap(page)
  await fillSwap(page, { from: 'ETH', to: 'dGLD', amount: '2' })
  await review(page)
  const submit = dialog.getByRole('button', { name: 'Swap', exact: true })
  await expect(submit).toBeEnabled()
  await expect(dialog.getByText('dGLD').first()).toBeVisible()
  // Somebody else buys the same token first: 30 ETH of a pool of 1000.
  await buy(at('gold'), 30n * 10n ** 18n)
  await submit.click()
  await expect(dialog.getByText('The price moved.', { exact: false })).toBeVisible()
  const accept = dialog.getByRole('button', { name: 'Accept new price' })
  await accept.click()
  await answer(page, 'approve', () => submit.click())
  await expect(dialog.getByText('Swap complete')).toBeVisible()
  await rpc(chain, 'evm_revert', [snapshot])
})

/** Another account swaps ETH for a token by the router of Uniswap V2. */
async function buy(token: string, value: bigint) {
  const [path, to] = [[at('wrappedEther'), token], '0x70997970C51812dc3A010C7d01b50e0d17dc79C8']
  const head = [0n, 128n, to, 2n ** 64n - 1n, BigInt(path.length), ...path]
  const data = `0x7ff36ab5${head.map((part) => word(part)).join('')}`
  const hash = await rpc<string>(chain, 'eth_sendTransaction', [
    { from: to, to: at('uniswapV2Router'), value: `0x${value.toString(16)}`, data, gas: '0x7a120' },
  ])
  const mined = async () => {
    const receipt = await rpc<{ status: string } | null>(chain, 'eth_getTransactionReceipt', [hash])
    return receipt?.status
  }
  await expect.poll(mined).toBe('0x1')
}
