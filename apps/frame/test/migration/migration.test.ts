import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openExport } from '../openExport.ts'
import {
  approveLink,
  ask,
  begin,
  type FrameStack,
  fillCode,
  holdToApprove,
  inside,
  keepKit,
  logIn,
  readOn,
  settle,
  startFrame,
} from '../startFrame.ts'
import { hideVisibility, openCovered, readAsked, rejectIn } from '../windows/openWindow.ts'

let frame: FrameStack

beforeAll(async () => {
  frame = await startFrame()
})
afterAll(() => frame?.stop())

const email = 'fresh@example.org'
const ether = 10n ** 18n
const button = (page: Page, name: string | RegExp) => inside(page).getByRole('button', { name })
const open = (page: Page) => begin(page, 'APP_OPEN', { page: 'fresh-wallet' })
const cardOf = (page: Page, label: string) => inside(page).getByRole('region', { name: label })
const readCard = async (page: Page, label: string) => {
  const address = await cardOf(page, label).locator('.copy').first().textContent()
  return address ?? ''
}
const readUser = async (page: Page) =>
  (await ask(page, 'APP_GET_USER', { chainId: 31337 })).result as { address: string }

async function rpc(method: string, params: unknown[]): Promise<string> {
  const response = await fetch(frame.stack.urls.rpc['eip155:31337'], {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await response.json()) as { result: string }).result
}

/** Confirms the running step-up with the code of the next mail. */
async function confirm(page: Page, press: () => Promise<void>) {
  const before = await frame.countMails(email)
  await press()
  const code = await frame.readCode(email, before)
  await fillCode(inside(page), code)
}

/** Waits until the page has received the event of another account, and requests it. */
async function awaitAccount(page: Page, address: string) {
  await page.waitForFunction(() => window.host.events.some(([name]) => name === 'FRAME_ACCOUNT'))
  await page.evaluate(() => {
    window.host.events = []
  })
  expect((await readUser(page)).address).toBe(address)
}

/**
 * Row 31: if the browser cannot vouch for visibility, a covered press only opens a window, which
 * names the wallet.
 */
async function refusesOldInWindow(
  context: BrowserContext,
  { old, fresh }: { readonly old: string; readonly fresh: string },
) {
  const script = await hideVisibility(context)
  const page = await frame.embed(context)
  expect((await readUser(page)).address).toBe(fresh)
  await open(page)
  const asking = await openCovered(page, button(page, 'Use the old wallet here'))
  expect(await readAsked(asking)).toContain(old)
  await rejectIn(asking)
  await inside(page).getByText('Waiting for the window').waitFor({ state: 'detached' })
  expect((await readUser(page)).address).toBe(fresh)
  await page.close()
  await script.dispose()
}

test('default: a user moves to a new wallet, also across a reload, sends from the old one and deletes it', async () => {
  const context = await frame.newContext()
  const first = await frame.embed(context)
  const oldKit = await logIn(frame, first, email)
  const { address: old } = await readUser(first)
  await rpc('anvil_setBalance', [old, '0x1bc16d674ec80000'])
  // Another tab of this browser, and another browser, both with the wallet that will be left.
  const tab = await frame.embed(context)
  expect((await readUser(tab)).address).toBe(old)
  const second = await frame.embed(await frame.newContext())
  await joinByKit(second, oldKit)

  await begin(first, 'APP_OPEN', { page: 'fresh-wallet' })
  await confirm(first, () => button(first, 'Create a new wallet').click())
  expect(await frame.readMail(email)).toContain(
    `Create a new wallet to move to, and keep your wallet ${old}`,
  )
  const newKit = await keepKit(inside(first))
  await button(first, 'Check the kit and move').waitFor()
  // The address is hidden, so no one can send to it yet.
  expect(await inside(first).locator('.copy').count()).toBe(0)

  // The browser is closed here, and continues at the same step.
  await first.close()
  const page = await frame.embed(context)
  expect((await readUser(page)).address).toBe(old)
  await open(page)
  await typeKit(page, { kit: oldKit, action: 'Check the kit and move' })
  await inside(page).getByText('This does not open the wallet').waitFor()
  await typeKit(page, { kit: newKit, action: 'Check the kit and move' })
  await cardOf(page, 'Your old wallet').waitFor()
  expect(await readCard(page, 'Your old wallet')).toBe(old)
  const fresh = await readCard(page, 'Your new wallet')
  expect(fresh).not.toBe(old)
  await expect
    .poll(() => frame.readMail(email))
    .toContain(`Your account now uses the wallet ${fresh}`)
  await awaitAccount(page, fresh)
  await awaitAccount(tab, fresh)

  // The other browser finds the move through the wallet that it holds. It may keep using that
  // wallet, and restores the new wallet with the kit.
  await second.reload()
  await second.waitForFunction(() => 'embed' in window)
  await second.evaluate((address) => window.embed(address), frame.address)
  const asked = await begin(second, 'APP_GET_USER', { chainId: 31337 })
  await inside(second).getByText(`moved to another wallet, ${fresh}`).waitFor()
  await button(second, 'Stay with the old wallet in this browser').click()
  expect((await settle(second, asked)).result).toMatchObject({ address: old })
  await open(second)
  await button(second, 'Bring the new wallet here').click()
  await openByKit(second, newKit)
  await cardOf(second, 'Your new wallet').waitFor()
  await awaitAccount(second, fresh)

  // A browser without a known wallet brings the old wallet only if its user confirms. The user may
  // turn back, and sees that the account has left this wallet.
  const third = await frame.embed(await frame.newContext())
  const connecting = await beginJoin(third)
  await button(third, 'Bring your old wallet instead').click()
  await inside(third)
    .getByText('Choose a way to bring back the wallet that your account used before')
    .waitFor()
  await button(third, 'Back').click()
  await button(third, 'Bring your old wallet instead').click()
  await openByKit(third, oldKit)
  await inside(third).getByText(`moved to another wallet, ${fresh}`).waitFor()
  await button(third, 'Stay with the old wallet in this browser').click()
  expect((await settle(third, connecting)).code).toBeUndefined()
  expect((await readUser(third)).address).toBe(old)
  await open(third)
  await inside(third).getByText('this browser stays with the old one').waitFor()
  await third.close()

  // What is in the old wallet is sent from it, in this browser alone.
  await cardOf(page, 'Still in the old wallet').getByText('2 ETH').waitFor()
  await refusesOldInWindow(context, { old, fresh })
  await button(page, 'Use the old wallet here').click()
  await button(page, 'Use the new wallet here').waitFor()
  await awaitAccount(page, old)
  await ask(page, 'APP_CLOSE')
  const sent = await begin(page, 'APP_RPC_REQUEST', {
    method: 'eth_sendTransaction',
    params: [{ from: old, to: fresh, value: `0x${ether.toString(16)}` }],
    chainId: 31337,
  })
  await inside(page).locator('.approval').waitFor()
  await readOn(page, '.asked')
  await readOn(page, '.approval')
  await holdToApprove(page)
  expect((await settle(page, sent)).result).toMatch(/^0x[0-9a-f]{64}$/)
  await expect
    .poll(async () => BigInt(await rpc('eth_getBalance', [fresh, 'latest'])), { timeout: 60_000 })
    .toBe(ether)
  expect((await readUser(second)).address).toBe(fresh)

  // The phrase of the old wallet is shown in a separate tab, which gets that wallet by its kit.
  const phrase = await openExport(frame, page, { email, kit: oldKit, isLeft: true })
  await phrase.locator('.phrase').waitFor()
  expect(await frame.readMail(email)).toContain(`Show the recovery phrase of your wallet ${old}.`)
  await phrase.close()

  await open(page)
  await button(page, 'Use the new wallet here').click()
  await button(page, 'Delete the old wallet').click()
  await awaitAccount(page, fresh)
  const drop = button(page, 'Delete it')
  await expect.poll(() => drop.getAttribute('aria-disabled')).toBe('true')
  await inside(page).getByRole('textbox').fill('delete this wallet')
  // A press counts once the button has been in view for a while; a scroll caused by the click would
  // restart that time.
  await drop.scrollIntoViewIfNeeded()
  await expect.poll(() => drop.getAttribute('aria-disabled')).toBe('false')
  await confirm(page, () => drop.click())
  await button(page, 'Create a new wallet').waitFor()
  expect((await readUser(page)).address).toBe(fresh)
})

async function typeKit(
  page: Page,
  { kit, action }: { readonly kit: string; readonly action: string },
) {
  await inside(page).getByRole('textbox').fill(kit)
  await button(page, action).click()
}

/** Another browser of the user, which gets the wallet by its kit. */
async function joinByKit(page: Page, kit: string) {
  const connecting = await beginJoin(page)
  await openByKit(page, kit)
  await settle(page, connecting)
  await readUser(page)
}

/** Another browser of the user, up to the ways to bring a wallet. */
async function beginJoin(page: Page): Promise<string> {
  const before = await frame.countMails(email)
  const started = (await ask(page, 'APP_CONNECT_EMAIL', { email })).result
  const { matchCode = '' } = started as { matchCode?: string }
  const waiting = await begin(page, 'APP_CONNECT_DEVICE')
  await expect.poll(() => frame.countMails(email)).toBeGreaterThan(before)
  await approveLink(frame, page.context(), { email, matchCode })
  await settle(page, waiting)
  const code = await frame.readCode(email, before)
  const connecting = await begin(page, 'APP_CONNECT_OTP')
  await fillCode(inside(page), code)
  return connecting
}

async function openByKit(page: Page, kit: string) {
  await button(page, 'Use your printed kit').click()
  await typeKit(page, { kit, action: 'Open with the kit' })
}
