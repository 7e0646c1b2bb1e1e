import { settled, violations } from '../axe.ts'
import { expect, openConnected, stack, test } from '../fixtures.ts'

for (const colorScheme of ['dark', 'light'] as const) {
  test(`behavior: axe finds nothing, ${colorScheme}`, async ({ page }) => {
    await page.addInitScript((value) => {
      localStorage.setItem('latchkey.themeMode', JSON.stringify({ version: 1, value }))
    }, colorScheme)
    await openConnected(page)
    await expect(page.locator('html')).toHaveAttribute('data-lk-theme', colorScheme)
    await expect(page.getByRole('heading', { level: 1, name: 'Portfolio' })).toBeAttached()
    await expect(page.getByRole('main').getByText('dUSD').first()).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page
      .getByRole('button', { name: /^Account 0x/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('dUSD').first()).toBeVisible()
    expect(await violations(page)).toEqual([])
    for (const name of ['Send', 'Receive']) {
      await dialog.getByRole('button', { name, exact: true }).click()
      await expect(dialog.getByRole('button', { name: 'Back' })).toBeVisible()
      expect(await violations(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Back' }).click()
    }
  })
}

test('behavior: the theme that was chosen stays over a reload', async ({ page }) => {
  await page.goto(stack.urls.web)
  const root = page.locator('html')
  await expect(root).toHaveAttribute('data-lk-theme', 'dark')
  await page.getByRole('button', { name: /^Theme/ }).click()
  await expect(root).toHaveAttribute('data-lk-theme', 'light')
  await page.reload()
  await expect(root).toHaveAttribute('data-lk-theme', 'light')
})

test('behavior: the modal by keyboard alone, focus trapped and given back', async ({ page }) => {
  await page.goto(stack.urls.web)
  const button = page.getByRole('button', { name: 'Connect wallet' }).first()
  await button.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  // What was focused in a list that still loads goes with it.
  await expect(dialog.getByRole('button', { name: /^All wallets \d/ })).toBeVisible()
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
  await openConnected(page)
  await expect(page.getByRole('main').getByText('dUSD').first()).toBeVisible()
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
