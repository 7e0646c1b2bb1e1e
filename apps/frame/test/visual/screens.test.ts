import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { openExport } from '../openExport.ts'
import {
  ask,
  begin,
  type FrameStack,
  fillCode,
  forgetConsent,
  inside,
  keepKit,
  settle,
  signIn,
  startFrame,
} from '../startFrame.ts'
import { hideVisibility } from '../windows/openWindow.ts'
import { expectWhole } from './expectWhole.ts'
import { someRequests } from './someRequests.ts'

const email = 'a.person.with.a.long.address@screens.example.org'

let frame: FrameStack
/** The browser of the only user, who has signed in. */
let context: BrowserContext
let page: Page
let kit: string
let address: `0x${string}`

beforeAll(async () => {
  frame = await startFrame(['identity'])
  context = await openBrowser()
})
afterAll(() => frame?.stop())

/** High enough that each choice is in sight with its button. */
const openBrowser = () => frame.newContext({ viewport: { width: 900, height: 1_400 } })
const button = (name: string | RegExp, where = page) => inside(where).getByRole('button', { name })
const text = (words: string | RegExp, where = page) => inside(where).getByText(words).first()

/** Gives an account ether on the first chain. */
const setBalance = (...params: string[]) =>
  fetch(frame.stack.urls.rpc['eip155:31337'], {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setBalance', params }),
  })

/** Opens a page of the settings, checks what it shows, and closes it. */
async function withPage(at: string, look: () => Promise<unknown>): Promise<void> {
  const opened = await begin(page, 'APP_OPEN', { page: at })
  await inside(page)
    .locator(`[data-view="${at}"]:not(:has(.skeleton, [aria-busy="true"]))`)
    .waitFor()
  await look()
  await ask(page, 'APP_CLOSE')
  await settle(page, opened)
}

test('behavior: signing in and setting up a wallet is whole in every form', async () => {
  page = await frame.embed(context)
  const passkey = await begin(page, 'APP_CONNECT_PASSKEY')
  await inside(page).locator('[data-view="passkey"]').waitFor()
  await expectWhole(page, 'passkey')
  await ask(page, 'APP_CLOSE')
  await settle(page, passkey)

  const begun = await ask(page, 'APP_CONNECT_EMAIL', { email })
  const { matchCode = '' } = begun.result as { matchCode?: string }
  const approving = await begin(page, 'APP_CONNECT_DEVICE')
  const link = await context.newPage()
  await link.goto(await frame.readLink(email))
  await link.getByRole('textbox').fill(matchCode)
  await expectWhole(link, 'device link')
  await link.getByRole('button').click()
  await link.getByRole('heading', { name: 'Approved' }).waitFor()
  await expectWhole(link, 'approved device link')
  await link.close()
  await settle(page, approving)

  await page.bringToFront()
  const connecting = await begin(page, 'APP_CONNECT_OTP')
  await fillCode(inside(page), '000000')
  await text('wrong').waitFor()
  await expectWhole(page, 'code')
  await fillCode(inside(page), await frame.readCode(email))
  const printed = inside(page).getByRole('radio', { name: /Printed kit/ })
  await printed.waitFor()
  await expectWhole(page, 'recovery set-up')
  await button('Choose another').click()
  await printed.check()
  await expectWhole(page, 'recovery set-up with pictures')
  await button('Continue').click()
  await inside(page).locator('.kit span').nth(6).waitFor()
  await expectWhole(page, 'kit')
  await button('I’ve saved it').click()
  await inside(page).getByRole('textbox').fill('UUUU')
  await button('Continue').click()
  await text(/^That is not group/).waitFor()
  await expectWhole(page, 'group of the kit')
  await button('Show the kit again').click()
  kit = await keepKit(inside(page))
  await settle(page, connecting)
  address = ((await ask(page, 'APP_GET_USER')).result as { address: `0x${string}` }).address
})

test('behavior: the settings are whole in every form', async () => {
  await withPage('settings', async () => {
    for (const name of ['Sign out everywhere', /^Forget this browser/, /^Delete my data/])
      await button(name).click()
    await expectWhole(page, 'settings')
    await button(/^Your picture/).click()
    await inside(page).getByRole('radio').nth(23).waitFor()
    await expectWhole(page, 'picture')
    await ask(page, 'APP_CLOSE')
    await button('Sign out everywhere').waitFor()
  })
  await withPage('devices', async () => {
    await button('Rename').click()
    await expectWhole(page, 'devices')
  })
  await withPage('recovery', () => expectWhole(page, 'recovery'))
  await withPage('smart-account', () => expectWhole(page, 'smart account'))
  await withPage('export', () => expectWhole(page, 'recovery phrase'))
  await withPage('sign-ins', async () => {
    await expectWhole(page, 'sign-ins')
    const mails = await frame.countMails(email)
    await button('Add Google').click()
    await text('Enter the six digits').waitFor()
    await expectWhole(page, 'code of a step-up')
    await fillCode(inside(page), await frame.readCode(email, mails))
    await button('Continue with Google').waitFor()
    await expectWhole(page, 'provider')
    await ask(page, 'APP_CLOSE')
    await button('Add Google').waitFor()
  })
})

test('behavior: approvals are whole in every form', async () => {
  await forgetConsent(frame, page)
  const asked = await begin(page, 'APP_GET_USER')
  await button('Show').waitFor()
  await expectWhole(page, 'consent')
  await button('Show').click()
  await settle(page, asked)

  const reject = async (key: string) => {
    await button('Reject').click()
    await settle(page, key)
  }
  await setBalance(address, '0x8ac7230489e80000')
  for (const [method, params] of Object.entries(someRequests(frame, address))) {
    const key = await begin(page, 'APP_RPC_REQUEST', { method, params, chainId: 31337 })
    await inside(page).locator('.approval').waitFor()
    await expectWhole(page, method)
    if (method === 'eth_sendTransaction') {
      await button('Allow less').click()
      await inside(page).locator('.asked').getByRole('textbox').waitFor()
      await expectWhole(page, 'amount editor')
    }
    await reject(key)
  }
  const change = await begin(page, 'APP_UPDATE_EMAIL', { email: `new.${email}` })
  await inside(page).locator('.approval').waitFor()
  await expectWhole(page, 'change of the email address')
  await reject(change)
})

test('behavior: bringing a wallet to another browser is whole in every form', async () => {
  const other = await frame.embed(await openBrowser())
  await signIn(frame, other, email)
  await button('Use your printed kit', other).waitFor()
  await expectWhole(other, 'ways to recover')
  await button('Use your printed kit', other).click()
  await expectWhole(other, 'kit to type')
  await button('Back', other).click()
  await button('Approve on a device you already use', other).click()
  await text('On the other device, open', other).waitFor()
  await expectWhole(other, 'waiting for another device')
  await page.bringToFront()
  await withPage('devices', async () => {
    await button('Compare words').waitFor()
    await expectWhole(page, 'device that asks')
    await button('Compare words').click()
    await button('The words are the same').waitFor()
    await expectWhole(page, 'words of the device that asks')
    await other.bringToFront()
    await button('The words are the same', other).waitFor()
    await expectWhole(other, 'words')
  })
  await other.context().close()
})

test('behavior: recovery by email is whole in every form', async () => {
  const other = 'by.mail@screens.example.org'
  const owner = await frame.embed(await openBrowser())
  const creating = await signIn(frame, owner, other)
  await inside(owner)
    .getByRole('radio', { name: /^By email/ })
    .check()
  await button('Create my wallet', owner).click()
  await settle(owner, creating)

  const fresh = await frame.embed(await openBrowser())
  await signIn(frame, fresh, other)
  await button(/^By email/, fresh).waitFor()
  await expectWhole(fresh, 'recovery by email')
  const mails = await frame.countMails(other)
  await button(/^By email/, fresh).click()
  await fillCode(inside(fresh), await frame.readCode(other, mails))
  await text('Your wallet can be opened here after', fresh).waitFor()
  await expectWhole(fresh, 'recovery that waits')
  const warned = await frame.embed(owner.context())
  await text('A code from your email was used', warned).waitFor()
  await expectWhole(warned, 'warning of a recovery')
  for (const one of [owner, fresh]) await one.context().close()
})

test('behavior: windows are whole in every form', async () => {
  const tab = await openExport(frame, page, { email, kit })
  await tab.locator('.phrase').waitFor()
  await tab.getByRole('button', { name: 'Hold to see the words' }).focus()
  await tab.keyboard.down('Space')
  await tab.locator('.phrase li:not(:has-text("•"))').nth(23).waitFor()
  await expectWhole(tab, 'words of the phrase')
  await tab.keyboard.up('Space')
  await tab.getByRole('button', { name: 'Hide and forget' }).click()
  await tab.getByRole('heading', { name: 'Hidden and forgotten' }).waitFor()
  await expectWhole(tab, 'end of the phrase')
  const addresses = [
    'wallet#local',
    'export#local',
    'device',
    'undo',
    'passkey',
    'social',
    'approve',
  ]
  for (const path of addresses) {
    await tab.goto(`${frame.frameUrl}/${path}`)
    await tab.getByRole('heading').waitFor()
    await expectWhole(tab, path)
  }
  await tab.close()

  const script = await hideVisibility(context)
  const unproven = await frame.embed(context)
  const params = { method: 'personal_sign', params: ['Pay 1,234.56', address], chainId: 31337 }
  const asked = await begin(unproven, 'APP_RPC_REQUEST', params)
  await button('Open the window', unproven).waitFor()
  await expectWhole(unproven, 'approval that needs a window')
  const [popup] = await Promise.all([
    context.waitForEvent('page'),
    button('Open the window', unproven).click(),
  ])
  await popup.locator('.hold').waitFor()
  await expectWhole(popup, 'window of an approval')
  await button('Reject', unproven).click()
  await settle(unproven, asked)
  await unproven.close()
  await script.dispose()
})

test('behavior: replacing a wallet is whole in every form', async () => {
  await page.bringToFront()
  await withPage('fresh-wallet', async () => {
    await expectWhole(page, 'replacement')
    const mails = await frame.countMails(email)
    await button('Create a new wallet').click()
    await inside(page).locator('.box').first().waitFor()
    await fillCode(inside(page), await frame.readCode(email, mails))
    const fresh = await keepKit(inside(page))
    await button('Check the kit and move').waitFor()
    await inside(page).getByRole('textbox').fill(fresh)
    await expectWhole(page, 'kit of the replacement')
    await button('Check the kit and move').click()
    await inside(page).getByRole('region', { name: 'Your new wallet' }).waitFor()
    await inside(page).locator('[aria-busy="true"]').waitFor({ state: 'detached' })
    await expectWhole(page, 'both wallets')
  })
})
