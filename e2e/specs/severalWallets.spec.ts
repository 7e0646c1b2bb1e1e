import { violationsInThemes } from '@latchkey/dev/axe'
import type { Page } from '@playwright/test'
import { askToSign, section } from '../developerPage.ts'
import { answer, connect, expect, pageOf, test } from '../fixtures.ts'
import { account, decide, pair, scan } from '../walletConnect.ts'

const third = /^Account 0x3C…4293BC/i
const dialog = (page: Page) => page.getByRole('dialog')
const list = (page: Page) => dialog(page).getByRole('list', { name: 'Wallets' })
const button = (page: Page, name: string | RegExp) => dialog(page).getByRole('button', { name })

/** Opens the list of the connected wallets in the account view. */
async function openWallets(page: Page) {
  await page
    .getByRole('button', { name: /^Account / })
    .first()
    .click()
  await button(page, 'Wallets').click()
  await expect(list(page)).toBeVisible()
}

/** Connects the wallet of this browser, then the third account of the wallet elsewhere. */
async function connectBoth(page: Page, wallet: Page) {
  await connect(page, '/developer')
  await openWallets(page)
  await button(page, 'Connect another wallet').click()
  await button(page, /^WalletConnect/).click()
  await pair(wallet, await scan(page))
  await wallet.getByTestId('allow-account-0').uncheck()
  await wallet.getByTestId('allow-account-2').check()
  await decide(wallet, 'proposal', 'approve')
  await expect(dialog(page)).toBeHidden()
  await expect(account(page, third)).toBeVisible()
}

test('default: two wallets are connected; one click switches without a prompt, also after a reload', async ({
  page,
  wallet,
}) => {
  await connectBoth(page, wallet)
  const popups: unknown[] = []
  page.on('popup', (popup) => popups.push(popup))
  await page.reload()
  await expect(account(page, third)).toBeVisible()
  await openWallets(page)
  await expect(list(page).getByRole('listitem')).toHaveCount(2)
  await expect(button(page, /^0x3C.*In use$/i)).toBeVisible()
  // Each account has its balance.
  await expect(button(page, /^0x3C.*\d.*In use$/i)).toBeVisible()
  await expect(button(page, /^Switch to 0xf3.*\$[\d,.]+/i)).toBeVisible()
  expect(await violationsInThemes(page, 'dialog[open]')).toEqual([])
  await button(page, /^Switch to 0xf3/i).click()
  await expect(button(page, /^0xf3.*In use$/i)).toBeVisible()
  await expect(button(page, /^Switch to 0x3C/i)).toBeVisible()
  expect(popups).toEqual([])
  await button(page, 'Close').click()
  await expect(account(page)).toBeVisible()

  // Requests go to the wallet in use, each with its own account.
  const form = section(page, 'Sign a message')
  await answer(page, 'approve', () => askToSign(page))
  await expect(form.getByText(/Valid: signed by 0xf3/i)).toBeVisible()
  await openWallets(page)
  await button(page, /^Switch to 0x3C/i).click()
  await button(page, 'Close').click()
  await askToSign(page, 'the other one')
  await decide(wallet, 'request', 'approve')
  await expect(form.getByText(/Valid: signed by 0x3C/i)).toBeVisible()
  expect(popups).toHaveLength(1)
})

test('behavior: each wallet is disconnected alone, and another tab follows', async ({
  page,
  wallet,
  context,
}) => {
  await connectBoth(page, wallet)
  const other = await context.newPage()
  await other.goto(pageOf('/developer'))
  await expect(account(other, third)).toBeVisible()
  await openWallets(page)
  await button(page, /^Disconnect .*0x3C/i).click()
  await expect(button(page, /^0xf3.*In use$/i)).toBeVisible()
  await expect(wallet.getByTestId('session')).toHaveCount(0)
  await expect(account(other)).toBeVisible()
  await button(page, /^Disconnect .*0xf3/i).click()
  await expect(dialog(page)).toBeHidden()
  for (const tab of [page, other])
    await expect(tab.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
})

test('behavior: a wallet that ends its session leaves the other in use', async ({
  page,
  wallet,
}) => {
  await connectBoth(page, wallet)
  await wallet.getByTestId('session-manage').click()
  await wallet.getByTestId('session-disconnect').click()
  await expect(account(page)).toBeVisible()
  await page.reload()
  await expect(account(page)).toBeVisible()
})

test('default: the portfolio has the accounts of both wallets, and their sum', async ({
  page,
  wallet,
}) => {
  await connectBoth(page, wallet)
  await page.goto(pageOf('/'))
  await expect(page.getByRole('heading', { name: 'Total of 2 accounts' })).toBeVisible()
  const chips = page.getByRole('group', { name: 'Accounts' }).getByRole('button')
  const cents = (text: string | null) =>
    Number(/\$([\d,.]+)/.exec(text ?? '')?.[1]?.replace(/[,.]/g, ''))
  await expect(chips.first()).toContainText('$')
  const all = cents(await chips.first().textContent())
  const one = cents(await chips.filter({ hasText: '0xf3' }).textContent())
  const two = cents(await chips.filter({ hasText: '0x3C' }).textContent())
  expect(one).toBeGreaterThan(0)
  expect(two).toBeGreaterThan(0)
  expect(Math.abs(all - one - two)).toBeLessThanOrEqual(1)
  // A press on an account puts it in use: every action uses the account that is shown.
  for (const address of [
    '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  ]) {
    await chips.filter({ hasText: address.slice(0, 4) }).click()
    await expect(page.getByRole('heading', { name: 'Total value' })).toBeVisible()
    await page.getByRole('button', { name: 'Receive', exact: true }).click()
    await expect(dialog(page)).toContainText(address, { ignoreCase: true })
    await button(page, 'Close').click()
    await expect(dialog(page)).toBeHidden()
  }
  await page.getByRole('button', { name: 'Wallets', exact: true }).click()
  await expect(list(page)).toBeVisible()
})
