import { violationsInThemes } from '@latchkey/dev/axe'
import { answer, expect, openConnected, pageOf, test } from '../../fixtures.ts'

const pages = [
  ['/swap', 'Swap'],
  ['/buy', 'Buy'],
  ['/activity', 'Activity'],
  ['/names', 'Names'],
  ['/allowances', 'Allowances'],
  ['/sessions', 'Smart sessions'],
  ['/settings', 'Settings'],
] as const

test('default: each page has an address, and offers to connect; no page is at an unknown address', async ({
  page,
}) => {
  const main = page.getByRole('main')
  for (const [path, name] of pages) {
    await page.goto(pageOf(path))
    await expect(main.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(page).toHaveTitle(`${name} · Latchkey`)
    await expect(main.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
  }
  expect(await violationsInThemes(page)).toEqual([])
  await page.goto(pageOf('/sessions/none'))
  await expect(main.getByRole('heading', { name: 'There is nothing here' })).toBeVisible()
  await page.goto(pageOf('/names'))
  await main.getByRole('button', { name: 'Connect wallet' }).click()
  await answer(page, 'approve', () =>
    page
      .getByRole('dialog')
      .getByRole('button', { name: /Latchkey Development Wallet/ })
      .click(),
  )
  await expect(main.getByRole('button', { name: 'Choose a name' })).toBeVisible()
})

test('default: the header leads to the pages of an account, and the back button returns', async ({
  page,
}) => {
  const main = page.getByRole('main')
  const nav = page.getByRole('navigation', { name: 'Pages' })
  await openConnected(page, '/swap')
  await expect(main.getByLabel('You pay', { exact: true })).toBeVisible()
  expect(await violationsInThemes(page)).toEqual([])
  await nav.getByRole('link', { name: 'Activity' }).click()
  await expect(main.getByRole('listitem').first()).toBeVisible()
  expect(await violationsInThemes(page)).toEqual([])

  const more = nav.getByRole('button', { name: 'More' })
  await more.click()
  await expect(nav.getByRole('link', { name: 'Allowances' })).toBeVisible()
  expect(await violationsInThemes(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(nav.getByRole('link', { name: 'Allowances' })).toHaveCount(0)
  await expect(more).toBeFocused()
  await more.click()
  await main.click({ position: { x: 1, y: 1 } })
  await expect(nav.getByRole('link', { name: 'Allowances' })).toHaveCount(0)
  await more.click()
  await nav.getByRole('link', { name: 'Settings' }).click()
  await expect(nav.getByRole('link', { name: 'Settings' })).toHaveCount(0)

  // A browser wallet has its own settings.
  await expect(main.getByText('keeps the keys and the settings of this account')).toBeVisible()
  expect(await violationsInThemes(page)).toEqual([])
  await main.getByRole('button', { name: 'Open account' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Disconnect', exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.goBack()
  await expect(main.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible()
  await expect(page).toHaveTitle('Activity · Latchkey')
})

test('default: a swap that begins on its page ends in the modal', async ({ page }) => {
  await openConnected(page, '/swap')
  const form = page.getByRole('main')
  const dialog = page.getByRole('dialog')
  for (const [side, symbol] of [
    [/^Token to pay with/, 'ETH'],
    [/^Token to receive/, 'dUSD'],
  ] as const) {
    await form.getByRole('button', { name: side }).click()
    await dialog.getByRole('button', { name: new RegExp(`\\b${symbol}\\b`) }).click()
    await expect(dialog).toBeHidden()
  }
  const amount = form.getByLabel('You pay', { exact: true })
  await amount.fill('0.1')
  await form.getByRole('button', { name: 'Review swap' }).click()
  await expect(dialog.getByText('You receive at least')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await expect(amount).toHaveValue('0.1')
  await form.getByRole('button', { name: 'Review swap' }).click()
  await answer(page, 'approve', () =>
    dialog.getByRole('button', { name: 'Swap', exact: true }).click(),
  )
  await expect(dialog.getByText('Swap complete')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()
  await expect(amount).toHaveValue('')
})

test.describe('the code of a view', () => {
  test.use({ allowedErrors: [/Failed to load resource|dynamically imported module/] })

  test('error: a page whose view could not be loaded says so, and tries again', async ({
    page,
  }) => {
    const main = page.getByRole('main')
    const file = '**/assets/Names-*.js'
    await page.route(file, (route) => route.abort())
    await openConnected(page, '/names')
    await expect(main.getByText('This part could not be loaded')).toBeVisible()
    await page.unroute(file)
    await main.getByRole('button', { name: 'Try again' }).click()
    await expect(main.getByRole('button', { name: 'Choose a name' })).toBeVisible()
  })
})

test('behavior: while the server’s configuration is loading, the title is at its place', async ({
  page,
}) => {
  let release = () => {}
  let held = Promise.resolve()
  await page.route('**/config.json', async (route) => {
    await held
    await route.fallback()
  })
  const payment = '/pay/0x70997970C51812dc3A010C7d01b50e0d17dc79C8' as const
  for (const path of [
    ...pages.map(([path]) => path),
    ...(['/request', '/contacts', '/watch', '/developer', '/status', payment] as const),
  ]) {
    held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.goto(pageOf(path), { waitUntil: 'commit' })
    const title = page.getByRole('heading', { level: 1 })
    await expect(title).toBeVisible()
    await expect(page.getByRole('link', { name: /^Server ready/ })).toHaveCount(0)
    const before = { text: await title.textContent(), box: await title.boundingBox() }
    release()
    await expect(page.getByRole('link', { name: /^Server ready/ })).toBeVisible()
    await expect(page.getByRole('main').locator('.loading')).toHaveCount(0)
    expect({ text: await title.textContent(), box: await title.boundingBox() }, path).toEqual(
      before,
    )
  }
})
