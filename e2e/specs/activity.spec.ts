import { readFile } from 'node:fs/promises'
import { violationsInThemes } from '@latchkey/dev/axe'
import type { Page } from '@playwright/test'
import { answer, expect, openConnected, pageOf, revert, rpc, stack, test } from '../fixtures.ts'

const chain = 'eip155:31337'
// The account that the development wallet connects, and two development accounts that no other spec
// uses.
const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const giver = '0x976EA74026E726554dB657fA54763abd0C3a0aa9'
const taker = '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955'

/**
 * Less than the half minute after which a page without events polls: proves that the row came
 * through the socket.
 */
const SOON_MS = 20_000

const activity = (page: Page) => page.getByRole('region', { name: 'Activity' })
const rows = (page: Page) => activity(page).getByRole('listitem')
const send = (transaction: Record<string, string>) =>
  rpc<string>(chain, 'eth_sendTransaction', [transaction])
const ether = (amount: string) =>
  `0x${(BigInt(Math.round(Number(amount) * 1e6)) * 10n ** 12n).toString(16)}`

/** Connects and waits until the list is shown and receives events. */
async function openPortfolio(page: Page) {
  const listening = page.waitForEvent('websocket', (socket) =>
    socket.url().includes('/v1/account-events'),
  )
  await openConnected(page)
  await listening
  await expect(rows(page).first()).toBeVisible()
}

test('default: payments appear without a reload, in list, button and total; failed payments are marked', async ({
  page,
}) => {
  await openPortfolio(page)
  await page
    .getByRole('button', { name: /^Account / })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByLabel('Amount').fill('0.123')
  await dialog.getByLabel('To', { exact: true }).fill(taker)
  await dialog.getByRole('button', { name: 'Review' }).click()
  await answer(page, 'approve', () =>
    dialog.getByRole('button', { name: 'Send', exact: true }).click(),
  )
  await expect(dialog.getByText('Transfer complete')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(rows(page).first()).toContainText('−0.123 ETH', { timeout: SOON_MS })
  await expect(rows(page).first()).toContainText('Sent')
  await expect(rows(page).first()).toContainText('To 0x14…3d9955')

  const account = page.getByRole('button', { name: /^Account / }).first()
  await expect(account).toContainText(' ETH')
  const shown = await account.textContent()
  await send({ from: giver, to: alice, value: ether('0.456') })
  await expect(rows(page).first()).toContainText('+0.456 ETH', { timeout: SOON_MS })
  await expect(rows(page).first()).toContainText('Received')
  await expect(account).not.toHaveText(shown ?? '')

  const token = stack.addresses[chain]?.usd as string
  // More than the account's balance of the token.
  const data = `0xa9059cbb${taker.slice(2).toLowerCase().padStart(64, '0')}${'f'.repeat(64)}`
  await send({ from: alice, to: token, data, gas: '0x30d40' })
  await expect(rows(page).first()).toContainText('Failed', { timeout: SOON_MS })
})

test('default: a row opens its details, a note is kept, and all activity is exported', async ({
  page,
}) => {
  await openPortfolio(page)
  await send({ from: giver, to: alice, value: ether('0.789') })
  await rows(page).filter({ hasText: '+0.789 ETH' }).first().getByRole('button').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { name: 'Transaction', exact: true })).toBeVisible()
  await expect(dialog.getByText(/^Block [\d,]+$/)).toBeVisible()
  await expect(dialog.getByText(/^Paid by 0x97/)).toBeVisible()
  await dialog.getByLabel('Note', { exact: true }).fill('Dinner on Friday')
  await expect(dialog.getByText('Note saved')).toBeVisible()
  // The page behind is inert, which axe does not see.
  expect(await violationsInThemes(page, 'dialog')).toEqual([])
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(rows(page).filter({ hasText: 'Dinner on Friday' })).toHaveCount(1)
  await page.goto(pageOf('/activity'))
  const downloading = page.waitForEvent('download')
  await page.getByRole('main').getByRole('button', { name: 'Export CSV' }).click()
  const file = await downloading
  expect(file.suggestedFilename()).toMatch(/^activity-latchkey-one-.*\.csv$/)
  expect(await readFile(await file.path(), 'utf8')).toContain(',Dinner on Friday\r\n')
})

test('behavior: months of an earlier year carry it', async ({ page }) => {
  const now = new Date()
  await page.clock.setFixedTime(new Date(now.getFullYear() + 1, now.getMonth(), 15))
  await openPortfolio(page)
  const title = now.toLocaleString('en', { month: 'long', year: 'numeric' })
  await expect(activity(page).getByRole('heading', { name: title, exact: true })).toBeVisible()
})

test('behavior: the portfolio has the newest rows; on their page, more load without duplicates or gaps', async ({
  page,
}) => {
  const sent = 60
  for (let each = 1; each <= sent; each++)
    await send({ from: alice, to: taker, value: `0x${each.toString(16)}` })
  await openPortfolio(page)
  await expect(rows(page)).toHaveCount(8)
  for (const name of ['Load more', 'Export CSV'])
    await expect(activity(page).getByRole('button', { name })).toHaveCount(0)
  await activity(page).getByRole('link', { name: 'See all Activity' }).click()
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible()
  const all = main.getByRole('listitem')
  await expect.poll(() => all.count()).toBeGreaterThanOrEqual(50)
  const whole = async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    return main.getByRole('button', { name: 'Load more' }).count()
  }
  // Blocks keep coming while the list loads more.
  await send({ from: giver, to: alice, value: ether('0.001') })
  await expect.poll(whole).toBe(0)
  await expect(all.first()).toContainText('+0.001 ETH')
  const titles = await main
    .locator('[title$=" ETH"]')
    .evaluateAll((found) => found.map((each) => each.getAttribute('title')))
  for (let each = 1; each <= sent; each++) {
    const wei = `−0.${String(each).padStart(18, '0').replace(/0+$/, '')} ETH`
    expect(titles.filter((title) => title === wei).length, wei).toBe(1)
  }
})

test('behavior: a re-org takes row and balance back', async ({ page }) => {
  await openPortfolio(page)
  const account = page.getByRole('button', { name: /^Account / }).first()
  const shown = async () => {
    const [, amount = ''] = /([\d,.]+) ETH/.exec((await account.textContent()) ?? '') ?? []
    return Number(amount.replaceAll(',', ''))
  }
  /**
   * Waits until the page matches the chain: at first it may show the state before the last
   * payments.
   */
  const catchUp = async () => {
    const wei = await rpc<string>(chain, 'eth_getBalance', [alice, 'latest'])
    const held = Number(BigInt(wei)) / 1e18
    await expect.poll(async () => Math.abs((await shown()) - held)).toBeLessThan(0.002)
    return held
  }
  const before = await catchUp()
  const snapshot = await rpc<string>(chain, 'evm_snapshot')
  await send({ from: giver, to: alice, value: ether('7.5') })
  await expect(rows(page).first()).toContainText('+7.5 ETH')
  expect(await catchUp()).toBeCloseTo(before + 7.5, 6)
  await revert(chain, snapshot)
  // A fork that is one block longer replaces the history.
  for (let each = 0; each < 2; each++) await send({ from: giver, to: taker, value: '0x1' })
  await expect(rows(page).filter({ hasText: '+7.5 ETH' })).toHaveCount(0)
  expect(await catchUp()).toBeCloseTo(before, 6)
})
