import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coverFrame, covers, flashHeight, uncoverFrame } from './coverFrame.ts'
import {
  approveLink,
  ask,
  begin,
  type FrameStack,
  fillCode,
  forgetConsent,
  holdToApprove,
  inside,
  logIn,
  readOn,
  settle,
  startFrame,
} from './startFrame.ts'
import { approveIn, hideVisibility, openWindow } from './windows/openWindow.ts'

let frame: FrameStack

beforeAll(async () => {
  frame = await startFrame(['identity'])
})
afterAll(() => frame?.stop())

/** Nothing counts while the page hides the button. */
async function countsOnlyInSight(page: Page, button: Locator, how = 'a transparent overlay') {
  const is = async (shut: boolean) =>
    expect.poll(() => button.getAttribute('aria-disabled'), { timeout: 120_000 }).toBe(String(shut))
  await is(false)
  await coverFrame(page, covers[how] ?? '')
  await is(true)
  await button.evaluate((element: HTMLElement) => element.click())
  await button.dispatchEvent('click')
  await uncoverFrame(page)
  await is(false)
}

test('clickjacking: choosing a tier, consent, linking and signing out count only while they are seen', async () => {
  const page = await frame.embed(await frame.newContext())
  const button = (name: string | RegExp) => inside(page).getByRole('button', { name })
  await logIn(frame, page, 'gates@example.org', {
    onSetup: () => countsOnlyInSight(page, button('Create my wallet'), 'opacity .99'),
  })
  await forgetConsent(frame, page)
  const asked = await begin(page, 'APP_GET_USER')
  await button('Show').waitFor()
  const hiding = [
    'an overlay that lets clicks through',
    'a filter',
    'a scale',
    'being scrolled off',
  ]
  for (const how of hiding) await countsOnlyInSight(page, button('Show'), how)
  // Held down for something else, a key does not count.
  await inside(page).locator('.screen').focus()
  await page.keyboard.down('Enter')
  await button('Show').focus()
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  expect(await button('Show').count()).toBe(1)
  await page.keyboard.press('Enter')
  expect((await settle(page, asked)).result).toMatchObject({ email: 'gates@example.org' })

  await begin(page, 'APP_OPEN', { page: 'sign-ins' })
  await countsOnlyInSight(page, button('Add Google'))
  await ask(page, 'APP_CLOSE')
  await begin(page, 'APP_OPEN', { page: 'settings' })
  await button('Sign out everywhere').click()
  await countsOnlyInSight(page, inside(page).locator('.sure .gated button'))
})

/** Renders the page on a phone of 320 × 480, for a user who needs a font size of `px`. */
async function enlarge(page: Page, px: number) {
  await page.addStyleTag({
    content: '#frame { width: 320px !important; height: 412px !important }',
  })
  await page.frames()[1]?.evaluate((size) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`* { font-size: ${size}px !important; line-height: 1.2 !important }`)
    document.adoptedStyleSheets = [sheet]
  }, px)
}

test('behavior: in a window of 320 × 480 and at any font size, reading part by part enables the button', async () => {
  const context = await frame.newContext({ viewport: { width: 320, height: 480 } })
  const page = await frame.embed(context)
  const isShut = (button: Locator) => button.getAttribute('aria-disabled')
  const button = (name: string) => inside(page).getByRole('button', { name })
  const onSetup = async () => {
    await enlarge(page, 60)
    const go = button('Create my wallet')
    const { height = 0 } = (await go.boundingBox()) ?? {}
    expect(height).toBeGreaterThan(150)
    // Scrolls straight to the end: the user has not read the part in between.
    await inside(page)
      .locator('.screen')
      .evaluate((box) => box.scrollTo(0, box.scrollHeight))
    await page.waitForTimeout(1_500)
    expect(await isShut(go)).toBe('true')
    // Nor after a page has made the frame as high as all of it for a moment.
    await inside(page)
      .locator('.screen')
      .evaluate((box) => box.scrollTo(0, 0))
    await page.waitForTimeout(500)
    await flashHeight(page)
    await inside(page)
      .locator('.screen')
      .evaluate((box) => box.scrollTo(0, box.scrollHeight))
    await page.waitForTimeout(1_500)
    expect(await isShut(go)).toBe('true')
    await inside(page)
      .locator('.screen')
      .evaluate((box) => box.scrollTo(0, 0))
    await readOn(page, '.screen')
    await expect.poll(() => isShut(go), { timeout: 120_000 }).toBe('false')
    // A page that makes the frame lower than a person can read in gets nothing.
    const low = await page.addStyleTag({ content: '#frame { height: 300px !important }' })
    await expect.poll(() => isShut(go), { timeout: 120_000 }).toBe('true')
    await low.evaluate((style) => (style as Element).remove())
    await readOn(page, '.screen')
    await expect.poll(() => isShut(go), { timeout: 120_000 }).toBe('false')
    await enlarge(page, 15)
  }
  await logIn(frame, page, 'large@letters.example', { onSetup })

  await enlarge(page, 15)
  const consent = await begin(page, 'APP_GET_USER')
  const { result } = await settle(page, consent)
  const { address } = result as { address: string }

  // A button higher than the window.
  await enlarge(page, 120)
  await begin(page, 'APP_OPEN', { page: 'devices' })
  await inside(page).getByText('This browser').waitFor()
  await ask(page, 'APP_CLOSE')

  for (const px of [15, 32]) {
    await enlarge(page, px)
    const text = 'All of this has to be read. '.repeat(30)
    const params = [text, address]
    const asked = await begin(page, 'APP_RPC_REQUEST', {
      method: 'personal_sign',
      params,
      chainId: 31337,
    })
    await inside(page).locator('.approval').waitFor()
    expect(await inside(page).locator('.hold').getAttribute('data-open')).toBe('false')
    await readOn(page, '.asked')
    await readOn(page, '.approval')
    await holdToApprove(page)
    expect((await settle(page, asked)).result).toMatch(/^0x/)
  }
  await context.close()
})

/**
 * Two browsers of a new user, the second of which asks the first for the wallet: both show the same
 * words. `prepare` is done in each before it opens a page.
 */
async function askForWallet(
  email: string,
  prepare: (context: BrowserContext) => Promise<unknown> = async () => {},
) {
  const [old, fresh] = [await frame.newContext(), await frame.newContext()]
  await Promise.all([prepare(old), prepare(fresh)])
  const there = await frame.embed(old)
  await logIn(frame, there, email)
  const { address } = (await ask(there, 'APP_GET_USER')).result as { address: string }

  const here = await frame.embed(fresh)
  const mails = await frame.countMails(email)
  const begun = await ask(here, 'APP_CONNECT_EMAIL', { email })
  const { matchCode = '' } = begun.result as { matchCode?: string }
  const waiting = await begin(here, 'APP_CONNECT_DEVICE')
  await expect.poll(() => frame.countMails(email)).toBeGreaterThan(mails)
  await approveLink(frame, fresh, { email, matchCode })
  await settle(here, waiting)
  const connecting = await begin(here, 'APP_CONNECT_OTP')
  await fillCode(inside(here), await frame.readCode(email, mails))
  await inside(here).getByRole('button', { name: 'Approve on a device you already use' }).click()

  const opened = await begin(there, 'APP_OPEN', { page: 'devices' })
  await inside(there).getByRole('button', { name: 'Compare words' }).click()
  const words = (await inside(here).locator('.words').textContent()) ?? ''
  expect(words).toMatch(/^\w+ \w+ \w+$/)
  await inside(there).getByText(words).waitFor()
  const same = (page: Page) => inside(page).getByRole('button', { name: 'The words are the same' })
  /** Ends the requests of both pages: the new device has the wallet until it is removed. */
  const finish = async (remove: () => Promise<void>) => {
    expect(await settle(here, connecting)).toEqual({ result: {} })
    expect((await ask(here, 'APP_GET_USER')).result).toMatchObject({ address })
    await remove()
    await expect.poll(() => inside(there).locator('.device').count()).toBe(1)
    await ask(there, 'APP_CLOSE')
    await settle(there, opened)
    expect(await ask(here, 'APP_IS_CONNECTED')).toEqual({ result: { isConnected: false } })
    await Promise.all([old.close(), fresh.close()])
  }
  const remove = () =>
    inside(there).locator('.device').nth(1).getByRole('button', { name: 'Remove' }).click()
  const sure = inside(there).locator('.sure').getByRole('button', { name: 'Remove' })
  return { there, here, words, same, remove, sure, finish }
}

test('default: another browser is let in after a person found the words the same on both screens', async () => {
  const { there, here, same, remove, sure, finish } = await askForWallet('two@browsers.example')
  await countsOnlyInSight(there, same(there))
  await same(there).click()
  await inside(there).getByText('Compare words').waitFor({ state: 'detached' })
  await same(here).click()
  await finish(async () => {
    await remove()
    await countsOnlyInSight(there, sure)
    await sure.click()
  })
})

/** Gives this browser another name. */
async function rename(page: Page, name: string): Promise<void> {
  await begin(page, 'APP_OPEN', { page: 'devices' })
  const own = inside(page).locator('.device', { hasText: 'This browser' })
  await own.getByRole('button', { name: 'Rename' }).click()
  const field = own.getByRole('textbox')
  await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
  await field.fill(name)
  await own.getByRole('button', { name: 'Save' }).click()
}

test('unproven visibility: without proof of visibility, devices are added and removed in a popup', async () => {
  const { there, here, words, same, remove, sure, finish } = await askForWallet(
    'two@windows.example',
    hideVisibility,
  )
  // A press in the frame hands over nothing, however long it has been there: the window shows what
  // it is about.
  const first = await openWindow(there, same(there))
  const asked = (await first.locator('.asked').textContent()) ?? ''
  for (const part of [words, 'Device that gets your wallet', 'Chrome'])
    expect(asked).toContain(part)
  expect(await first.locator('.origin').textContent()).toBe(frame.hostUrl)
  await first.getByRole('button', { name: 'Reject' }).click()
  await inside(there).getByText('Waiting for the window').waitFor({ state: 'detached' })
  const second = await openWindow(there, same(there))
  await second.close()
  await inside(there).getByText('The window closed before you decided').waitFor()
  // Both still wait for an answer.
  await same(there).waitFor()
  await approveIn(await openWindow(there, same(there)))
  await inside(there).getByText('Compare words').waitFor({ state: 'detached' })
  const accepting = await openWindow(here, same(here))
  expect(await accepting.locator('.asked').textContent()).toContain(words)
  await approveIn(accepting)
  await finish(async () => {
    await remove()
    // Another name is another question, for which the window that is open cannot answer.
    const outdated = await openWindow(there, sure)
    const gone = outdated.waitForEvent('close')
    await rename(here, 'Renamed meanwhile')
    await gone
    const removing = await openWindow(there, sure)
    const named = await removing.locator('.asked').textContent()
    for (const part of ['Device that loses your wallet', 'Renamed meanwhile'])
      expect(named).toContain(part)
    expect(await inside(there).locator('.device').count()).toBe(2)
    await approveIn(removing)
  })
})
