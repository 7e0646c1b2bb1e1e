import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FrameStack, startFrame } from '../startFrame.ts'

let frame: FrameStack
beforeAll(async () => {
  frame = await startFrame()
})
afterAll(() => frame?.stop())

const fromMail =
  'This link is not complete. Copy the whole link from the email and open it in this browser.'
const fromWallet = 'This link is not complete. Open this page from your wallet again.'

test.each([
  ['device', fromMail],
  ['device#abc', fromMail],
  ['undo', fromMail],
  ['undo#recovery=', fromMail],
  ['export', fromWallet],
  ['wallet', fromWallet],
])('error: the link %s is not complete, and its page says so', async (path, words) => {
  const page = await (await frame.newContext()).newPage()
  await page.goto(`${frame.frameUrl}/${path}`)
  expect(await page.getByRole('alert').textContent()).toBe(words)
  expect(await page.getByRole('heading').textContent()).toBe(await page.title())
})

test.each([
  'approve',
  'device',
  'export',
  'passkey',
  'recover',
  'social',
  'undo',
  'visit',
  'wallet',
])(
  'default: the page /%s has the brand and fits a small phone in both directions',
  async (path) => {
    const context = await frame.newContext({ viewport: { width: 320, height: 640 } })
    const page = await context.newPage()
    for (const query of ['theme=light&dir=rtl', 'theme=dark&dir=ltr']) {
      await page.goto(`${frame.frameUrl}/${path}?${query}`)
      await page.getByText('Latchkey', { exact: true }).waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    }
  },
)
