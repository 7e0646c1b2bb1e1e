import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, begin, type FrameStack, inside, logIn, settle, startFrame } from './startFrame.ts'

let frame: FrameStack
/** A browser in which `email` is signed in. */
let context: BrowserContext
let page: Page
const email = 'parts@people.example'

beforeAll(async () => {
  frame = await startFrame()
  context = await frame.newContext()
  page = await frame.embed(context)
  await logIn(frame, page, email)
})
afterAll(() => frame?.stop())

test('error: if a part of the frame does not load, its request fails, and the next frame loads it', async () => {
  for (const part of ['renderScreens', 'SettingsScreen', 'openPage']) {
    // As a page does whose frame is gone.
    const embed = async () => {
      await page.evaluate(() => document.getElementById('frame')?.remove())
      await page.evaluate((address) => window.embed(address), frame.address)
    }
    await embed()
    const lost = `**/assets/${part}-*.js`
    await context.route(lost, (route) => route.abort())
    expect(await ask(page, 'APP_OPEN', { page: 'settings' })).toMatchObject({ code: 'OFFLINE' })
    await page.waitForFunction(() => window.host.channel?.closed.aborted)
    await context.unroute(lost)
    await embed()
    const opened = await begin(page, 'APP_OPEN', { page: 'settings' })
    await inside(page).getByText(email).waitFor()
    await ask(page, 'APP_CLOSE')
    await settle(page, opened)
  }
})

test('error: if a part of the key worker does not load, signing fails, and the next worker loads it', async () => {
  const { address } = (await ask(page, 'APP_GET_USER')).result as { address: string }
  const sign = async () => {
    const params = ['0x68656c6c6f', address]
    const asked = await begin(page, 'APP_RPC_REQUEST', { method: 'personal_sign', params })
    const hold = inside(page).locator('.hold[data-open="true"]')
    await hold.waitFor()
    await hold.hover()
    await page.mouse.down()
    await inside(page).locator('.hold[data-hold="full"]').waitFor()
    await page.mouse.up()
    return settle(page, asked)
  }
  const embed = async () => {
    await page.evaluate(() => document.getElementById('frame')?.remove())
    await page.evaluate((at) => window.embed(at), frame.address)
  }
  const needs = { keyWorker: () => ask(page, 'APP_GET_USER'), signingWork: sign }
  for (const [part, need] of Object.entries(needs)) {
    await embed()
    const lost = `**/assets/${part}-*.js`
    await context.route(lost, (route) => route.abort())
    expect([part, await need()]).toMatchObject([part, { code: 'OFFLINE' }])
    await page.waitForFunction(() => window.host.channel?.closed.aborted)
    await context.unroute(lost)
  }
  await embed()
  expect(await sign()).toMatchObject({ result: expect.stringMatching(/^0x/) })
})
