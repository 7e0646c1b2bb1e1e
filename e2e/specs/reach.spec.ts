import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { connect, expect, stack, test } from '../fixtures.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe-core finds on the page as it stands. */
async function violations(page: Page): Promise<string[]> {
  // Through the debugger, since the page's own policy rightly refuses scripts it did not bring.
  await page.evaluate(axe)
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' ' + target.join(' '))))`)
}

const settled = (page: Page) =>
  page.evaluate(
    `Promise.all(document.getAnimations().filter((one) => one.effect?.getTiming().iterations !== Infinity).map((one) => one.finished.catch(() => {})))`,
  )

for (const colorScheme of ['dark', 'light'] as const) {
  test(`behavior: axe finds nothing, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await connect(page)
    expect(await violations(page)).toEqual([])
    await page
      .getByRole('button', { name: /^Account 0x/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('dUSD').first()).toBeVisible()
    await settled(page)
    expect(await violations(page)).toEqual([])
    for (const name of ['Send', 'Receive']) {
      await dialog.getByRole('button', { name, exact: true }).click()
      await expect(dialog.getByRole('button', { name: 'Back' })).toBeVisible()
      await settled(page)
      expect(await violations(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Back' }).click()
    }
  })
}

test('behavior: the modal by keyboard alone, focus trapped and given back', async ({ page }) => {
  await page.goto(stack.urls.web)
  const button = page.getByRole('button', { name: 'Connect wallet' }).first()
  await button.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  const isInside = () => dialog.evaluate((node) => node.contains(document.activeElement))
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let press = 0; press < 25; press++) {
      await page.keyboard.press(key)
      expect(await isInside()).toBe(true)
    }
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(button).toBeFocused()
})

test('behavior: on a phone nothing is wider than the screen, also right-to-left', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await connect(page)
  for (const direction of ['ltr', 'rtl']) {
    await page.evaluate(`document.documentElement.dir = '${direction}'`)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await page
      .getByRole('button', { name: /^Account 0x/ })
      .first()
      .click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await settled(page)
    const box = await page.getByRole('dialog').boundingBox()
    expect(box?.width).toBeLessThanOrEqual(390)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
})
