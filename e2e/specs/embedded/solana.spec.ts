import type { Page } from '@playwright/test'
import { askToSign, openDeveloperPage } from '../../developerPage.ts'
import { expect, frameOf, holdToApprove, press, pressSignOut, stack, test } from '../../embedded.ts'
import { rpc } from '../../fixtures.ts'

const chain = 'solana:5ZZj1D5GxruNRRNgMXnCNbnGtQw6B5vU'
// No other test sends to it.
const receiver = 'BELn9TCk4uWEihwdgoUx8xUfd5ujL9pKrwtJCesiQAev'
const oneSol = 1_000_000_000

const solanaAccount = (page: Page) =>
  page.getByRole('button', { name: /^Account [1-9A-HJ-NP-Za-km-z]{4}…/ }).first()

const lamportsOf = async (address: string) =>
  (await rpc<{ value: number }>(chain, 'getBalance', [address])).value

/** Switches the email wallet to Solana; resolves to its address. */
async function switchToSolana(page: Page): Promise<string> {
  await page
    .getByRole('button', { name: /^Account 0x/ })
    .first()
    .click()
  const modal = page.getByRole('dialog')
  await modal.getByRole('button', { name: /^Solana/ }).click()
  await expect(solanaAccount(page)).toBeVisible()
  await modal.getByRole('button', { name: 'Close' }).last().click()
  await expect(modal).toBeHidden()
  await page.getByRole('link', { name: 'Portfolio' }).first().click()
  const copy = page.getByRole('button', { name: /^Copy address (?!0x)/ })
  const address = (await copy.getAttribute('title')) ?? ''
  expect(address).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
  return address
}

test('default: logs in by email, signs and sends on Solana, declines, stays after a reload, logs out', async ({
  connected: page,
}) => {
  test.slow()
  const address = await switchToSolana(page)
  await rpc(chain, 'requestAirdrop', [address, 3 * oneSol])
  await page.reload()
  await expect(solanaAccount(page)).toContainText('3.000 SOL')
  const frame = frameOf(page)

  await openDeveloperPage(page)
  const message = 'Grüße aus Solana'
  const form = await askToSign(page, message)
  await expect(frame.getByText('Sign this message?')).toBeVisible()
  await expect(frame.getByText(new URL(stack.urls.web).host)).toBeVisible()
  await expect(frame.getByText(message)).toBeVisible()
  await holdToApprove(page, 'sign')
  await expect(
    form.getByText(`Valid: signed by ${address.slice(0, 4)}…${address.slice(-6)}`),
  ).toBeVisible()
  await askToSign(page, 'Another one')
  await press(frame.getByRole('button', { name: 'Reject' }))
  await expect(form.getByText('User rejected the request')).toBeVisible()

  const before = await lamportsOf(receiver)
  await solanaAccount(page).click()
  const modal = page.getByRole('dialog')
  await modal.getByRole('button', { name: 'Send', exact: true }).click()
  await modal.getByLabel('Amount').fill('0.25')
  await modal.getByLabel('To', { exact: true }).fill(receiver)
  await modal.getByRole('button', { name: 'Review' }).click()
  await modal.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(frame.getByText('Send 0.25 SOL?')).toBeVisible()
  await expect(frame.getByText('You have never sent to this address.')).toBeVisible()
  await holdToApprove(page, 'send')
  await expect(modal.getByText('Transfer complete')).toBeVisible()
  expect((await lamportsOf(receiver)) - before).toBe(oneSol / 4)
  await modal.getByRole('button', { name: 'Done' }).click()

  await page.goto(stack.urls.web)
  const rows = page.getByRole('region', { name: 'Activity' }).getByRole('listitem')
  await expect(rows.first()).toContainText('−0.25 SOL')
  await solanaAccount(page).click()
  await modal.getByRole('button', { name: /^Account settings/ }).click()
  await pressSignOut(modal)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
})
