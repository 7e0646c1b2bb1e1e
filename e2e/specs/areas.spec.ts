import { violations } from '@latchkey/dev/axe'
import { expect, openConnected, stack, test } from '../fixtures.ts'

const networks = ['eip155:31337', 'eip155:31338']
const areas = [
  'balance',
  'prices',
  'activity',
  'nfts',
  'allowances',
  'identity',
  'names',
  'swap',
  'onramp',
  'faucet',
  'sessions',
]

test('default: the developer page lists the areas of each network', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${stack.urls.web}/developer`)
  const section = page.getByRole('region', { name: 'Server features' })
  const table = section.getByRole('table')
  await expect(table.getByRole('row')).toHaveCount(areas.length + 1)
  const columns = await table.getByRole('columnheader').allTextContents()
  const activity = table
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: 'Activity' }) })
  for (const network of ['Latchkey One', 'Latchkey Two']) {
    const column = columns.findIndex((title) => title.startsWith(network))
    await expect(activity.getByRole('cell').nth(column - 1)).toHaveText(
      "On An index of the network's blocks, read from its nodes",
    )
  }
  const { scrollWidth, clientWidth } = await page.evaluate(() => ({
    scrollWidth: document.documentElement.scrollWidth,
    clientWidth: document.documentElement.clientWidth,
  }))
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
  expect(await violations(page)).toEqual([])
})

test('behavior: areas that are off are offered nowhere, payments still are', async ({ page }) => {
  const off = Object.fromEntries(
    areas.map((area) => [area, { on: false, source: 'Off for this test' }]),
  )
  const features = Object.fromEntries(networks.map((id) => [id, off]))
  await page.route('**/v1/supported-chains*', (route) =>
    route.fulfill({ json: { http: networks, ws: networks, features } }),
  )
  await openConnected(page)
  await page
    .getByRole('button', { name: /^Account 0x/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  for (const name of ['Send', 'Receive'])
    await expect(dialog.getByRole('button', { name, exact: true })).toBeVisible()
  for (const name of ['NFTs', 'Activity']) {
    await expect(dialog.getByRole('tab', { name })).toHaveCount(0)
    await expect(page.getByRole('heading', { name })).toHaveCount(0)
  }
})
