import { violationsInThemes } from '@latchkey/dev/axe'
import { brokenNumbers } from '@latchkey/dev/brokenNumbers'
import { formDefects } from '@latchkey/dev/formDefects'
import { layouts } from '@latchkey/dev/forms'
import { layoutDefects } from '@latchkey/dev/layoutDefects'
import type { Locator, Page } from '@playwright/test'
import { allow } from '../../allowances.ts'
import { expect, openConnected, pageOf, stack, test } from '../../fixtures.ts'

const chain = 'eip155:31337'
const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
/** No other test allows it anything. */
const spender = '0x5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e0004'

const widths = [320, 360, 390, 768, 1024, 1280]

/**
 * At each width nothing leaves the page, nothing is cut, and no number breaks, nor a word of a
 * button or of the header.
 */
async function expectWhole(page: Page) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    const message = `${page.url()} at ${width} px`
    const find = async () => {
      const { outside, cut, brokenWords } = await page.evaluate(layoutDefects, 'body')
      return [...outside, ...cut, ...brokenWords, ...(await page.evaluate(brokenNumbers, 'body'))]
    }
    await expect.poll(find, { message }).toEqual([])
    const heights = await page
      .locator('.brand > span, .pages a')
      .evaluateAll((nodes) => nodes.map((node) => node.getBoundingClientRect().height))
    expect(Math.max(...heights), message).toBeLessThanOrEqual(44)
  }
}

/**
 * Measures the page in the eight forms with `formDefects`. Everything in `sights` is in sight at
 * once. A user may have to scroll only if the page is enlarged or has the longest words.
 */
async function expectForms(page: Page, name: string, sights: readonly Locator[] = []) {
  const found: string[] = []
  for (const form of layouts) {
    const { width, height } = form
    // The screens of many notebooks are no higher.
    await page.setViewportSize({ width, height: Math.min(height, width === 1280 ? 800 : height) })
    const mayScroll = width === 640 || form.isLong === true
    found.push(...(await formDefects(page, { name, form, sights, mayScroll, hasRows: true })))
  }
  expect.soft(found, name).toEqual([])
}

/** The first things that a user needs in the portfolio. */
const getSights = (main: Locator) => [
  main.locator('.sum'),
  ...['Send', 'Receive', 'Swap', 'Buy'].map((name) =>
    main.getByRole('button', { name, exact: true }),
  ),
  main.locator('.tokenRow').first(),
]

/** The pages of a connected account, and how each is filled and waited for. */
const pages: Record<`/${string}`, (main: Locator) => Promise<unknown>> = {
  '/': (main) => expect(main.locator('.tokenRow').first()).toBeVisible(),
  '/swap': (main) => expect(main.getByLabel('You pay', { exact: true })).toBeVisible(),
  '/buy': async (main) => {
    await main.getByRole('textbox', { name: 'You pay' }).fill('150')
    await expect(main.getByText(/^≈ /).first()).toBeVisible()
  },
  '/activity': (main) => expect(main.getByRole('listitem').first()).toBeVisible(),
  '/names': (main) => expect(main.getByRole('button', { name: 'Choose a name' })).toBeVisible(),
  '/allowances': (main) =>
    expect(main.getByRole('checkbox', { name: /0x5e…5e0004/ })).toBeVisible(),
  '/sessions': (main) =>
    expect(main.getByText(/^No smart sessions$|nothing to offer on/)).toBeVisible(),
  '/settings': (main) => expect(main.getByRole('heading', { name: 'Notices' })).toBeVisible(),
  '/request': async (main) => {
    await main.getByLabel('Amount').fill('1234567.891')
    await expect(main.getByRole('img', { name: 'QR code of the payment link' })).toBeVisible()
  },
  '/contacts': async (main) => {
    const form = main.getByRole('region', { name: 'Add contact' })
    await form.getByLabel('Name').fill('Bob')
    await form.getByLabel('Address').fill(bob)
    await form.getByRole('button', { name: 'Add contact' }).click()
    await expect(main.getByText(bob)).toBeVisible()
  },
  '/watch': async (main) => {
    await main.getByLabel('Address or name').fill(bob)
    await main.getByRole('button', { name: 'Watch', exact: true }).click()
    await expect(main.getByRole('region', { name: bob }).getByText('Ether').first()).toBeVisible()
  },
  '/developer': (main) => expect(main.getByRole('rowheader', { name: 'Activity' })).toBeVisible(),
  '/status': (main) => expect(main.getByText(/^Block \d+$/).first()).toBeVisible(),
  '/nowhere': (main) =>
    expect(main.getByRole('heading', { name: 'There is nothing here' })).toBeVisible(),
}

test('default: the landing page shows what one gets, and its footer the status of the server', async ({
  page,
}) => {
  await page.goto(pageOf())
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/All your wallets/)
  await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
  await expect(page.getByRole('img', { name: 'A sample portfolio' })).toBeVisible()
  expect(await violationsInThemes(page)).toEqual([])
  await page.getByRole('link', { name: 'Server ready' }).click()
  await expect(page.getByRole('main').getByText('Latchkey One')).toBeVisible()
  await expect(page.getByText(/^Block \d+$/).first()).toBeVisible()
  await expect(page).toHaveTitle('Status · Latchkey')
  await page.goBack()
  await expect(page.getByRole('img', { name: 'A sample portfolio' })).toBeVisible()
})

test('behavior: nothing on the landing page moves while it loads, and the facts are in the first window', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const shifts: number[] = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push((entry as unknown as { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
    Object.assign(window, { shifts })
  })
  let release = () => {}
  let held = Promise.resolve()
  await page.route('**/config.json', async (route) => {
    await held
    const response = await route.fetch()
    const login = { emailLogin: true, socials: ['google', 'github'] }
    await route.fulfill({ response, json: { ...(await response.json()), ...login } })
  })
  for (const [width, height] of [
    [1280, 800],
    [390, 844],
  ] as const) {
    held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.setViewportSize({ width, height })
    // The configuration is part of the page's load.
    await page.goto(pageOf(), { waitUntil: 'commit' })
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/All your wallets/)
    await expect(page.getByRole('img', { name: 'A sample portfolio' })).toBeVisible()
    release()
    await expect(page.getByRole('link', { name: /^Server ready/ })).toBeVisible()
    for (const name of ['Email', 'Google', 'GitHub'])
      await expect(page.getByRole('img', { name, exact: true })).toBeInViewport()
    for (const name of ['Runs on your server', 'No third parties', 'Open source'])
      await expect(page.getByRole('heading', { name })).toBeInViewport({ ratio: 1 })
    const shifts = (await page.evaluate('shifts')) as number[]
    expect(shifts.reduce((sum, one) => sum + one, 0)).toBeLessThan(0.01)
  }
})

test('behavior: the landing page is whole at every width', async ({ page }) => {
  await page.goto(pageOf())
  await expect(page.getByRole('img', { name: 'A sample portfolio' })).toBeVisible()
  await expectWhole(page)
  const connecting = page.getByRole('main').getByRole('button', { name: 'Connect wallet' })
  await expectForms(page, 'landing', [page.getByRole('heading', { level: 1 }), connecting])
})

test('behavior: every page is whole at every width, and axe accepts it in both themes', async ({
  page,
}) => {
  await allow(alice, { token: 'gold', spender, amount: 1_234_567_891n * 10n ** 15n })
  await openConnected(page, '/developer')
  for (const [path, fill] of Object.entries(pages)) {
    await page.goto(pageOf(path as `/${string}`))
    await fill(page.getByRole('main'))
    await expectWhole(page)
    expect(await violationsInThemes(page), path).toEqual([])
    const main = page.getByRole('main')
    await expectForms(page, path.slice(1) || 'portfolio', path === '/' ? getSights(main) : [])
  }
})

test('behavior: an empty portfolio is whole in every form, with the first steps in sight', async ({
  page,
}) => {
  await page.route(/\/balance\?/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), balances: [] } })
  })
  await openConnected(page)
  const main = page.getByRole('main')
  const steps = ['Receive', 'Buy'].map((name) => main.getByRole('button', { name, exact: true }))
  await expect(main.getByRole('button', { name: 'Send', exact: true })).toHaveCount(0)
  await expectForms(page, 'empty portfolio', [main.locator('.sum'), ...steps])
})

/** How far the title, the number, the first tab and the first row of a card begin from its edge. */
const leftEdges = (card: Element) => {
  const start = (node: Element) => {
    const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
    // A mark may be an icon on a surface.
    const isMark = (one: Element) =>
      one.clientWidth <= 64 && getComputedStyle(one).backgroundColor !== 'rgba(0, 0, 0, 0)'
    const rects = [...node.querySelectorAll('*')]
      .filter((one) => one.matches('img, svg') || isMark(one))
      .map((mark) => mark.getBoundingClientRect())
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const range = document.createRange()
      range.selectNodeContents(text)
      rects.push(range.getBoundingClientRect())
    }
    return rects.filter(({ width, height }) => width > 1 && height > 1).map(({ left }) => left)
  }
  const parts = ['h2', 'h3', '.sum', '.change', '[role="tab"]', 'li']
  return parts.flatMap((part) => {
    const [first] = [...card.querySelectorAll(part)].filter((node) => start(node).length > 0)
    if (!first) return []
    const offset = Math.min(...start(first)) - card.getBoundingClientRect().left
    return [`${part} at ${Math.round(offset)} px`]
  })
}

test('behavior: in the cards of the portfolio all left edges agree, and all titles have one size', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  const nowMs = Date.now()
  const points = [24, 8, 0].map((hours) => ({ atMs: nowMs - hours * 3_600_000, price: 9 + hours }))
  await page.route(/\/value\?/, (route) => route.fulfill({ json: { points, since: null } }))
  await openConnected(page)
  const main = page.getByRole('main')
  await expect(main.getByRole('img', { name: /^From \$/ })).toBeVisible()
  await expect(main.locator('.worth .change')).toContainText('since yesterday')
  const cards = main.locator('.card')
  await expect(cards).toHaveCount(4)
  for (const card of await cards.all()) {
    await expect(card.getByRole('listitem').or(card.getByRole('tab')).first()).toBeVisible()
    const edges = await card.evaluate(leftEdges)
    expect(edges.length).toBeGreaterThan(1)
    const label = (await card.getByRole('heading').first().textContent()) ?? ''
    expect(edges, label).toEqual(edges.map((edge) => edge.replace(/\d+ px$/, '24 px')))
  }
  const sizes = await main
    .locator('.listHead h2')
    .evaluateAll((titles) => titles.map((title) => getComputedStyle(title).fontSize))
  expect(sizes).toEqual(['17px', '17px', '17px'])
  // The headline names the period of the line.
  await main.getByRole('tab', { name: 'Week' }).click()
  await expect(main.locator('.worth .change')).toContainText(/since (?!yesterday)/)
  // Values of less than a day have no change of a day.
  const [first] = points
  if (first) first.atMs += 2 * 3_600_000
  await page.reload()
  await expect(main.getByRole('img', { name: /^From \$/ })).toBeVisible()
  await expect(main.locator('.worth .change')).toBeEmpty()
  // Money that has come since yesterday is no change of a value.
  for (const point of points) point.price = 0
  await page.reload()
  await expect(main.locator('.sum')).toContainText('$')
  await expect(main.getByRole('listitem').first()).toBeVisible()
  await expect(main.locator('.worth .change')).toBeEmpty()
})

test('behavior: a payment link with a long amount is whole at every width', async ({ page }) => {
  await openConnected(page, '/developer')
  const dollar = stack.addresses[chain]?.usd?.toLowerCase()
  await page.goto(pageOf(`/pay/${bob}?amount=1234567.891&asset=${chain}/erc20:${dollar}`))
  const main = page.getByRole('main')
  await expect(main.getByText('1,234,567.891 dUSD')).toBeVisible()
  await expect(main.getByRole('img', { name: 'QR code of the address' })).toBeVisible()
  await expectWhole(page)
  expect(await violationsInThemes(page)).toEqual([])
  await expectForms(page, 'pay')
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
