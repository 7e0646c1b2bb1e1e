import { brokenNumbers } from '@latchkey/dev/brokenNumbers'
import type { Page } from '@playwright/test'
import { violationsInThemes } from '../../axe.ts'
import { expect, openConnected, pageOf, test } from '../../fixtures.ts'

const widths = [320, 360, 390, 768, 1024, 1280]

/** Elements of the page that leave it at a side. */
const overflowing = () =>
  [...document.querySelectorAll('body *')]
    .filter((node) => {
      if (node.closest('svg, [inert], dialog, .skip')) return false
      // A label for screen readers, of which nothing is visible.
      const { parentElement } = node
      if (parentElement && getComputedStyle(parentElement).clipPath !== 'none') return false
      // A row that scrolls sideways by itself.
      for (let at = parentElement; at; at = at.parentElement)
        if (getComputedStyle(at).overflowX === 'auto') return false
      const { left, right, width, height } = node.getBoundingClientRect()
      return width > 1 && height > 1 && (left < -1 || right > innerWidth + 1)
    })
    .map((node) => `${node.tagName} ${node.textContent?.slice(0, 40)}`)

/** At each width nothing leaves the page, no number breaks, and no word of the header does. */
async function checkWidths(page: Page) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(() => page.evaluate(overflowing), { message: `${width} px` }).toEqual([])
    expect(await page.evaluate(brokenNumbers, 'body'), `${width} px`).toEqual([])
    const heights = await page
      .locator('.brand > span, .pages a')
      .evaluateAll((nodes) => nodes.map((node) => node.getBoundingClientRect().height))
    expect(Math.max(...heights), `${width} px`).toBeLessThanOrEqual(44)
  }
}

test('default: the landing page shows what one gets, and its footer the status of the server', async ({
  page,
}) => {
  await page.goto(pageOf())
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/All your wallets/)
  await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
  await expect(page.getByRole('img', { name: 'A sample portfolio' })).toBeVisible()
  expect(await violationsInThemes(page)).toEqual([])
  await page.getByRole('link', { name: /^Server ready · networks: \d+$/ }).click()
  await expect(page.getByRole('main').getByText('Latchkey One')).toBeVisible()
  await expect(page.getByText(/^Block \d+$/).first()).toBeVisible()
  await expect(page).toHaveTitle('Status · Latchkey')
  await page.goBack()
  await expect(page.getByRole('img', { name: 'A sample portfolio' })).toBeVisible()
})

test('behavior: nothing on the landing page moves while it loads', async ({ page }) => {
  await page.addInitScript(() => {
    const shifts: number[] = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push((entry as unknown as { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
    Object.assign(window, { shifts })
  })
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/config.json', (route) => held.then(() => route.continue()))
  // The configuration is part of the page's load.
  await page.goto(pageOf(), { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/All your wallets/)
  await expect(page.getByRole('img', { name: 'A sample portfolio' })).toBeVisible()
  release()
  await expect(page.getByRole('link', { name: /^Server ready/ })).toBeVisible()
  const shifts = (await page.evaluate('shifts')) as number[]
  expect(shifts.reduce((sum, one) => sum + one, 0)).toBeLessThan(0.01)
})

test('behavior: at every width the landing page, the portfolio and a form are whole', async ({
  page,
}) => {
  await page.goto(pageOf())
  await expect(page.getByRole('img', { name: 'A sample portfolio' })).toBeVisible()
  await checkWidths(page)
  await openConnected(page)
  await expect(page.locator('.tokenRow').first()).toBeVisible()
  await checkWidths(page)
  await page.goto(pageOf('/swap'))
  await expect(page.getByLabel('You pay', { exact: true })).toBeVisible()
  await checkWidths(page)
})

test('behavior: on a phone every action is in reach', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openConnected(page)
  const main = page.getByRole('main')
  for (const name of ['Send', 'Receive', 'Swap', 'Buy'])
    await expect(main.getByRole('button', { name, exact: true })).toBeVisible()
  const bar = page.getByRole('navigation', { name: 'Pages' })
  await bar.getByRole('button', { name: 'More' }).click()
  await bar.getByRole('link', { name: 'Settings' }).click()
  await expect(main.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await expect(bar.getByRole('link', { name: 'Settings' })).toHaveCount(0)
  await bar.getByRole('link', { name: 'Buy' }).click()
  await expect(main.getByRole('textbox', { name: 'You pay' })).toBeVisible()
})
