import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { makeDatabase } from '@latchkey/dev'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ask, begin, type FrameStack, forgetConsent, settle, startFrame } from '../startFrame.ts'

const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.resolve('@latchkey/server')))
const projectId = 'old'

let frame: FrameStack
let site: string
let foreign: string
let context: BrowserContext
let editProject: (...args: string[]) => Promise<unknown>
beforeAll(async () => {
  const DATABASE_URL = await makeDatabase()
  frame = await startFrame([], { DATABASE_URL })
  site = frame.hostUrl.replace('127.0.0.1', 'old.localhost')
  foreign = frame.hostUrl.replace('127.0.0.1', 'foreign.localhost')
  const env = { ...process.env, DATABASE_URL }
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [cli, 'project', ...args], { env })
  editProject = (...args) => run('edit', '--id', projectId, ...args)
  await run('add', '--name', 'Old', '--id', projectId, '--origin', site)
  await run('add', '--name', 'Foreign', '--id', 'foreign', '--origin', foreign)
  await editProject('--otp-surface', 'host')
})
afterAll(() => frame?.stop())
afterEach(() => context?.close())

const sdk = () => `${frame.frameUrl}/sdk?projectId=${projectId}&chainId=1&version=4`

/**
 * Puts the frame into a page as a client of the plain envelope does: hidden. Resolves once the
 * frame speaks.
 */
const hide = (page: Page, address = sdk()) =>
  page.evaluate(async (src) => {
    const iframe = document.createElement('iframe')
    iframe.style.display = 'none'
    iframe.src = src
    const ready = new Promise<void>((done) => {
      addEventListener('message', ({ data }) => {
        if (data?.type === '@w3m-frame/READY') done()
      })
    })
    document.body.append(iframe)
    await ready
  }, address)

type Reply = { type: string; payload?: Record<string, unknown> }

/** Asks in the plain envelope and waits for the answer. */
const askPlain = (page: Page, word: string, payload?: object): Promise<Reply> =>
  page.evaluate(
    async ([word, payload]) => {
      const id = Math.random().toString(36).slice(2)
      const answer = new Promise<Reply>((done) => {
        addEventListener('message', ({ data }) => {
          if (data?.id === id) done(data)
        })
      })
      const message = { type: `@w3m-app/${word}`, id, ...(payload && { payload }) }
      document.querySelector('iframe')?.contentWindow?.postMessage(message, '*')
      return answer
    },
    [word, payload] as const,
  )

/** Begins a login; gives the page of the mail's link. */
async function openLink(page: Page, email: string): Promise<Page> {
  const begun = await askPlain(page, 'CONNECT_EMAIL', { email })
  expect(begun).toMatchObject({ payload: { action: 'VERIFY_DEVICE' } })
  const link = await page.context().newPage()
  await link.goto(await frame.readLink(email))
  await link.getByText('wants to sign in').waitFor()
  expect(await link.getByRole('textbox').count()).toBe(0)
  expect(await link.textContent('body')).toContain(site)
  return link
}

async function logInPlain(page: Page, email: string) {
  const link = await openLink(page, email)
  const waiting = askPlain(page, 'CONNECT_DEVICE')
  await link.getByRole('button', { name: 'Yes, sign me in' }).click()
  expect((await waiting).type).toBe('@w3m-frame/CONNECT_DEVICE_SUCCESS')
  const otp = await frame.readCode(email)
  const wrong = String((Number(otp) + 1) % 1_000_000).padStart(6, '0')
  expect(await askPlain(page, 'CONNECT_OTP', { otp: wrong })).toMatchObject({
    type: '@w3m-frame/CONNECT_OTP_ERROR',
    payload: { message: 'This code is wrong. Check the newest email' },
  })
  expect(await askPlain(page, 'CONNECT_OTP', { otp })).toMatchObject({
    type: '@w3m-frame/CONNECT_OTP_SUCCESS',
  })
}

test('default: an older client with /sdk and CONNECT_OTP logs in unless this is turned off', async () => {
  context = await frame.newContext()
  const page = await frame.openHost(context, site)
  await hide(page)
  await logInPlain(page, 'plain@example.org')
  const user = await askPlain(page, 'GET_USER', {})
  expect(user).toMatchObject({
    type: '@w3m-frame/GET_USER_SUCCESS',
    payload: {
      email: 'plain@example.org',
      address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
    },
  })
  // A change of address is agreed to in the frame, and no mail is sent before.
  const mails = await frame.countMails('plain@example.org')
  void askPlain(page, 'UPDATE_EMAIL', { email: 'other@example.org' }).catch(() => {})
  const frameOf = page.frames()[1]
  await frameOf?.getByText('Change your email address?').waitFor({ state: 'attached' })
  expect(await frame.countMails('plain@example.org')).toBe(mails)
  // A wallet that exists, and no consent yet: the setting gives it.
  await forgetConsent(frame, page, site)
  await page.reload()
  await hide(page)
  expect(await askPlain(page, 'GET_USER', {})).toEqual({ ...user, id: expect.any(String) })
  await page.reload()
  await hide(page)
  await editProject('--otp-surface', 'frame')
  try {
    // The frame was loaded before: now the server no longer lists this page as trusted.
    void askPlain(page, 'GET_USER', {}).catch(() => {})
    await page.frames()[1]?.getByText('wants to see').waitFor({ state: 'attached' })
    const status = async () => (await fetch(sdk())).status
    await expect.poll(status, { timeout: 20_000 }).toBe(404)
  } finally {
    await editProject('--otp-surface', 'host')
  }
})

test('error: a wallet of another browser cannot come into a hidden frame; the client receives an error', async () => {
  context = await frame.newContext()
  const page = await frame.openHost(context, site)
  await expect.poll(async () => (await fetch(sdk())).status, { timeout: 20_000 }).toBe(200)
  await hide(page)
  const email = 'plain@example.org'
  const mails = await frame.countMails(email)
  await askPlain(page, 'CONNECT_EMAIL', { email })
  const waiting = askPlain(page, 'CONNECT_DEVICE')
  const link = await context.newPage()
  await link.goto(await frame.readLink(email, mails))
  await link.getByRole('button', { name: 'Yes, sign me in' }).click()
  await waiting
  const otp = await frame.readCode(email, mails + 1)
  expect(await askPlain(page, 'CONNECT_OTP', { otp })).toMatchObject({
    payload: { message: expect.stringContaining('does not hold the wallet yet') },
  })
})

test('behavior: no on the page of the link ends the login', async () => {
  context = await frame.newContext()
  const page = await frame.openHost(context, site)
  await expect.poll(async () => (await fetch(sdk())).status, { timeout: 20_000 }).toBe(200)
  await hide(page)
  const link = await openLink(page, 'no@example.org')
  const waiting = askPlain(page, 'CONNECT_DEVICE')
  await link.getByRole('button', { name: 'No, that’s not me' }).click()
  await link.getByText('This sign-in has ended. You can close this tab.').waitFor()
  // The pressed button is gone, so the heading has the focus.
  expect(await link.evaluate(() => document.activeElement?.textContent)).toBe('Refused')
  expect(await waiting).toMatchObject({ type: '@w3m-frame/CONNECT_DEVICE_ERROR' })
})

test('param: otpSurface host: our own client passes the code on too, only in a project with the setting', async () => {
  context = await frame.newContext()
  for (const [at, id, expected] of [
    [site, projectId, undefined],
    [foreign, 'foreign', 'CODE_NOT_TAKEN'],
  ] as const) {
    const page = await frame.embed(context, { site: at, projectId: id })
    const email = `own-${id}@example.org`
    const { result } = await ask(page, 'APP_CONNECT_EMAIL', { email })
    const { matchCode } = result as { matchCode?: string }
    expect(matchCode === undefined).toBe(expected === undefined)
    const waiting = await begin(page, 'APP_CONNECT_DEVICE')
    const link = await context.newPage()
    await link.goto(await frame.readLink(email))
    if (matchCode) await link.getByRole('textbox').fill(matchCode)
    await link.getByRole('button', { name: 'Yes' }).click()
    await settle(page, waiting)
    const connecting = await begin(page, 'APP_CONNECT_OTP', { otp: await frame.readCode(email) })
    if (expected) expect(await settle(page, connecting)).toMatchObject({ code: expected })
    // This client shows the frame, so the user can choose how to recover the wallet.
    else
      await page
        .frames()[1]
        ?.getByRole('radio', { name: /Printed kit/ })
        .waitFor()
    await page.close()
  }
})

test('error: unlisted pages, and listed pages inside others, cannot embed /sdk', async () => {
  context = await frame.newContext()
  const body = `<script>addEventListener('message', ({ data }) => { if (data?.type === '@w3m-frame/READY') window.heard = true })</script><iframe src="${sdk()}"></iframe>`
  const inner = `${site}/inner`
  const serve = (url: string, html: string) =>
    context.route(url, (route) => route.fulfill({ contentType: 'text/html', body: html }))
  await serve(`${foreign}/x`, body)
  await serve(inner, body)
  await serve(`${foreign}/outer`, `<iframe src="${inner}"></iframe>`)
  const hears = async (url: string) => {
    const page = await context.newPage()
    const refused = page.waitForEvent('console', (one) => one.text().includes('frame-ancestors'))
    await page.goto(url)
    await refused
    const heard = await Promise.all(
      page
        .frames()
        .map((one) =>
          one.evaluate(() => (window as { heard?: boolean }).heard === true).catch(() => false),
        ),
    )
    await page.close()
    return heard.includes(true)
  }
  expect(await hears(`${foreign}/x`)).toBe(false)
  expect(await hears(`${foreign}/outer`)).toBe(false)
})
