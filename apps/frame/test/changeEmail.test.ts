import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  ask,
  begin,
  type FrameStack,
  fillCode,
  inside,
  logIn,
  settle,
  startFrame,
} from './startFrame.ts'

let frame: FrameStack
beforeAll(async () => {
  frame = await startFrame()
}, 120_000)
afterAll(() => frame?.stop())

test('default: a code to the old address and one to the new change it; the page is told', async () => {
  const [from, to] = ['before@example.org', 'after@example.org']
  const page = await frame.embed(await frame.newContext())
  await logIn(frame, page, from)
  expect(await ask(page, 'APP_UPDATE_EMAIL_PRIMARY_OTP')).toMatchObject({
    code: 'EMAIL_CHANGE_ENDED',
  })

  const before = await frame.countMails(from)
  // The login has had its own mail; the next may have to wait.
  const begun = async () => (await ask(page, 'APP_UPDATE_EMAIL', { email: to })).result
  await expect
    .poll(begun, { timeout: 45_000, interval: 200 })
    .toMatchObject({ action: 'VERIFY_PRIMARY_OTP' })
  const primary = await begin(page, 'APP_UPDATE_EMAIL_PRIMARY_OTP')
  await fillCode(inside(page), await frame.readCode(from, before))
  expect(await settle(page, primary)).toEqual({ result: {} })

  const secondary = await begin(page, 'APP_UPDATE_EMAIL_SECONDARY_OTP')
  await fillCode(inside(page), await frame.readCode(to))
  expect(await settle(page, secondary)).toEqual({ result: { newEmail: to } })
  const events = await page.evaluate(() => window.host.events)
  expect(events).toContainEqual(['FRAME_EMAIL', { email: to }])
  expect((await ask(page, 'APP_GET_USER')).result).toMatchObject({ email: to })
}, 120_000)
