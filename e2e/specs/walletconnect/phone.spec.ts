import type { Page } from '@playwright/test'
import { openDeveloperPage, section } from '../../developerPage.ts'
import { expect, stack, test } from '../../fixtures.ts'
import { nameOwnRelay } from '../../relayProxy.ts'
import { account, decide, openCode } from '../../walletConnect.ts'

const agents = {
  iPhone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  Android:
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Mobile Safari/537.36',
} as const

test.use({
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  userAgent: agents.iPhone,
  allowedAddresses: [/^https:\/\/metamask\.app\.link\/wc\?uri=/],
})

test.beforeEach(({ page }) => nameOwnRelay(page))

/** Adds the development wallet to the directory as an app of this phone that takes https links. */
async function putInDirectory(page: Page) {
  await page.route('**/getWallets?*', async (route) => {
    const answer = await (await route.fetch()).json()
    const [first] = answer.data
    const link = `${stack.urls.wallet}/`
    const names = { id: 'd'.repeat(64), name: 'Pocket Wallet', rdns: null, injected: null }
    const own = { ...first, ...names, mobile_link: null, link_mode: link }
    await route.fulfill({ json: { ...answer, data: [own, ...answer.data] } })
  })
}

/** Records the URLs that the page opens instead of opening them; returns the latest. */
async function noteOpened(page: Page) {
  await page.addInitScript(() => {
    const opened: unknown[] = []
    Object.assign(window, { opened })
    window.open = (...call) => {
      opened.push(call)
      return null
    }
  })
  return () => page.evaluate('window.opened.at(-1)') as Promise<[string, string, string]>
}

test('default: a link opens the wallet; after its approval the app is connected; a request opens it again', async ({
  page,
  context,
}) => {
  await putInDirectory(page)
  await page.goto(stack.urls.web)
  const dialog = await openCode(page)
  await expect(dialog.getByRole('searchbox', { name: 'Search wallets' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Copy link' })).toBeEnabled()
  // An iPhone opens the wallet at once, because the pairing existed before the tap.
  const left = page.waitForRequest((one) =>
    one.url().startsWith(`${stack.urls.wallet}/wc?uri=wc%3A`),
  )
  await dialog.getByRole('button', { name: 'Pocket Wallet' }).tap()
  await left
  await decide(page, 'proposal', 'approve')
  // The proposal is gone before the relay has the response. If the test left the wallet now, the
  // response would wait for it.
  await expect(page.getByTestId('recent')).toContainText('wc_sessionPropose')
  await page.goBack()
  await expect(account(page)).toBeVisible()

  await openDeveloperPage(page)
  const form = section(page, 'Sign a message')
  const opened = context.waitForEvent('page')
  const asked = context.waitForEvent('request', (one) =>
    /\/wc\?requestId=\d+&sessionTopic=[0-9a-f]{64}$/.test(one.url()),
  )
  await form.getByRole('button', { name: 'Sign', exact: true }).tap()
  const wallet = await opened
  await asked
  await decide(wallet, 'request', 'approve')
  // Messages that the relay does not have yet are sent when the wallet is opened again.
  await expect(form.getByText('Valid: signed by 0xf3…b92266')).toBeVisible()
  await wallet.close()
})

test('behavior: an https link navigates to the wallet; wallets without a link are not listed', async ({
  page,
}) => {
  await page.route('https://metamask.app.link/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Elsewhere</title>' }),
  )
  await page.goto(stack.urls.web)
  const dialog = await openCode(page)
  await expect(dialog.getByRole('button', { name: 'Copy link' })).toBeEnabled()
  await expect(dialog.getByRole('button', { name: 'MetaMask' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Rabby Wallet' })).toBeHidden()
  await dialog.getByRole('button', { name: 'MetaMask' }).tap()
  await page.waitForURL(/^https:\/\/metamask\.app\.link\/wc\?uri=wc%3A[0-9a-f]{64}%402%3F/)
})

for (const [device, inTelegram, target] of [
  ['iPhone', false, '_self'],
  ['Android', false, '_self'],
  ['iPhone', true, '_blank'],
  ['Android', true, '_blank'],
] as const) {
  test.describe(`${device}${inTelegram ? ' in Telegram' : ''}`, () => {
    test.use({ userAgent: agents[device] })
    test('behavior: the links that open wallets', async ({ page }) => {
      if (inTelegram) await page.addInitScript('window.TelegramWebviewProxy = {}')
      const latest = await noteOpened(page)
      await page.goto(stack.urls.web)
      const dialog = await openCode(page)
      for (const [wallet, link] of [
        ['Trust Wallet', 'trust://wc?uri='],
        ['OKX Wallet', 'okex://main/wc?uri='],
      ] as const) {
        await dialog.getByRole('button', { name: `${wallet} App` }).tap()
        await dialog.getByRole('button', { name: 'Open', exact: true }).tap()
        const [href, where, features] = await latest()
        const uri = href.slice(link.length)
        const once = device === 'Android' && inTelegram ? decodeURIComponent(uri) : uri
        expect(href.slice(0, link.length)).toBe(link)
        expect(decodeURIComponent(once)).toMatch(/^wc:[0-9a-f]{64}@2\?/)
        expect(once).not.toMatch(/[:?&]/)
        expect([where, features.split(' ').sort()]).toEqual([target, ['noopener', 'noreferrer']])
        await dialog.getByRole('button', { name: 'Back' }).tap()
      }
    })
  })
}
