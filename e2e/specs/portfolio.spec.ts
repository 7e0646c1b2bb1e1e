import type { Page } from '@playwright/test'
import { expect, openConnected, test } from '../fixtures.ts'

const choose = (page: Page, label: string) => page.getByLabel('Show').selectOption({ label })

/** The total shown for a network, or for all networks, in cents. */
async function total(page: Page, place: string): Promise<number> {
  await expect(page.getByRole('heading', { name: `Total value on ${place}` })).toBeVisible()
  const sum = page.locator('.total .sum')
  await expect(sum).toHaveText(/^\$[\d,]+\.\d\d$/)
  return Number((await sum.textContent())?.replace(/[$,.]/g, ''))
}

test('default: shows the tokens and the total of all networks, or of a chosen network', async ({
  page,
}) => {
  await openConnected(page)
  const rows = page.locator('.tokenRow')
  await expect(rows.first()).toContainText('Ether')
  const one = await total(page, 'Latchkey One')
  await choose(page, 'Latchkey Two')
  const two = await total(page, 'Latchkey Two')
  await expect(rows.first()).toContainText('Ether')
  // The view shows a token of another network, and no action there uses the selected network.
  await rows.first().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('This token is on Latchkey Two.')).toBeVisible()
  await expect(dialog.getByText('Price history', { exact: true })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Send' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await choose(page, 'All networks')
  await expect(rows.filter({ hasText: 'Latchkey One ·' }).first()).toBeVisible()
  await expect(rows.filter({ hasText: 'Latchkey Two ·' }).first()).toBeVisible()
  // Each total is truncated to cents.
  expect(Math.abs((await total(page, 'all networks')) - one - two)).toBeLessThanOrEqual(2)
  await choose(page, 'Latchkey One')
  expect(await total(page, 'Latchkey One')).toBe(one)
})

test('behavior: a network that cannot be read is named, and the others are added up', async ({
  page,
}) => {
  await page.route(/\/balance\?(?!.*chainId)/, async (route) => {
    const response = await route.fetch()
    const { balances } = await response.json()
    const isOne = ({ chainId }: { chainId: string }) => chainId === 'eip155:31337'
    await route.fulfill({
      response,
      json: { balances: balances.filter(isOne), unavailable: ['eip155:31338'] },
    })
  })
  await openConnected(page)
  const one = await total(page, 'Latchkey One')
  await choose(page, 'All networks')
  await expect(page.getByText('could not be read: Latchkey Two')).toBeVisible()
  expect(await total(page, 'all networks')).toBe(one)
})

test('behavior: nothing on the page moves when its data arrives', async ({ page }) => {
  // The page remembers whether there is a chart.
  const known = page.waitForResponse(/\/value\?/)
  await openConnected(page)
  await (await known).finished()
  await expect(page.getByRole('button', { name: 'Swap' })).toBeVisible()
  await page.addInitScript(() => {
    const moved: string[] = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        for (const { node } of (entry as unknown as { sources: { node: Element | null }[] })
          .sources)
          if (node?.closest?.('.portfolio')) moved.push(node.textContent ?? '')
    }).observe({ type: 'layout-shift', buffered: true })
    Object.assign(window, { moved })
  })
  await page.route(/\/v1\//, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Swap' })).toBeVisible()
  await expect(page.getByText('Paper Lantern')).toBeVisible()
  expect(await page.evaluate('moved')).toEqual([])
})
