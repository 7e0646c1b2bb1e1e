import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  approveLink,
  ask,
  type FrameStack,
  fillCode,
  inside,
  keepKit,
  logIn,
  settle,
  signIn,
  startFrame,
} from '../startFrame.ts'

let frame: FrameStack
beforeAll(async () => {
  frame = await startFrame()
})
afterAll(() => frame?.stop())

// As where third-party storage is blocked: even looking throws, in the frame and in its worker.
const broken = `Object.defineProperty(globalThis, 'indexedDB', { get() { throw new DOMException('no', 'SecurityError') } });`

/**
 * A browser that stores nothing for frames of other sites, and stores what pages of the same site
 * keep.
 */
async function openBrowser(): Promise<BrowserContext> {
  // High enough that the choice of a recovery is in sight with its button.
  const context = await frame.newContext({ viewport: { width: 900, height: 1400 } })
  await context.addInitScript(`if (window.top !== window) ${broken}`)
  // The first worker is the frame's, which keeps it as long as it stores nothing.
  await context.route(
    '**/keyWorker-*.js',
    async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: broken + (await response.text()) })
    },
    { times: 1 },
  )
  return context
}

const button = (tab: Page, name: string) => tab.getByRole('button', { name, exact: true })

/** Presses a button, which counts only once it has been in sight, until something is shown. */
async function pressUntil(tab: Page, name: string, shown: string): Promise<void> {
  const target = tab.locator(shown).first()
  const pressable = tab.locator('button:enabled:not([aria-disabled="true"])', { hasText: name })
  for (;;) {
    await target.or(pressable).first().waitFor()
    if (await target.isVisible()) return
    await pressable.click({ timeout: 5_000 }).catch(() => {})
    await tab.waitForTimeout(200)
  }
}

/** Signs in on the wallet's own page, as in another browser. */
async function signInThere(tab: Page, email: string): Promise<void> {
  await tab.getByRole('textbox').fill(email)
  // Until the next email may be sent, the page shows the remaining time.
  await pressUntil(tab, 'Continue', '.words')
  const mails = await frame.countMails(email)
  const matchCode = (await tab.locator('.words').textContent())?.trim() ?? ''
  await approveLink(frame, tab.context(), { email, matchCode })
  // The mail with the link has the code.
  await fillCode(tab, await frame.readCode(email, mails - 1))
}

test('lost storage: a notice precedes the wallet, which a window of the wallet’s site creates and keeps', async () => {
  const email = 'volatile@browsers.example'
  const context = await openBrowser()
  const page = await frame.openHost(context)
  await page.evaluate((address) => window.embed(address), frame.address)
  const connecting = await signIn(frame, page, email)
  await inside(page).getByText('stores nothing for the wallet on this page').waitFor()
  const { host } = new URL(frame.frameUrl)
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    inside(page)
      .getByRole('button', { name: `Open ${host}` })
      .click(),
  ])
  await signInThere(tab, email)
  await pressUntil(tab, 'Continue', '[data-view="recovery-setup"]')
  expect(await tab.getByText('stores nothing').count()).toBe(0)
  await tab.getByRole('radio', { name: /Printed kit/ }).check()
  await pressUntil(tab, 'Continue', '.kit span')
  await keepKit(tab)
  await tab.getByText('This browser keeps your wallet here').waitFor()

  // The frame gets the wallet from the window.
  await page.bringToFront()
  await inside(page).getByRole('button', { name: 'I’ve created it there' }).click()
  await inside(page).getByRole('button', { name: 'Approve on a device you already use' }).click()
  await tab.bringToFront()
  await button(tab, 'Compare words').click()
  await pressUntil(tab, 'The words are the same', 'main:not(:has(section.card))')
  await page.bringToFront()
  await inside(page).getByRole('button', { name: 'The words are the same' }).click()
  expect(await settle(page, connecting)).toEqual({ result: {} })

  // Opened again, the window still has the login and the wallet.
  await tab.close()
  const again = await context.newPage()
  await again.goto(`${frame.frameUrl}/wallet#local`)
  await pressUntil(again, 'Continue', 'text=This browser keeps your wallet here')
  expect(await again.locator('[data-view]').count()).toBe(0)
  await context.close()
})

/**
 * Brave's addition to Chromium. The test itself deletes the storage, like Brave does after the
 * visit.
 */
const brave = 'Navigator.prototype.brave = { isBrave: async () => true };'

/** Closes the page, and deletes the partition of its frame in pages of this site. */
async function endVisit(page: Page): Promise<void> {
  const context = page.context()
  const [, embedded] = page.frames()
  if (!embedded) throw new Error('no frame')
  const inFrame = await context.newCDPSession(embedded)
  const { frameTree } = await inFrame.send('Page.getFrameTree')
  const asked = { frameId: frameTree.frame.id }
  const { storageKey } = await inFrame.send('Storage.getStorageKeyForFrame', asked)
  expect(storageKey).toContain('^')
  await page.close()
  const tab = await context.newPage()
  const browser = await context.newCDPSession(tab)
  await browser.send('Storage.clearDataForStorageKey', { storageKey, storageTypes: 'all' })
  await tab.close()
}

test('lost storage: after the visit ends, the user signs in again and gets the same wallet back', async () => {
  const email = 'visit@browsers.example'
  const context = await frame.newContext({ viewport: { width: 900, height: 1400 } })
  await context.addInitScript(brave)
  const page = await frame.embed(context)
  const kit = await logIn(frame, page, email, {
    onSetup: () => inside(page).getByText('when you close the page or the browser').waitFor(),
  })
  const user = await ask(page, 'APP_GET_USER')
  expect(user).toMatchObject({ result: { email } })
  await endVisit(page)

  const back = await frame.embed(context)
  expect(await ask(back, 'APP_IS_CONNECTED')).toEqual({ result: { isConnected: false } })
  expect(await ask(back, 'APP_GET_USER')).toMatchObject({ code: 'SIGNED_OUT' })
  const connecting = await signIn(frame, back, email)
  // Not the set-up of another wallet.
  await inside(back).locator('[data-view="recover"]').waitFor()
  await inside(back).getByText('when you close the page or the browser').waitFor()
  const { host } = new URL(frame.frameUrl)
  await inside(back)
    .getByRole('button', { name: `Open ${host}` })
    .waitFor()
  await inside(back).getByRole('button', { name: 'Use your printed kit' }).click()
  await inside(back).getByRole('textbox').fill(kit)
  await inside(back).getByRole('button', { name: 'Open with the kit' }).click()
  expect(await settle(back, connecting)).toEqual({ result: {} })
  expect(await ask(back, 'APP_GET_USER')).toEqual(user)
  await context.close()
})

test('lost storage: a browser that keeps the storage of frames shows no notice', async () => {
  const context = await frame.newContext({ viewport: { width: 900, height: 1400 } })
  const page = await frame.embed(context)
  await logIn(frame, page, 'kept@browsers.example', {
    onSetup: async () => {
      await inside(page)
        .getByRole('radio', { name: /Printed kit/ })
        .waitFor()
      expect(await inside(page).getByRole('note').count()).toBe(0)
    },
  })
  await context.close()
})
