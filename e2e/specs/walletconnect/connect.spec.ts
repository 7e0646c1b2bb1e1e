import { disconnect, expect, stack, test } from '../../fixtures.ts'
import { noteMessages } from '../../noteMessages.ts'
import {
  account,
  connectElsewhere,
  decide,
  network,
  openCode,
  pair,
  scan,
} from '../../walletConnect.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const connectButton = 'Connect wallet'

test('default: the code is read off the screen and approved elsewhere; it stays connected over a reload', async ({
  page,
  wallet,
}) => {
  await page.goto(stack.urls.web)
  const dialog = await openCode(page)
  await pair(wallet, await scan(page))
  await expect(wallet.getByTestId('proposal').getByTestId('note')).toContainText(stack.urls.web)
  await wallet.getByTestId('allow-account-0').uncheck()
  await wallet.getByTestId('allow-account-2').check()
  await wallet.getByTestId('allow-chain-31337').uncheck()
  await decide(wallet, 'proposal', 'approve')

  await expect(dialog).toBeHidden()
  const third = account(page, /^Account 0x3C…4293BC/i)
  await expect(third).toContainText('ETH')
  await expect(network(page, 'Latchkey Two')).toBeVisible()
  await expect(wallet.getByTestId('session')).toHaveCount(1)

  await page.reload()
  await expect(third).toContainText('ETH')
  await expect(network(page, 'Latchkey Two')).toBeVisible()
  await expect(wallet.getByTestId('proposal')).toBeHidden()
})

test('error: after a rejected proposal another code is shown; the copied link works like the code', async ({
  page,
  context,
  wallet,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const hasAnnounced = await noteMessages(page)
  await page.goto(stack.urls.web)
  const dialog = await openCode(page)
  const first = await scan(page)
  await pair(wallet, first)
  await decide(wallet, 'proposal', 'reject')
  await expect(dialog.getByText('Connection declined')).toBeVisible()
  const moving = await dialog.evaluate((node) =>
    [...node.querySelectorAll('*')].map((each) => getComputedStyle(each).animationName).join(),
  )
  expect(moving).toContain('shake')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  const second = await scan(page)
  expect(second).not.toBe(first)
  await dialog.getByRole('button', { name: 'Copy link' }).click()
  await hasAnnounced('Link copied')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe(second)
  await pair(wallet, copied)
  await decide(wallet, 'proposal', 'approve')
  await expect(dialog).toBeHidden()
  await expect(account(page)).toBeVisible()
})

test('behavior: an approval connects an app that was reloaded after the wallet scanned its code', async ({
  page,
  wallet,
}) => {
  await page.goto(stack.urls.web)
  await openCode(page)
  const uri = await scan(page)
  await page.reload()
  await expect(page.getByRole('button', { name: connectButton }).first()).toBeVisible()
  await pair(wallet, uri)
  await wallet.reload()
  await expect(wallet.getByTestId('proposal')).toBeVisible()
  await decide(wallet, 'proposal', 'approve')
  await expect(account(page)).toBeVisible()
})

test('behavior: two tabs of the app follow each other', async ({ page, context, wallet }) => {
  const other = await context.newPage()
  await other.goto(stack.urls.web)
  await connectElsewhere(page, wallet)
  await expect(account(other)).toBeVisible()
  await disconnect(other)
  for (const tab of [other, page])
    await expect(tab.getByRole('button', { name: connectButton }).first()).toBeVisible()
  await expect(wallet.getByTestId('session')).toHaveCount(0)
})
