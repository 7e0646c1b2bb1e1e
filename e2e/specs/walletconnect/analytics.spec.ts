import { disconnect, expect, stack, test } from '../../fixtures.ts'
import { metricsToken } from '../../metricsToken.ts'
import { connectElsewhere } from '../../walletConnect.ts'

/** How often the server has counted an event, optionally by the method of connecting. */
async function readCount(event: string, method = ''): Promise<number> {
  const headers = { authorization: `Bearer ${metricsToken}` }
  const text = await (await fetch(`${stack.urls.web}/metrics`, { headers })).text()
  const name = `latchkey_analytics_events_total{event="${event}",method="${method}"} `
  const line = text.split('\n').find((each) => each.startsWith(name))
  return Number(line?.slice(name.length) ?? 0)
}

test('default: the server counts that the page was opened, and its events', async ({
  page,
  wallet,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const before = await readCount('CONNECT_SUCCESS', 'qrcode')
  const opened = await readCount('INITIALIZE')
  await page.goto(stack.urls.web)
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  await expect(
    page.getByRole('dialog').getByRole('button', { name: /^WalletConnect/ }),
  ).toBeVisible()
  // Two seconds after the start.
  await expect.poll(() => asked).toContain('/getAnalyticsConfig')
  await connectElsewhere(page, wallet)
  await disconnect(page)
  await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
  // Events are sent at most ten seconds after the first; leaving the page also sends them.
  await expect.poll(() => readCount('DISCONNECT_SUCCESS')).toBeGreaterThan(0)
  await page.goto('about:blank')
  await expect.poll(() => readCount('CONNECT_SUCCESS', 'qrcode')).toBe(before + 1)
  await expect.poll(() => readCount('INITIALIZE')).toBeGreaterThan(opened)
})
