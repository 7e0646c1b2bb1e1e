import { askRaw, openDeveloperPage, section } from '../../developerPage.ts'
import { expect, frameOf, fund, holdToApprove, makeWallet, test } from '../../embedded.ts'
import { rpc } from '../../fixtures.ts'
import { nativeOf } from '../../holdings.ts'

const chain = 'eip155:31337'
// No other test sends to it.
const receiver = '0x00000000000000000000000000000000000c0de8'

const readPool = async () =>
  (await rpc<{ pending: Record<string, object> }>(chain, 'txpool_content')).pending

test('default: pending batches of a smart account are sped up and canceled from their status', async ({
  page,
}) => {
  test.slow()
  const { address } = await makeWallet(page)
  await fund(address)
  await openDeveloperPage(page)
  const frame = frameOf(page)
  const dialog = page.getByRole('dialog')
  const start = await nativeOf(receiver)
  const received = async () => (await nativeOf(receiver)) - start
  /** Sends a batch that pays `wei`, up to its id. */
  const sendBatch = async (id: string, wei: bigint) => {
    const call = { to: receiver, value: `0x${wei.toString(16)}` }
    const batch = { version: '2.0.0', id, from: address, chainId: '0x7a69', atomicRequired: true }
    await askRaw(page, 'wallet_sendCalls', [{ ...batch, calls: [call] }])
    await holdToApprove(page, 'send')
    await expect(section(page, 'Raw request').locator('pre')).toContainText(id)
  }
  // The bundler sends each replacement in a bundle without other operations, in either order.
  const mineUntil = (text: string) =>
    expect
      .poll(async () => {
        await rpc(chain, 'anvil_mine', ['0x1'])
        return dialog.getByText(text).count()
      })
      .toBe(1)
  const showStatus = (id: string) => askRaw(page, 'wallet_showCallsStatus', [id])
  await sendBatch('first', 1n)
  await expect.poll(received).toBe(1n)

  await rpc(chain, 'evm_setAutomine', [false])
  try {
    // The bundler waits for the block of this operation, and the others wait behind it.
    await sendBatch('ahead', 10n)
    await expect.poll(async () => Object.keys(await readPool()).length).toBeGreaterThan(0)
    await sendBatch('faster', 100n)
    await sendBatch('never', 1_000n)

    await showStatus('faster')
    await dialog.getByRole('button', { name: 'Speed up', exact: true }).click()
    await expect(frame.getByText(/^Speed up: Send /)).toBeVisible()
    await holdToApprove(page, 'speed up')
    await dialog.getByRole('button', { name: 'Done' }).click()

    await showStatus('never')
    await dialog.getByRole('button', { name: 'Cancel transaction' }).click()
    await expect(frame.getByText('Cancel a transaction?')).toBeVisible()
    await holdToApprove(page, 'cancel it')
    await expect(dialog.getByText(/You asked to cancel it/)).toBeVisible()
    await mineUntil('Nothing took effect')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await showStatus('faster')
    await mineUntil('All done')
    // The operation ahead of it may be in a bundle that a busy bundler sends later.
    await expect
      .poll(async () => {
        await rpc(chain, 'anvil_mine', ['0x1'])
        return received()
      })
      .toBe(111n)
  } finally {
    await rpc(chain, 'evm_setAutomine', [true])
  }
})
