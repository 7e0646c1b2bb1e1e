import type { Page } from '@playwright/test'
import { expect, rpc, stack } from './fixtures.ts'

export const chain = 'eip155:31337'
const word = (value: string | bigint) =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, '0')

/** Address of a contract on the local chain. */
export const at = (name: string) => stack.addresses[chain]?.[name] ?? '0x'

/**
 * The swap router's allowance for an account's token, by default the dollar, in the smallest unit.
 */
export const allowanceOf = async (owner: string, token: 'usd' | 'wrappedEther' = 'usd') =>
  BigInt(
    await rpc<string>(chain, 'eth_call', [
      { to: at(token), data: `0xdd62ed3e${word(owner)}${word(at('swapRouter'))}` },
      'latest',
    ]),
  )

/** Opens the form from the connected account. */
export async function openSwap(page: Page) {
  await page
    .getByRole('button', { name: /^Account 0x/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Swap', exact: true }).click()
  return dialog
}

/** Chooses both tokens and fills in the amount. */
export async function fillSwap(
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

/** Opens the review of a complete form. */
export const review = (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name: 'Review swap' }).click()

/** Chooses an unlimited allowance in the review. */
export async function allowUnlimited(page: Page) {
  const dialog = page.getByRole('dialog')
  await dialog.getByText('How much the swap contract may spend').click()
  await dialog.getByLabel('Any amount, until I revoke it').click()
  await expect(dialog.getByText(/could take all your dUSD/)).toBeVisible()
}

/** Another account swaps ETH for a token through Uniswap V2's router. */
export async function buy(token: string, value: bigint) {
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
