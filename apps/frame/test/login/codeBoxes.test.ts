import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  ask,
  begin,
  type FrameStack,
  inside,
  keepKit,
  settle,
  signIn,
  startFrame,
} from '../startFrame.ts'

let frame: FrameStack
let page: Page
beforeAll(async () => {
  frame = await startFrame()
  page = await frame.embed(await frame.newContext())
})
afterAll(() => frame?.stop())

const boxes = () => inside(page).locator('.box')
const values = () => boxes().evaluateAll((all) => all.map((box) => (box as HTMLInputElement).value))

test('behavior: accepts digits of any script and nothing else; a whole code fills from the first box', async () => {
  const email = 'boxes@example.org'
  const first = await ask(page, 'APP_CONNECT_EMAIL', { email })
  const { matchCode } = first.result as { matchCode: string }
  const link = await page.context().newPage()
  await link.goto(await frame.readLink(email))
  // The field of the link's page takes the two digits in the same way.
  const match = link.getByRole('textbox')
  await match.pressSequentially('a')
  expect(await match.inputValue()).toBe('')
  const toArabic = (text: string) => text.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(+digit))
  await match.fill(` ${toArabic(matchCode)} `)
  expect(await match.inputValue()).toBe(matchCode)
  await link.getByRole('button').click()
  await link.getByRole('heading', { name: 'Approved' }).waitFor()
  await link.close()
  await page.bringToFront()
  const asked = await begin(page, 'APP_CONNECT_OTP')
  await boxes().first().waitFor()

  await boxes().nth(0).pressSequentially('abc-')
  expect(await values()).toEqual(['', '', '', '', '', ''])
  await boxes().nth(0).pressSequentially('２')
  await boxes().nth(1).pressSequentially('٤')
  await boxes().nth(2).fill('६')
  expect(await values()).toEqual(['2', '4', '6', '', '', ''])
  // A filled box keeps its digit when a letter comes, shows the new digit of any script, and can be
  // emptied.
  await boxes().nth(2).fill('x')
  expect(await values()).toEqual(['2', '4', '6', '', '', ''])
  await boxes().nth(2).fill('٦')
  expect(await values()).toEqual(['2', '4', '6', '', '', ''])
  await boxes().nth(2).fill('')
  expect(await values()).toEqual(['2', '4', '', '', '', ''])

  // A phone fills the code into the focused box, which may be empty after a typed digit, or already
  // filled.
  const wrong = '000001'
  for (const [place, digit] of [
    [1, '9'],
    [0, '0'],
  ] as const) {
    await boxes().first().fill(digit)
    await boxes().nth(place).focus()
    await page.keyboard.insertText(wrong)
    await expect.poll(() => inside(page).locator('.line').textContent()).toContain('wrong')
    await expect.poll(values).toEqual(['', '', '', '', '', ''])
  }
  await boxes().nth(0).fill('7')
  await boxes()
    .nth(1)
    .fill(toArabic(await frame.readCode(email)))
  // The code was complete, so the login continues.
  await inside(page)
    .getByRole('radio', { name: /Printed kit/ })
    .waitFor()
  await ask(page, 'APP_CLOSE')
  await settle(page, asked)
})

test('behavior: a kit is hidden while the user types a group, and can be shown again', async () => {
  const other = await frame.embed(await frame.newContext())
  const connecting = await signIn(frame, other, 'kit@example.org')
  const button = (name: string) => inside(other).getByRole('button', { name })
  await inside(other)
    .getByRole('radio', { name: /Printed kit/ })
    .check()
  await button('Continue').click()
  const shown = inside(other).locator('.kit span')
  await shown.nth(6).waitFor()
  const groups = await shown.allTextContents()
  await button('I’ve saved it').click()
  const field = inside(other).getByRole('textbox')
  await field.waitFor()
  expect(await shown.count()).toBe(0)
  // No kit contains a U.
  await field.fill('UUUU')
  await button('Continue').click()
  await inside(other)
    .getByText(/^That is not group \d\./)
    .waitFor()
  await button('Show the kit again').click()
  await shown.nth(6).waitFor()
  expect(await shown.allTextContents()).toEqual(groups)
  await keepKit(inside(other))
  expect(await settle(other, connecting)).toEqual({ result: {} })
})
