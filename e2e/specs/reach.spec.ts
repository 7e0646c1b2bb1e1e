import { settled, violationsInThemes } from '@latchkey/dev/axe'
import { allow } from '../allowances.ts'
import { expect, openConnected, stack, test } from '../fixtures.ts'
import { fillSwap, review } from '../swapping.ts'

test('behavior: axe finds nothing in either theme', async ({ page }) => {
  await openConnected(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Portfolio' })).toBeAttached()
  await expect(page.getByRole('main').getByText('dUSD').first()).toBeVisible()
  expect(await violationsInThemes(page)).toEqual([])
  await page
    .getByRole('button', { name: /^Account 0x/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('dUSD').first()).toBeVisible()
  expect(await violationsInThemes(page)).toEqual([])
  for (const name of ['Send', 'Receive']) {
    await dialog.getByRole('button', { name, exact: true }).click()
    await expect(dialog.getByRole('button', { name: 'Back' })).toBeVisible()
    expect(await violationsInThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Back' }).click()
  }
})

test('behavior: axe finds nothing in swapping, buying, names, allowances and a token, in either theme', async ({
  page,
}) => {
  // No other test gives this address an allowance.
  const spender = '0x5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e0003'
  const amount = 5n * 10n ** 18n
  await allow('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', { token: 'gold', spender, amount })
  await openConnected(page)
  await page
    .getByRole('button', { name: /^Account 0x/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  const goBack = () => dialog.getByRole('button', { name: 'Back' }).click()

  await dialog.getByRole('button', { name: 'Swap', exact: true }).click()
  await fillSwap(page, { from: 'ETH', to: 'dUSD', amount: '1' })
  await expect(dialog.getByText('Updated', { exact: false })).toBeVisible()
  expect(await violationsInThemes(page)).toEqual([])
  await review(page)
  await expect(dialog.getByText('You receive at least')).toBeVisible()
  expect(await violationsInThemes(page)).toEqual([])
  await goBack()
  await goBack()

  await dialog.getByRole('button', { name: 'Buy', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'You pay' }).fill('150')
  await expect(dialog.getByText(/^≈ /)).toBeVisible()
  expect(await violationsInThemes(page)).toEqual([])
  await goBack()

  await dialog.getByRole('button', { name: 'Names', exact: true }).click()
  await expect(dialog.getByRole('button', { name: 'Choose a name' })).toBeVisible()
  expect(await violationsInThemes(page)).toEqual([])
  await goBack()

  await dialog.getByRole('button', { name: 'Allowances' }).click()
  await dialog.getByRole('checkbox', { name: /0x5e…5e0003/ }).check()
  await expect(dialog.getByText('Network fee, up to')).toBeVisible()
  expect(await violationsInThemes(page)).toEqual([])
  await goBack()

  await dialog.getByRole('button', { name: /dUSD/ }).click()
  await expect(dialog.getByRole('heading', { name: 'Price history' })).toBeVisible()
  await expect(dialog.getByRole('heading', { name: 'Activity' })).toBeVisible()
  // The page behind has headings of the same names. It is inert, which axe does not see.
  expect(await violationsInThemes(page, 'dialog')).toEqual([])
})

test('behavior: the first visit has the theme of the device, and the chosen theme stays', async ({
  page,
}) => {
  const root = page.locator('html')
  const getBackground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  for (const [colorScheme, color] of [
    ['light', 'rgb(241, 242, 245)'],
    ['dark', 'rgb(14, 16, 20)'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto(stack.urls.web)
    await expect(root).toHaveAttribute('data-lk-theme', 'system')
    expect(await getBackground()).toBe(color)
  }
  await page.getByRole('button', { name: /^Theme/ }).click()
  await expect(root).toHaveAttribute('data-lk-theme', 'light')
  // The choice does not wait for the scripts of the page.
  await page.route('**/assets/index-*.js', () => {})
  await page.reload({ waitUntil: 'commit' })
  await expect(root).toHaveAttribute('data-lk-theme', 'light')
  expect(await getBackground()).toBe('rgb(241, 242, 245)')
})

test('behavior: the modal works by keyboard alone, traps the focus and returns it', async ({
  page,
}) => {
  await page.goto(stack.urls.web)
  const button = page.getByRole('button', { name: 'Connect wallet' }).first()
  await button.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  // The focus in a list that is still loading is lost when the list changes.
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
