import { repeatedLandmarks, violationsInThemes } from '@latchkey/dev/axe'
import { brokenNumbers } from '@latchkey/dev/brokenNumbers'
import type { Page } from '@playwright/test'
import { expect, openConnected, test } from '../../fixtures.ts'

const networkFilter = (page: Page) => page.getByRole('combobox', { name: 'Network' })

async function choose(page: Page, label: string) {
  await networkFilter(page).click()
  await page.getByRole('option', { name: label }).click()
}

/** The shown total in cents. */
async function total(page: Page): Promise<number> {
  const sum = page.locator('.worth .sum')
  await expect(sum).toHaveText(/^\$[\d,]+\.\d\d$/)
  return Number((await sum.textContent())?.replace(/[$,.]/g, ''))
}

test('default: shows the tokens of all networks and their total; a filter lists one network', async ({
  page,
}) => {
  await openConnected(page)
  const rows = page.locator('.tokenRow')
  await expect(page.getByRole('heading', { name: 'Total value' })).toBeVisible()
  await expect(rows.first()).toContainText('Ether')
  await expect(rows.filter({ hasText: 'Latchkey One ·' }).first()).toBeVisible()
  await expect(rows.filter({ hasText: 'Latchkey Two ·' }).first()).toBeVisible()
  const all = await total(page)
  await choose(page, 'Latchkey Two')
  await expect(rows.filter({ hasText: 'Latchkey One ·' })).toHaveCount(0)
  expect(await total(page)).toBe(all)
  // The view shows a token of another network, and no action there uses the selected network.
  await rows.first().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('This token is on Latchkey Two.')).toBeVisible()
  await expect(dialog.getByText('Price history', { exact: true })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Send' })).toHaveCount(0)
  expect(await repeatedLandmarks(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page
    .getByRole('button', { name: /^Account / })
    .first()
    .click()
  await dialog.getByRole('tab', { name: 'Activity' }).click()
  await expect(dialog.getByRole('listitem').first()).toBeVisible()
  expect(await repeatedLandmarks(page)).toEqual([])
})

test('behavior: the keyboard chooses in the network filter, and Escape leaves it as it was', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openConnected(page)
  const filter = networkFilter(page)
  const list = page.getByRole('listbox', { name: 'Network' })
  const active = () =>
    filter.evaluate((button) => {
      const id = button.getAttribute('aria-activedescendant') ?? ''
      return document.getElementById(id)?.querySelector('span:not(.logo)')?.textContent
    })
  await filter.focus()
  await page.keyboard.press('ArrowDown')
  await expect(list.getByRole('option', { name: /^All networks \$/ })).toBeVisible()
  expect(await active()).toBe('All networks')
  await page.keyboard.press('End')
  const last = await active()
  await page.keyboard.press('ArrowDown')
  expect(await active()).toBe(last)
  await page.keyboard.press('Home')
  await page.keyboard.press('l')
  await page.keyboard.press('l')
  expect(await active()).toBe('Latchkey Two')
  for (const dir of ['ltr', 'rtl']) {
    await page.evaluate((value) => {
      document.documentElement.dir = value
    }, dir)
    expect(await overflows(page)).toBe(false)
    expect(await page.evaluate(brokenNumbers, '.choiceList')).toEqual([])
  }
  expect(await violationsInThemes(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(list).toHaveCount(0)
  await expect(filter).toHaveText('All networks')
  await filter.click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(filter).toHaveText(last ?? '')
  await expect(filter).toBeFocused()
  await filter.click()
  await page.mouse.click(10, 10)
  await expect(list).toHaveCount(0)
  await filter.click()
  await page.keyboard.press('Tab')
  await expect(list).toHaveCount(0)
  await expect(filter).not.toBeFocused()
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
  await expect(page.getByText('could not be read: Latchkey Two')).toBeVisible()
  expect(await total(page)).toBeGreaterThan(0)
  await expect(page.locator('.tokenRow').filter({ hasText: 'Latchkey Two ·' })).toHaveCount(0)
})

/** The page is wider than the window. */
const overflows = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

test('default: each token shows the change of its price over a day', async ({ page }) => {
  const changes: Record<string, number> = { ETH: 1.82, dBTC: -2.31, dUSD: 0 }
  await page.route(/\/balance\?/, async (route) => {
    const response = await route.fetch()
    const { balances, ...rest } = await response.json()
    const changed = balances.map((balance: { symbol: string }) => ({
      ...balance,
      priceChange: changes[balance.symbol],
    }))
    await route.fulfill({ response, json: { ...rest, balances: changed } })
  })
  await openConnected(page)
  const rowOf = (symbol: string) =>
    page
      .locator('.tokenRow')
      .filter({ hasText: `Latchkey One · ${symbol}` })
      .first()
  for (const [symbol, shown, sign] of [
    ['ETH', '+1.82%', '+'],
    ['dBTC', '−2.31%', '−'],
    ['dUSD', '0.00%', ''],
  ] as const) {
    const change = rowOf(symbol).locator('.changed')
    await expect(change).toHaveText(shown)
    await expect(change).toHaveAttribute('data-sign', sign)
  }
  await expect(rowOf('dGLD').locator('.changed')).toHaveCount(0)
  for (const [width, dir] of [
    [1280, 'ltr'],
    [320, 'rtl'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await page.evaluate((value) => {
      document.documentElement.dir = value
    }, dir)
    expect(await overflows(page)).toBe(false)
    expect(await page.evaluate(brokenNumbers, '.portfolio')).toEqual([])
  }
  expect(await violationsInThemes(page)).toEqual([])
})

test('default: NFTs are a row by collection that scrolls sideways; all of them are in the modal', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 800 })
  await openConnected(page)
  const nfts = page.getByRole('region', { name: /^NFTs/ })
  const strip = nfts.getByRole('list', { name: 'NFTs', exact: true })
  await expect(strip.getByText('Paper Lantern', { exact: true }).first()).toBeVisible()
  await expect(nfts.getByRole('heading', { level: 3, name: /\d\+?$/ }).first()).toBeVisible()
  expect(await overflows(page)).toBe(false)
  const scrolled = () => strip.evaluate(({ scrollLeft }) => scrollLeft)
  expect(await scrolled()).toBe(0)
  await strip.getByRole('button').last().focus()
  await expect.poll(scrolled).toBeGreaterThan(0)
  await nfts.getByRole('button', { name: 'See all NFTs' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('tab', { name: 'NFTs' })).toHaveAttribute('aria-selected', 'true')
})

test('behavior: nothing on the page moves when its data arrives', async ({ page }) => {
  // The page remembers whether there is a chart.
  const known = page.waitForResponse(/\/value\?/)
  await openConnected(page)
  await (await known).finished()
  await expect(page.getByRole('button', { name: 'Swap', exact: true })).toBeVisible()
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
  await expect(page.getByRole('button', { name: 'Swap', exact: true })).toBeVisible()
  await expect(page.getByText('Paper Lantern', { exact: true }).first()).toBeVisible()
  expect(await page.evaluate('moved')).toEqual([])
})
