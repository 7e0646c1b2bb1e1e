import type { Page } from '@playwright/test'
import { askToSign, openDeveloperPage } from '../../developerPage.ts'
import { disconnect, expect, test } from '../../fixtures.ts'
import { account, connectElsewhere, decide, network } from '../../walletConnect.ts'

const second = /^Account 0x70…dc79C8/i
const sessionSeconds = 7 * 86_400
const note = (wallet: Page) => wallet.getByTestId('session-note')

const openSession = (wallet: Page) => wallet.getByTestId('session-manage').click()

async function emit(wallet: Page, name: string, data: unknown) {
  await wallet.getByTestId('session-event-name').fill(name)
  await wallet.getByTestId('session-event-data').fill(JSON.stringify(data))
  await wallet.getByTestId('session-emit').click()
}

/** Removes a network from the session, and waits until the app is notified. */
async function takeAway(wallet: Page, chain: number) {
  const box = wallet.getByTestId(`allow-chain-${chain}`)
  if (!(await box.isVisible())) await wallet.getByTestId('session-reach').click()
  await box.uncheck()
  await wallet.getByTestId('session-update').click()
  await expect(note(wallet)).toHaveText('App notified.')
}

async function switchInApp(page: Page, from: string, to: RegExp) {
  await network(page, from).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: to }).click()
  return dialog
}

test.beforeEach(({ page, wallet }) => connectElsewhere(page, wallet))

test('default: network and account are switched from either side; the wallet pings, extends and ends it', async ({
  page,
  wallet,
}) => {
  await openSession(wallet)

  await wallet.getByTestId('session-chain').selectOption('31338')
  await expect(network(page, 'Latchkey Two')).toBeVisible()
  await switchInApp(page, 'Latchkey Two', /Latchkey One/)
  await expect(network(page, 'Latchkey One')).toBeVisible()

  await wallet.getByTestId('session-account').selectOption('1')
  await expect(account(page, second)).toBeVisible()
  await openDeveloperPage(page)
  const form = await askToSign(page)
  await decide(wallet, 'request', 'approve')
  await expect(form.getByText('Valid: signed by 0x70…dc79C8')).toBeVisible()

  await page.reload()
  await expect(account(page, second)).toBeVisible()

  await wallet.getByTestId('session-event').click()
  await emit(wallet, 'chainChanged', '0x7a6a')
  await expect(note(wallet)).toHaveText('Emitted.')
  await expect(network(page, 'Latchkey Two')).toBeVisible()
  await emit(wallet, 'accountsChanged', ['eip155:31338:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'])
  await expect(account(page)).toBeVisible()
  // Otherwise its note may replace the next note.
  await expect(note(wallet)).toHaveText('Emitted.')
  await emit(wallet, 'theme', 'dark')
  await expect(note(wallet)).not.toHaveText(/Emitted|Waiting/)
  await expect(account(page)).toBeVisible()

  await wallet.getByTestId('session-ping').click()
  await expect(note(wallet)).toHaveText(/^Response after \d+ ms\.$/)

  const expiry = wallet.getByTestId('session-expiry')
  const before = Number(await expiry.getAttribute('data-expiry'))
  // Expiries count whole seconds.
  const isLater = () => Math.floor(Date.now() / 1_000) + sessionSeconds > before
  await expect.poll(isLater, { intervals: [100] }).toBe(true)
  await wallet.getByTestId('session-extend').click()
  await expect(note(wallet)).toHaveText('Extended to seven days from now.')
  await expect
    .poll(async () => Number(await expiry.getAttribute('data-expiry')))
    .toBeGreaterThan(before)

  await wallet.getByTestId('session-disconnect').click()
  await expect(wallet.getByTestId('session')).toHaveCount(0)
  const button = page.getByRole('button', { name: 'Connect wallet' }).first()
  await expect(button).toBeVisible()
  await page.reload()
  await expect(button).toBeVisible()
})

test('behavior: a network that the wallet has removed is added again on request; the app ends the session', async ({
  page,
  wallet,
}) => {
  await openSession(wallet)
  await takeAway(wallet, 31337)
  await expect(network(page, 'Latchkey Two')).toBeVisible()
  await expect(account(page)).toBeVisible()

  // A network outside the session: the wallet prompts, and its approval adds the network.
  const dialog = await switchInApp(page, 'Latchkey Two', /Latchkey One/)
  await expect(wallet.getByTestId('request').getByTestId('details')).toContainText(
    'Adds Latchkey One to the session',
  )
  await decide(wallet, 'request', 'approve')
  await expect(dialog).toBeHidden()
  await expect(network(page, 'Latchkey One')).toBeVisible()
  await expect(wallet.getByTestId('session-chain')).toHaveValue('31337')

  // A declined switch changes nothing in the app.
  await takeAway(wallet, 31338)
  await switchInApp(page, 'Latchkey One', /Latchkey Two/)
  await decide(wallet, 'request', 'reject')
  await expect(dialog.getByText('Switch declined')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(network(page, 'Latchkey One')).toBeVisible()

  // When the network is back in the session, the wallet does not prompt.
  await wallet.getByTestId('allow-chain-31338').check()
  const update = wallet.getByTestId('session-update')
  await update.click()
  await expect(wallet.getByTestId('session-chain').locator('option')).toHaveCount(2)
  await expect(update).toBeDisabled()
  // The app responds to the ping after it has received the update.
  await wallet.getByTestId('session-ping').click()
  await expect(note(wallet)).toHaveText(/^Response after/)
  await switchInApp(page, 'Latchkey One', /Latchkey Two/)
  await expect(network(page, 'Latchkey Two')).toBeVisible()
  await expect(wallet.getByTestId('request')).toBeHidden()

  await disconnect(page)
  await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
  await expect(wallet.getByTestId('session')).toHaveCount(0)
  await expect(wallet.getByTestId('notices')).toContainText('ended its session')
})

test('behavior: a session that ended while the app was away has ended when it comes back', async ({
  page,
  wallet,
}) => {
  await page.goto('about:blank')
  await openSession(wallet)
  await wallet.getByTestId('session-disconnect').click()
  await expect(wallet.getByTestId('session')).toHaveCount(0)
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
})
