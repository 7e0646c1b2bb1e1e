import { mayClose } from '@latchkey/dev'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { delegateAddress } from '../../src/smartAccount.ts'
import {
  ask,
  begin,
  type FrameStack,
  fillCode,
  forgetConsent,
  inside,
  keepKit,
  logIn,
  settle,
  signIn,
  startFrame,
} from '../startFrame.ts'
import {
  approveIn,
  cutWindows,
  hideVisibility,
  openCovered,
  openWindow,
  readAsked,
  rejectIn,
} from './openWindow.ts'

let frame: FrameStack
/** The browser of a test, and its page. */
let context: BrowserContext
let page: Page
/** A browser in which `email` is signed in, for tests that change nothing of that account. */
let owner: BrowserContext
const email = 'owner@windows.example'

beforeAll(async () => {
  frame = await startFrame(['identity'])
  owner = await frame.newContext()
  await hideVisibility(owner)
  page = await frame.embed(owner)
  await logIn(frame, page, email)
  await page.close()
})
afterAll(() => frame?.stop())
afterEach(async () => {
  await Promise.all(owner.pages().map((one) => one.close()))
  if (context !== owner) await context?.close()
})

/** Opens a page in a new browser, in which `newcomer` signs in if it is given. */
async function openNew(newcomer?: string): Promise<void> {
  context = await frame.newContext()
  await hideVisibility(context)
  page = await frame.embed(context)
  if (newcomer) await logIn(frame, page, newcomer)
}

/** Opens a page in the browser of the owner. */
async function openOwned(): Promise<void> {
  context = owner
  page = await frame.embed(context)
}

const button = (name: string | RegExp) => inside(page).getByRole('button', { name })
const isAnswered = (key: string) => page.evaluate((key) => window.host.answers[key], key)
const left = 'The window closed before you decided'

async function rpc(method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(frame.stack.urls.rpc['eip155:31337'], {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await response.json()) as { result: unknown }).result
}

/** Confirms the step-up that stands on the screen, whose code was mailed after `mails` others. */
async function confirm(email: string, mails: number): Promise<void> {
  await inside(page).getByText('Enter the six digits').waitFor()
  await fillCode(inside(page), await frame.readCode(email, mails))
}

test('unproven visibility: a site gets the account only after a confirmation in a popup', async () => {
  await openOwned()
  await forgetConsent(frame, page)
  const first = await begin(page, 'APP_GET_USER')
  const asking = await openCovered(page, button('Show'))
  const asked = await readAsked(asking)
  for (const part of ['This site sees', 'The addresses of your wallet', 'Your email address'])
    expect(asked).toContain(part)
  expect(await asking.locator('.origin').textContent()).toBe(frame.hostUrl)
  expect(await asking.getByRole('img', { name: /^Your picture: / }).count()).toBe(1)
  expect(await isAnswered(first)).toBe(undefined)
  await rejectIn(asking)
  expect(await settle(page, first)).toMatchObject({ code: 'USER_REJECTED' })

  const second = await begin(page, 'APP_GET_USER')
  const closed = await openWindow(page, button('Show'))
  await closed.close()
  await inside(page).getByText(left).waitFor()
  expect(await isAnswered(second)).toBe(undefined)
  await approveIn(await openWindow(page, button('Show')))
  expect((await settle(page, second)).result).toMatchObject({ email })
})

test('unproven visibility: the operator’s help is confirmed in a popup, which another choice closes', async () => {
  await openNew()
  const connecting = await signIn(frame, page, 'tier@windows.example')
  const way = (name: RegExp) => inside(page).getByRole('radio', { name })
  await way(/^By email/).check()
  const rejected = await openCovered(page, button('Create my wallet'))
  const asked = await readAsked(rejected)
  for (const part of ['The operator', 'could sign for you', 'Your mailbox'])
    expect(asked).toContain(part)
  // The picture that is chosen on the screen, although nothing is stored yet.
  const drawn = rejected.getByRole('img', { name: /^Your picture: / })
  const picture = (await drawn.getAttribute('aria-label')) ?? ''
  expect(picture).not.toBe('')
  await inside(page).getByText(picture).first().waitFor()
  await rejectIn(rejected)
  await inside(page).getByText('Waiting for the window').waitFor({ state: 'detached' })
  const outdated = await openWindow(page, button('Create my wallet'))
  const gone = outdated.waitForEvent('close')
  await way(/^Printed kit/).check()
  await gone
  expect(await inside(page).locator('.kit').count()).toBe(0)
  expect(await isAnswered(connecting)).toBe(undefined)
  // A kit is typed, so no window asks for it.
  await button('Continue').waitFor()
  await way(/^By email/).check()
  await approveIn(await openWindow(page, button('Create my wallet')))
  expect(await settle(page, connecting)).toEqual({ result: {} })
})

test('unproven visibility: a sign-in is added and removed only after a window has named it', async () => {
  const email = 'links@windows.example'
  await openNew(email)
  await begin(page, 'APP_OPEN', { page: 'sign-ins' })
  const adding = await openCovered(page, button('Add Google'))
  const added = await readAsked(adding)
  for (const part of ['Signs in to your account', 'Google']) expect(added).toContain(part)
  let mails = await frame.countMails(email)
  await rejectIn(adding)
  await inside(page).getByText('Waiting for the window').waitFor({ state: 'detached' })
  await approveIn(await openWindow(page, button('Add Google')))
  await confirm(email, mails)
  const [provider] = await Promise.all([
    context.waitForEvent('page'),
    button('Continue with Google').click(),
  ])
  await provider.getByLabel('Somebody else').fill('linked.somebody')
  await mayClose(provider.getByRole('button', { name: 'Sign in', exact: true }).click())
  const row = inside(page).locator('.device', { hasText: 'Google' })
  const remove = row.getByRole('button', { name: 'Remove' })
  await remove.waitFor()

  mails = await frame.countMails(email)
  const removing = await openCovered(page, remove)
  const removed = await readAsked(removing)
  for (const part of ['No longer signs in', 'Google', 'Linked.somebody'])
    expect(removed).toContain(part)
  await rejectIn(removing)
  await inside(page).getByText('Waiting for the window').waitFor({ state: 'detached' })
  expect(await row.count()).toBe(1)
  expect(await frame.countMails(email)).toBe(mails)
  await approveIn(await openWindow(page, remove))
  await inside(page).getByText('Remove the sign-in at Google').waitFor()
})

test('unproven visibility: a way to recover is removed only after a window has named it', async () => {
  const email = 'ways@windows.example'
  await openNew(email)
  await begin(page, 'APP_OPEN', { page: 'recovery' })
  let mails = await frame.countMails(email)
  await button('Add a printed kit').click()
  await confirm(email, mails)
  await keepKit(inside(page))
  const ways = inside(page).locator('.device')
  await expect.poll(() => ways.count()).toBe(2)
  const remove = ways.first().getByRole('button', { name: 'Remove' })
  mails = await frame.countMails(email)
  const removing = await openCovered(page, remove)
  const asked = await readAsked(removing)
  for (const part of ['No longer recovers your wallet', 'Printed kit'])
    expect(asked).toContain(part)
  await rejectIn(removing)
  await inside(page).getByText('Waiting for the window').waitFor({ state: 'detached' })
  expect(await frame.countMails(email)).toBe(mails)
  await approveIn(await openWindow(page, remove))
  await confirm(email, mails)
  await expect.poll(() => ways.count()).toBe(1)
})

test('unproven visibility: the smart account is used, left and turned off only after a window has asked', async () => {
  await openNew('smart@windows.example')
  const { address } = (await ask(page, 'APP_GET_USER')).result as { address: string }
  await rpc('anvil_setBalance', [address, '0xde0b6b3a7640000'])
  await rpc('anvil_setCode', [address, `0xef0100${delegateAddress.slice(2)}`])
  await begin(page, 'APP_OPEN', { page: 'smart-account' })
  const isOn = inside(page).getByText('Your smart account sends batches')
  const isOff = inside(page).getByText('Your smart account is not in use')
  const stopping = await openCovered(page, button('Pause smart account'))
  expect(await readAsked(stopping)).toContain('One step at a time, and you pay each fee')
  await rejectIn(stopping)
  await isOn.waitFor()
  await approveIn(await openWindow(page, button('Pause smart account')))
  await isOff.waitFor()
  const starting = await openCovered(page, button('Use the smart account'))
  expect(await readAsked(starting)).toContain('Several steps at once')
  await rejectIn(starting)
  await isOff.waitFor()
  await approveIn(await openWindow(page, button('Use the smart account')))
  await isOn.waitFor()

  const turnOff = button(/^Remove it from /)
  const ending = await openCovered(page, turnOff)
  const asked = await readAsked(ending)
  const network = ((await turnOff.textContent()) ?? '').replace('Remove it from ', '')
  for (const part of [
    'Your address stops delegating on',
    network,
    'pays its fee',
    'the operator may send it',
  ])
    expect(asked).toContain(part)
  await rejectIn(ending)
  expect(await rpc('eth_getTransactionCount', [address, 'latest'])).toBe('0x0')
  await approveIn(await openWindow(page, turnOff))
  await inside(page).getByText('It is not turned on for your address').waitFor()
  expect(await rpc('eth_getCode', [address, 'latest'])).toBe('0x')
})

test('blocked popup: a page that cuts off popups gets the account through the server', async () => {
  await openOwned()
  await forgetConsent(frame, page)
  await page.close()
  const script = await cutWindows(context)
  onTestFinished(() => script.dispose())
  page = await frame.embed(context)
  const refused = await begin(page, 'APP_GET_USER')
  const first = await openWindow(page, button('Show'))
  expect(await first.evaluate(() => window.opener)).toBe(null)
  await rejectIn(first)
  expect(await settle(page, refused)).toMatchObject({ code: 'USER_REJECTED' })
  const asked = await begin(page, 'APP_GET_USER')
  await approveIn(await openWindow(page, button('Show')))
  expect((await settle(page, asked)).result).toMatchObject({ email })
})

test('behavior: a second press opens no other window, and what is decided in the first counts', async () => {
  await openOwned()
  await forgetConsent(frame, page)
  const asked = await begin(page, 'APP_GET_USER')
  const opening = context.waitForEvent('page')
  await button('Show').dblclick()
  const popup = await opening
  await popup.locator('.hold').waitFor()
  await button('Show').click()
  expect(context.pages().length).toBe(2)
  await approveIn(popup)
  expect((await settle(page, asked)).result).toMatchObject({ email })
})

test('unproven visibility: a browser forgets its part of the key only after a window has asked', async () => {
  await openNew('forget@windows.example')
  await begin(page, 'APP_OPEN', { page: 'settings' })
  await button(/^Forget this browser/).click()
  const forgetting = await openCovered(page, button('Confirm'))
  const asked = await readAsked(forgetting)
  for (const part of ['Deleted', 'Its part of the key', 'your wallet is lost'])
    expect(asked).toContain(part)
  await rejectIn(forgetting)
  expect(await ask(page, 'APP_IS_CONNECTED')).toEqual({ result: { isConnected: true } })
  await approveIn(await openWindow(page, button('Confirm')))
  await expect.poll(() => ask(page, 'APP_IS_CONNECTED')).toEqual({ result: { isConnected: false } })
})

test('behavior: in a right-to-left page, a window is right-to-left too, and secondary text is no caution', async () => {
  await openOwned()
  await begin(page, 'APP_OPEN', { page: 'smart-account' })
  const read = async (direction: 'ltr' | 'rtl') => {
    await ask(page, 'APP_SYNC_THEME', { direction })
    const asking = await openWindow(page, button('Pause smart account'))
    const align = (part: string) =>
      asking.locator(part).evaluate((element) => getComputedStyle(element).textAlign)
    const sides = await Promise.all(['.origin', 'h1', 'dt', 'dd', '.notice'].map(align))
    const level = await asking.locator('.notice').getAttribute('data-level')
    await rejectIn(asking)
    return { sides, level }
  }
  const [left, right] = ['left', 'right'] as const
  expect(await read('ltr')).toEqual({ sides: [left, left, left, right, left], level: 'note' })
  expect(await read('rtl')).toEqual({ sides: [right, right, right, left, right], level: 'note' })
})

test('error: if the code of the window does not load, nothing can be pressed, and the screen reports it', async () => {
  await openOwned()
  await page.route(/\/WindowButton-[^/]*\.js$/, (route) => route.abort())
  await begin(page, 'APP_OPEN', { page: 'sign-ins' })
  await inside(page).getByText('This did not load').first().waitFor()
  expect(await button('Add Google').getAttribute('aria-disabled')).toBe('true')
  await button('Add Google').click({ force: true })
  await ask(page, 'APP_CLOSE')
  await begin(page, 'APP_OPEN', { page: 'settings' })
  await button(/^Forget this browser/).waitFor()
  expect(context.pages().length).toBe(1)
})
