import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  ask,
  begin,
  type FrameStack,
  fillCode,
  holdToApprove,
  inside,
  logIn,
  settle,
  startFrame,
} from './startFrame.ts'

let frame: FrameStack
beforeAll(async () => {
  frame = await startFrame()
})
afterAll(() => frame?.stop())

/** A page that holds the frame, with a signed-in user. */
async function signedIn(email: string) {
  const page = await frame.embed(await frame.newContext())
  await logIn(frame, page, email)
  return page
}
const shown = (page: Page) => inside(page).locator('.screen')
/**
 * Begins a change until its consent is shown: one mail may have to wait for the second after the
 * last.
 */
const askChange = async (page: Page, email: string) => {
  const asked = await begin(page, 'APP_UPDATE_EMAIL', { email })
  await inside(page).getByText('Change your email address?').waitFor()
  return asked
}
/** Agrees to a change of address; returns the page's response. */
async function agree(page: Page, email: string) {
  // One mail a second.
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  const asked = await askChange(page, email)
  await holdToApprove(page)
  return settle(page, asked)
}
const primary = 'APP_UPDATE_EMAIL_PRIMARY_OTP'
const secondary = 'APP_UPDATE_EMAIL_SECONDARY_OTP'
const target = (to: string) => `Change your email address to ${to}`

test('default: confirmed in the frame and by a code to each address; screens and mails name the new one', async () => {
  const [from, to] = ['before@example.org', 'after@example.org']
  const page = await signedIn(from)
  expect(await ask(page, primary)).toMatchObject({ code: 'EMAIL_CHANGE_ENDED' })
  const before = await frame.countMails(from)
  const asked = await askChange(page, to)
  await expect
    .poll(() => shown(page).textContent())
    .toMatch(/Change your email address toNew address\s*after@example\.org/)
  expect(await shown(page).textContent()).toContain(frame.hostUrl)
  // No email is sent before the user has agreed.
  expect(await frame.countMails(from)).toBe(before)
  await holdToApprove(page)
  expect((await settle(page, asked)).result).toMatchObject({ action: 'VERIFY_PRIMARY_OTP' })
  const first = await begin(page, primary)
  await inside(page).locator('.box').first().waitFor()
  expect(await shown(page).textContent()).toContain(target(to))
  const code = await frame.readCode(from, before)
  expect(await frame.readMail(from)).toContain(`Change your email address to\n\n${to}\n`)
  await fillCode(inside(page), code)
  expect(await settle(page, first)).toEqual({ result: {} })

  const second = await begin(page, secondary)
  await inside(page).locator('.box').first().waitFor()
  expect(await shown(page).textContent()).toContain(target(to))
  const last = await frame.readCode(to)
  expect(await frame.readMail(to)).toContain(`Change your email address to\n\n${to}\n`)
  await fillCode(inside(page), last)
  expect(await settle(page, second)).toEqual({ result: { newEmail: to } })
  const events = await page.evaluate(() => window.host.events)
  expect(events).toContainEqual(['FRAME_EMAIL', { email: to }])
  expect((await ask(page, 'APP_GET_USER')).result).toMatchObject({ email: to })
})

test('error: a page that swaps, races or hides the question changes nothing without consent', async () => {
  const from = 'target@example.org'
  const page = await signedIn(from)
  const before = await frame.countMails(from)
  // Asked, and closed by the page: no mail, and nothing to enter a code for.
  const closed = await askChange(page, 'thief@example.org')
  await ask(page, 'APP_CLOSE')
  expect(await settle(page, closed)).toMatchObject({ code: 'USER_REJECTED' })
  expect(await ask(page, primary)).toMatchObject({ code: 'EMAIL_CHANGE_ENDED' })

  // Covered, it cannot be agreed to.
  const covered = await askChange(page, 'thief@example.org')
  await inside(page).locator('.hold[data-open="true"]').waitFor()
  await page.evaluate(() => {
    const cover = document.createElement('div')
    cover.id = 'cover'
    cover.style.cssText = 'position:fixed;inset:0 0 40% 0;background:#fff'
    document.body.append(cover)
  })
  await inside(page).locator('.hold[data-open="false"]').waitFor()
  await page.evaluate(() => document.querySelector('#cover')?.remove())
  // A second question waits for the first, and takes its place.
  const other = await begin(page, 'APP_UPDATE_EMAIL', { email: 'other@example.org' })
  await holdToApprove(page)
  expect(await settle(page, covered)).toMatchObject({ code: 'EMAIL_CHANGE_ENDED' })
  await inside(page).getByText('other@example.org').waitFor()
  await ask(page, 'APP_CLOSE')
  expect(await settle(page, other)).toMatchObject({ code: 'USER_REJECTED' })
  expect(await frame.countMails(from)).toBe(before)

  // The owner agrees to their own address and gets its email; in between, the page requests another
  // address.
  await agree(page, 'own@example.org')
  const code = await frame.readCode(from, before)
  expect(await frame.readMail(from)).toContain('own@example.org')
  const swapped = await askChange(page, 'thief@example.org')
  await ask(page, 'APP_CLOSE')
  await settle(page, swapped)
  expect(await ask(page, primary)).toMatchObject({ code: 'EMAIL_CHANGE_ENDED' })
  // Even agreed to, it takes the code whose mail names it.
  expect((await agree(page, 'thief@example.org')).result).toBeDefined()
  const entering = await begin(page, primary)
  await inside(page).locator('.box').first().waitFor()
  expect(await shown(page).textContent()).toContain(target('thief@example.org'))
  await fillCode(inside(page), code)
  await inside(page).getByText('This code is wrong').waitFor()
  await ask(page, 'APP_CLOSE')
  expect(await settle(page, entering)).toMatchObject({ code: 'USER_REJECTED' })
  expect((await ask(page, 'APP_GET_USER')).result).toMatchObject({ email: from })
  expect(await frame.countMails('thief@example.org')).toBe(0)
})

test('param: email: an address is shown whole, and as what it is', async () => {
  const page = await signedIn('shown@example.org')
  for (const email of [
    'ann@exam\u202eple.org',
    'ann\u200b@example.org',
    'ann chen@example.org',
    'a@b@c.org',
    'a@b.org/x',
  ])
    expect([email, await ask(page, 'APP_UPDATE_EMAIL', { email })]).toMatchObject([
      email,
      { code: 'EMAIL_INVALID' },
    ])
  // Cyrillic letters that look like Latin ones.
  const alike = await askChange(page, 'Ann@аррӏе.org')
  await inside(page).getByText('ann@xn--80ak6aa92e.org', { exact: true }).waitFor()
  await inside(page).getByText('It may look like another address').waitFor()
  await ask(page, 'APP_CLOSE')
  await settle(page, alike)
  const umlaut = await askChange(page, 'Ännchen@example.org')
  await inside(page).getByText('ännchen@example.org', { exact: true }).waitFor()
  await inside(page).getByText('The part before @ contains letters').waitFor()
  await ask(page, 'APP_CLOSE')
  await settle(page, umlaut)
  const long = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.org`
  const whole = await askChange(page, long)
  const text = inside(page).getByText(long, { exact: true })
  await text.waitFor()
  const fits = await text.evaluate((element) => element.scrollWidth <= element.clientWidth)
  expect(fits).toBe(true)
  await ask(page, 'APP_CLOSE')
  await settle(page, whole)
})
