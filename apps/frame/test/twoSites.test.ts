import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { makeDatabase } from '@latchkey/dev'
import type { BrowserContext, Page } from 'playwright-core'
import { recoverMessageAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  approveLink,
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

const email = 'one@two-sites.example'
const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.resolve('@latchkey/server')))
type Site = { site: string; projectId: string }

let frame: FrameStack
let first: Site
let second: Site
beforeAll(async () => {
  const DATABASE_URL = await makeDatabase()
  frame = await startFrame([], { DATABASE_URL })
  // A browser takes these for two sites: no others can register names under `localhost`.
  const [shop, game] = ['shop', 'game'].map((projectId) => {
    const site = frame.hostUrl.replace('127.0.0.1', `${projectId}.localhost`)
    return { site, projectId }
  }) as [Site, Site]
  first = shop
  second = game
  for (const { site, projectId } of [first, second]) {
    const project = ['--name', projectId, '--id', projectId, '--origin', site]
    const env = { ...process.env, DATABASE_URL }
    await promisify(execFile)(process.execPath, [cli, 'project', 'add', ...project], { env })
  }
})
afterAll(() => frame?.stop())

/** Signs in on another site, which gets the wallet by the kit. */
async function logInByKit(context: BrowserContext, page: Page, kit: string): Promise<void> {
  const mails = await frame.countMails(email)
  const begun = await ask(page, 'APP_CONNECT_EMAIL', { email })
  const { matchCode = '' } = begun.result as { matchCode?: string }
  const waiting = await begin(page, 'APP_CONNECT_DEVICE')
  await expect.poll(() => frame.countMails(email)).toBeGreaterThan(mails)
  await approveLink(frame, context, { email, matchCode })
  await settle(page, waiting)
  const connecting = await begin(page, 'APP_CONNECT_OTP')
  await fillCode(inside(page), await frame.readCode(email, mails))
  await inside(page).getByRole('button', { name: 'Use your printed kit' }).click()
  await inside(page).getByRole('textbox').fill(kit)
  await inside(page).getByRole('textbox').press('Enter')
  expect(await settle(page, connecting)).toEqual({ result: {} })
}

const isConnected = async (page: Page) => {
  const { result } = await ask(page, 'APP_IS_CONNECTED')
  return (result as { isConnected: boolean }).isConnected
}

const addressOf = async (page: Page) =>
  ((await ask(page, 'APP_GET_USER')).result as { address: string }).address

/** Signs a message on the page, and returns the address that signed it. */
async function signOn(page: Page, address: string): Promise<string> {
  await page.bringToFront()
  const message = `Hello ${page.url()}`
  const params = { method: 'personal_sign', params: [message, address], chainId: 31337 }
  const asked = await begin(page, 'APP_RPC_REQUEST', params)
  await holdToApprove(page)
  const { result } = await settle(page, asked)
  return recoverMessageAddress({ message, signature: result as `0x${string}` })
}

const devicesOf = (page: Page) => inside(page).locator('.device')

test('two sites: on two sites one user has two devices and one address, and revoking one leaves the other', async () => {
  const context = await frame.newContext()
  const here = await frame.embed(context, first)
  const kit = await logIn(frame, here, email)
  const address = await addressOf(here)

  const there = await frame.embed(context, second)
  // The same frame in the same browser has no access to the other site's login.
  expect(await isConnected(there)).toBe(false)
  await logInByKit(context, there, kit)
  expect(await addressOf(there)).toBe(address)
  expect(await signOn(here, address)).toBe(address)
  // A browser that has just got the wallet chooses its picture before its first approval.
  const isChosen = inside(there).getByRole('button', { name: 'Use this picture' }).click()
  expect(await signOn(there, address)).toBe(address)
  await isChosen

  await here.bringToFront()
  const opened = await begin(here, 'APP_OPEN', { page: 'devices' })
  await expect.poll(() => devicesOf(here).count()).toBe(2)
  await devicesOf(here).nth(1).getByRole('button', { name: 'Remove' }).click()
  await inside(here).locator('.sure').getByRole('button', { name: 'Remove' }).click()
  await expect.poll(() => devicesOf(here).count()).toBe(1)
  await ask(here, 'APP_CLOSE')
  await settle(here, opened)

  expect(await isConnected(there)).toBe(false)
  const refused = await ask(there, 'APP_RPC_REQUEST', {
    method: 'personal_sign',
    params: ['Hello', address],
    chainId: 31337,
  })
  expect(refused.code).toBe('UNAUTHORIZED')
  expect(await isConnected(here)).toBe(true)
  expect(await signOn(here, address)).toBe(address)
  await context.close()
})
