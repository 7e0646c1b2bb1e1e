import { refuseSponsorship } from '@latchkey/dev'
import type { Page } from '@playwright/test'
import { allow, allowanceOf } from '../../allowances.ts'
import { askRaw, openDeveloperPage, section } from '../../developerPage.ts'
import { expect, frameOf, holdToApprove, test } from '../../embedded.ts'
import { rpc } from '../../fixtures.ts'
import { noteMessages } from '../../noteMessages.ts'
import { network } from '../../walletConnect.ts'

// What the smart account does, and who pays for it. Runs after wallet.spec.ts, with its wallet.

/** The chains of the stack, and the payer of a batch's fee on each. */
const batches = [
  { id: 'eip155:31337', fee: 'None: Latchkey Development pays it' },
  { id: 'eip155:31338', fee: 'Network fee, up to' },
] as const
const batchReceiver = '0x00000000000000000000000000000000000c0de5'

/**
 * Makes the operator pay for nothing on a network. Runs after the frame has loaded, because from
 * then on each of its requests is intercepted.
 */
async function refuse(page: Page, chainId: string) {
  await expect(page.getByText('"status": "connected"')).toBeVisible()
  return refuseSponsorship(page.context(), chainId)
}

test('default: a batch on each chain, paid for by the operator and by the account; shown after a reload', async ({
  connected: page,
  owner: { address },
}) => {
  const frame = frameOf(page)
  const raw = section(page, 'Raw request')
  const ask = (method: string, params: unknown) => askRaw(page, method, params)
  await openDeveloperPage(page)
  const sponsorAgain = await refuse(page, batches[1].id)
  for (const { id, fee } of batches) {
    const chainId = `0x${Number(id.split(':')[1]).toString(16)}`
    await rpc(id, 'anvil_setBalance', [address, '0xde0b6b3a7640000'])
    await ask('wallet_switchEthereumChain', [{ chainId }])
    await expect(raw.locator('pre')).toHaveText('null')
    const calls = ['0x1', '0x2'].map((value) => ({ to: batchReceiver, value }))
    const before = BigInt(await rpc<string>(id, 'eth_getBalance', [batchReceiver, 'latest']))
    await ask('wallet_sendCalls', [
      { version: '2.0.0', id, from: address, chainId, atomicRequired: true, calls },
    ])
    await expect(frame.getByText(fee)).toBeVisible()
    // On the first chain, an earlier test has turned it on.
    if (id === batches[1].id)
      await expect(frame.getByText('Turns on your smart account')).toBeVisible()
    await holdToApprove(page, 'send')
    await expect(raw.locator('pre')).toContainText(id)
    const paid = async () =>
      BigInt(await rpc<string>(id, 'eth_getBalance', [batchReceiver, 'latest']))
    await expect.poll(paid).toBe(before + 3n)
  }
  await page.reload()
  await ask('wallet_showCallsStatus', [batches[1].id])
  await expect(page.getByRole('dialog').getByText('All done')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  // The tests after this one begin on the first chain.
  await sponsorAgain()
  await ask('wallet_switchEthereumChain', [{ chainId: '0x7a69' }])
  await expect(network(page, 'Latchkey One')).toBeVisible()
})

// An unused address: no other test allows it anything.
const spender = '0x5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e0002'

test('default: two allowances are revoked in one batch, with one approval', async ({
  connected: page,
  owner: { address },
}) => {
  await rpc('eip155:31337', 'anvil_setBalance', [address, '0xde0b6b3a7640000'])
  const allowed = (['usd', 'gold'] as const).map((token) => ({ token, spender }) as const)
  for (const one of allowed) await allow(address, { ...one, amount: 2n ** 256n - 1n })
  const count = () => rpc<string>('eip155:31337', 'eth_getTransactionCount', [address, 'latest'])
  const before = await count()
  const hasAnnounced = await noteMessages(page)
  await page.reload()
  await page
    .getByRole('button', { name: /^Account 0x/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Allowances/ }).click()
  const boxes = dialog.getByRole('checkbox', { name: /0x5e…5e0002/ })
  await expect(boxes).toHaveCount(2)
  await boxes.nth(0).check()
  await boxes.nth(1).check()
  await dialog.getByRole('button', { name: 'Revoke 2' }).click()
  await expect(
    frameOf(page).getByText('As one. If one of them fails, none takes effect'),
  ).toBeVisible()
  await holdToApprove(page, 'allow')
  for (const one of allowed) await expect.poll(() => allowanceOf(address, one)).toBe(0n)
  await hasAnnounced('2 allowances revoked')
  await expect(boxes).toHaveCount(0)
  // The account itself sent nothing: the operation was in the bundler's transaction.
  expect(await count()).toBe(before)
})

test("behavior: when the operator's daily limit is reached, Max leaves the fee and sends everything else", async ({
  connected: page,
  owner: { address },
}) => {
  const { id } = batches[1]
  await openDeveloperPage(page)
  const sponsorAgain = await refuse(page, id)
  await rpc(id, 'anvil_setBalance', [address, '0xde0b6b3a7640000'])
  await askRaw(page, 'wallet_switchEthereumChain', [{ chainId: '0x7a6a' }])
  await expect(network(page, 'Latchkey Two')).toBeVisible()
  await page
    .getByRole('button', { name: /^Account 0x/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByLabel('To', { exact: true }).fill(batchReceiver)
  await dialog.getByRole('button', { name: 'Max' }).click()
  await expect(dialog.getByLabel('Amount')).toHaveValue(/^0\.999\d+$/)
  await dialog.getByRole('button', { name: 'Review' }).click()
  await expect(dialog.getByText('Network fee, up to')).toBeVisible()
  await expect(dialog.getByText('Paid for you', { exact: false })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await holdToApprove(page, 'send')
  await expect(dialog.getByText('Transfer complete')).toBeVisible()
  expect(BigInt(await rpc<string>(id, 'eth_getBalance', [address, 'latest']))).toBeLessThan(
    10n ** 15n,
  )
  await dialog.getByRole('button', { name: 'Done' }).click()
  await sponsorAgain()
  await askRaw(page, 'wallet_switchEthereumChain', [{ chainId: '0x7a69' }])
  await expect(network(page, 'Latchkey One')).toBeVisible()
})
