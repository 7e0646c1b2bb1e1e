import { fund } from '../embedded.ts'
import { nativeOf } from '../holdings.ts'
import { readCode, readDeviceLink, someEmail } from '../mails.ts'
import type { Browser } from './browser.ts'
import { expect, stack, test } from './fixtures.ts'
import { openPage, type Page } from './page.ts'
import { apart } from './startProxy.ts'

// The fifth and sixth of the development accounts: no other test sends to them on this stack.
const receivers = {
  firefox: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  webkit: '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
}

// Each browser sends from a different account: two at once would use the same nonce.
const senders = {
  firefox: { index: 1, button: /^Account 0x70…dc79c8/i },
  webkit: { index: 2, button: /^Account 0x3c…4293bc/i },
}

/** Fills in the send form and continues to the last button, which is not pressed. */
async function review(site: Page, amount: string, to: string) {
  await site.pressFor({ button: /^Account 0x/ }, { button: 'Send' })
  await site.pressFor({ button: 'Send' }, { field: 'Amount' })
  await site.type({ field: 'Amount' }, amount)
  await site.type({ field: 'To' }, to)
  await site.press({ button: 'Review' })
  await site.see({ button: 'Send' })
}

test('default: the development wallet connects and sends, each in the window that a click opens', async ({
  site,
  runs,
}) => {
  const receiver = receivers[runs]
  const { index, button } = senders[runs]
  await site.open(stack.urls.wallet)
  const sender = `[data-testid="account-${index}"]`
  await site.pressFor({ css: sender }, { css: `${sender}[aria-pressed="true"]` })
  await site.open(stack.urls.web)
  // A browser that allows every popup would prove nothing.
  expect(await site.run(`window.open('about:blank') === null`)).toBe(true)
  await site.pressFor({ button: 'Connect wallet' }, { button: /^Latchkey Development Wallet/ })
  const asked = await site.popup(() => site.press({ button: /^Latchkey Development Wallet/ }))
  await asked.press({ css: '[data-testid="approve"]' })
  await asked.closed()
  await site.see({ button })
  const before = await nativeOf(receiver)
  await review(site, '1.5', receiver)
  const sending = await site.popup(() => site.press({ button: 'Send' }))
  await sending.press({ css: '[data-testid="approve"]' })
  await sending.closed()
  await site.see({ text: 'Transfer complete' })
  await expect
    .poll(async () => (await nativeOf(receiver)) - before)
    .toBe(1_500_000_000_000_000_000n)
})

test('default: a QR code connects a wallet elsewhere', async ({ site }) => {
  await site.open(stack.urls.web)
  await site.pressFor({ button: 'Connect wallet' }, { button: /^WalletConnect/ })
  await site.press({ button: /^WalletConnect/ })
  await site.see({ css: 'svg[role="img"][aria-label="QR code to connect a wallet"]' })
  await site.see({ button: 'Copy link' })
})

/** Signs in a new user by email, up to the frame's choice of a recovery method. */
async function signIn(site: Page, driven: Browser): Promise<Page> {
  const email = someEmail()
  await site.open(stack.urls.web)
  await site.pressFor({ button: 'Connect wallet' }, { field: 'Email address' })
  await site.type({ field: 'Email address' }, email)
  await site.press({ button: 'Continue with email' })
  const digits = await site.see({ text: /^\d{2}$/ })
  const mail = openPage(driven, { window: await driven.openTab() })
  await mail.open(await readDeviceLink(email))
  await mail.type({ field: 'Enter the two digits shown there' }, digits)
  await mail.press({ button: 'Yes, sign me in' })
  await mail.see({ text: 'Approved' })
  await mail.close()
  const frame = site.inFrame('/f/')
  await frame.typeOn({ field: 'Digit 1 of 6' }, await readCode(email))
  return frame
}

test('default: a new user logs in by email, and approves a transfer in a popup, also on a page with COOP', async ({
  site,
  driven,
  runs,
}) => {
  const receiver = receivers[runs]
  const frame = await signIn(site, driven)
  // WebKit deletes a frame's storage at the end of the visit, and Firefox keeps it.
  const ends = `document.body.innerText.includes('when you close the page or the browser')`
  await frame.see({ field: /^Printed kit/ })
  expect(await frame.run(ends)).toBe(runs === 'webkit')
  await frame.pressFor({ field: /^Printed kit/ }, { button: 'Continue' })
  await frame.press({ button: 'Continue' })
  await frame.see({ css: '.kit span:nth-child(7)' })
  const readKit = `[...document.querySelectorAll('.kit span')].map((group) => group.textContent)`
  const groups = (await frame.run(readKit)) as string[]
  await frame.press({ button: 'I’ve saved it' })
  const asked = await frame.see({ text: /^Type group \d of 7$/ })
  await frame.type({ field: asked }, groups[Number(asked[11]) - 1] ?? '')
  await frame.press({ button: 'Continue' })
  await site.see({ button: /^Copy address 0x/ })
  const address = (await site.run(`document.querySelector('button[title^="0x"]').title`)) as string
  await fund(address)

  await sendInWindow(site, { receiver, isApart: false })
  // A page with COOP: the frame and its popup exchange messages through the server.
  await site.open(`${stack.urls.web}/${apart}`)
  await sendInWindow(site, { receiver, isApart: true })
})

test('default: the operator’s help is chosen in a window, and no wallet is there before', async ({
  site,
  driven,
}) => {
  const frame = await signIn(site, driven)
  const create = { button: 'Create my wallet' }
  const asks = { text: 'Create your wallet with the operator’s help?' }
  await frame.pressFor({ field: /^By email/ }, { css: '.choice[data-checked="true"]:last-child' })
  const first = await frame.popup(() => frame.press(create))
  await first.see(asks)
  await first.press({ button: 'Reject' })
  await first.closed()
  await frame.see(create)
  const second = await frame.popup(() => frame.press(create))
  await second.see(asks)
  await approveIn(second, { button: 'Hold to create it' })
  await site.see({ button: /^Copy address 0x/ })
})

/**
 * Sends, and approves the transaction in the frame's popup. If `isApart`, the page has COOP and
 * cannot reach the popup.
 */
async function sendInWindow(
  site: Page,
  { receiver, isApart }: { receiver: string; isApart: boolean },
) {
  const frame = site.inFrame('/f/')
  const before = await nativeOf(receiver)
  await review(site, '0.25', receiver)
  await site.press({ button: 'Send' })
  const window = await frame.popup(() => frame.press({ button: 'Open the window' }))
  await window.see({ text: new URL(stack.urls.web).origin })
  expect(await window.run('window.opener === null')).toBe(isApart)
  await approveIn(window, { button: 'Hold to send' })
  await site.see({ text: 'Transfer complete' })
  await expect.poll(async () => (await nativeOf(receiver)) - before).toBe(250_000_000_000_000_000n)
}

/** Approves in a popup of the frame, which then closes. */
async function approveIn(window: Page, button: { button: string }) {
  // The card may be longer than its window, and has to be read to its end.
  const readOn = `document.querySelector('.asked')?.scrollTo(0, 100_000),
    document.querySelector('.hold[data-open="true"]') !== null`
  await expect.poll(() => window.run(`(${readOn})`)).toBe(true)
  await window.hold(button, { css: '.hold[data-hold="full"]' })
  await window.closed()
}
