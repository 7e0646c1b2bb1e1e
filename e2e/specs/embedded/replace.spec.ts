import type { Page } from '@playwright/test'
import { expect, frameOf, fund, holdToApprove, makeWallet, test } from '../../embedded.ts'
import { rpc } from '../../fixtures.ts'
import { nativeOf } from '../../holdings.ts'

const chain = 'eip155:31337'
// No other test sends to it.
const receiver = '0x00000000000000000000000000000000000c0de7'

type Transaction = { hash: string; nonce: string; maxFeePerGas: string }

/** The pending transactions of an account, by nonce. */
async function readWaiting(address: string): Promise<Transaction[]> {
  const { pending } = await rpc<{ pending: Record<string, Record<string, Transaction>> }>(
    chain,
    'txpool_content',
  )
  const own = Object.entries(pending).find(
    ([sender]) => sender.toLowerCase() === address.toLowerCase(),
  )
  return Object.values(own?.[1] ?? {})
}

/** Sends ETH in the modal up to the wait for a block. */
async function send(page: Page, amount: string) {
  await page
    .getByRole('button', { name: /^Account 0x/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByLabel('To', { exact: true }).fill(receiver)
  await dialog.getByLabel('Amount').fill(amount)
  await dialog.getByRole('button', { name: 'Review' }).click()
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await holdToApprove(page, 'send')
  await expect(dialog.getByText('Waiting for the network')).toBeVisible()
  return dialog
}

test('default: a payment that no block takes is sped up from the modal, and another payment is canceled', async ({
  page,
}) => {
  test.slow()
  const { address } = await makeWallet(page)
  await fund(address)
  const before = await nativeOf(receiver)
  const received = async () => (await nativeOf(receiver)) - before
  const frame = frameOf(page)
  await rpc(chain, 'evm_setAutomine', [false])
  try {
    const dialog = await send(page, '0.25')
    const [first] = await readWaiting(address)
    await dialog.getByRole('button', { name: 'Speed up', exact: true }).click()
    await expect(frame.getByText('Speed up: Send 0.25 ETH?')).toBeVisible()
    await expect(frame.getByText('Network fee so far, up to')).toBeVisible()
    await holdToApprove(page, 'speed up')
    await expect(dialog.getByText('Waiting for the network')).toBeVisible()
    const [faster, ...others] = await readWaiting(address)
    expect(others).toEqual([])
    expect(faster?.nonce).toBe(first?.nonce)
    expect(faster?.hash).not.toBe(first?.hash)
    expect(Number(faster?.maxFeePerGas)).toBeGreaterThanOrEqual(1.1 * Number(first?.maxFeePerGas))
    await rpc(chain, 'anvil_mine', ['0x1'])
    await expect(dialog.getByText('Transfer complete')).toBeVisible()
    await expect(dialog.getByText(/You sped it up/)).toBeVisible()
    await expect(dialog.getByTitle(faster?.hash ?? '')).toBeVisible()
    expect(await received()).toBe(250_000_000_000_000_000n)
    await dialog.getByRole('button', { name: 'Done' }).click()

    await send(page, '0.5')
    await dialog.getByRole('button', { name: 'Cancel transaction' }).click()
    await expect(frame.getByText('Cancel a transaction?')).toBeVisible()
    await expect(frame.getByText('Send 0.5 ETH')).toBeVisible()
    await holdToApprove(page, 'cancel it')
    await expect(dialog.getByText(/You asked to cancel it/)).toBeVisible()
    await rpc(chain, 'anvil_mine', ['0x1'])
    await expect(dialog.getByText('Transfer canceled')).toBeVisible()
    expect(await received()).toBe(250_000_000_000_000_000n)
    expect(await readWaiting(address)).toEqual([])
  } finally {
    await rpc(chain, 'evm_setAutomine', [true])
  }
})
