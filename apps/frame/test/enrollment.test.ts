import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  approveLink,
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
})
afterAll(() => frame?.stop())

test('default: another browser is let in after a person found the words the same on both screens', async () => {
  const email = 'two@browsers.example'
  const [old, fresh] = [await frame.newContext(), await frame.newContext()]
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
  const words = await inside(here).locator('.words').textContent()
  expect(words).toMatch(/^\w+ \w+ \w+$/)
  await inside(there)
    .getByText(words ?? '')
    .waitFor()
  const same = (page: typeof here) =>
    inside(page).locator('button[aria-disabled="false"]', { hasText: 'The words are the same' })
  await same(there).click()
  await inside(there).getByText('Compare words').waitFor({ state: 'detached' })
  await same(here).click()
  expect(await settle(here, connecting)).toEqual({ result: {} })
  expect((await ask(here, 'APP_GET_USER')).result).toMatchObject({ address })

  await inside(there).locator('.device').nth(1).getByRole('button', { name: 'Remove' }).click()
  await inside(there).locator('.sure').getByRole('button', { name: 'Remove' }).click()
  await expect.poll(() => inside(there).locator('.device').count()).toBe(1)
  await ask(there, 'APP_CLOSE')
  await settle(there, opened)
  expect(await ask(here, 'APP_IS_CONNECTED')).toEqual({ result: { isConnected: false } })
  await Promise.all([old.close(), fresh.close()])
})
