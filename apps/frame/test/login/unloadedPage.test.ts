import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  approveLink,
  ask,
  begin,
  type FrameStack,
  fillCode,
  inside,
  settle,
  startFrame,
} from '../startFrame.ts'

let frame: FrameStack
beforeAll(async () => {
  frame = await startFrame()
})
afterAll(() => frame?.stop())

test('behavior: a login continues after its page was unloaded, without another email', async () => {
  const email = 'phone@example.org'
  const context = await frame.newContext()
  const first = await frame.embed(context)
  const started = (await ask(first, 'APP_CONNECT_EMAIL', { email })).result as { matchCode: string }
  await first.close()

  const second = await frame.embed(context)
  const again = (await ask(second, 'APP_CONNECT_EMAIL', { email: `<${email}>` })).result
  expect(again).toMatchObject({ action: 'VERIFY_DEVICE', matchCode: started.matchCode })
  const waiting = await begin(second, 'APP_CONNECT_DEVICE')
  await approveLink(frame, context, { email, matchCode: started.matchCode })
  expect(await settle(second, waiting)).toEqual({ result: {} })
  const code = await frame.readCode(email)
  const mails = await frame.countMails(email)
  await second.close()

  const third = await frame.embed(context)
  expect((await ask(third, 'APP_CONNECT_EMAIL', { email })).result).toMatchObject({
    action: 'VERIFY_OTP',
  })
  expect(await frame.countMails(email)).toBe(mails)
  await begin(third, 'APP_CONNECT_OTP')
  await fillCode(inside(third), code)
  await inside(third)
    .getByRole('radio', { name: /Printed kit/ })
    .waitFor()

  // The login has ended: a page that is opened now has no login to continue.
  const fourth = await frame.embed(context)
  expect(await ask(fourth, 'APP_CONNECT_OTP')).toMatchObject({ code: 'LOGIN_ENDED' })
})

test('error: a login is of the address that was typed', async () => {
  const context = await frame.newContext()
  const page = await frame.embed(context)
  await ask(page, 'APP_CONNECT_EMAIL', { email: 'one@example.org' })
  await page.close()
  const next = await frame.embed(context)
  expect((await ask(next, 'APP_CONNECT_EMAIL', { email: 'two@example.org' })).result).toMatchObject(
    { action: 'VERIFY_DEVICE' },
  )
  expect(await frame.countMails('two@example.org')).toBe(1)
})
