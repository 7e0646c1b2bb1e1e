import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSiwxMessage } from '@latchkey/wire/siwx'
import type { Locator, Page } from '@playwright/test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { openDeveloperPage, section } from '../developerPage.ts'
import { answer, expect, stack, test } from '../fixtures.ts'
import { requireSignIn } from '../requireSignIn.ts'

/** Opens the web app where a sign-in is required, or optional, and connects. */
async function connectToSignIn(page: Page, settings?: Parameters<typeof requireSignIn>[1]) {
  await requireSignIn(page, settings)
  await page.goto(stack.urls.web)
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  const dialog = page.getByRole('dialog')
  await answer(page, 'approve', () =>
    dialog.getByRole('button', { name: /Latchkey Development Wallet/ }).click(),
  )
  return { dialog, signIn: dialog.getByRole('button', { name: 'Sign in', exact: true }) }
}

test('default: a signature opens a session, which a reload and another network keep', async ({
  page,
}) => {
  const { dialog, signIn } = await connectToSignIn(page)
  await answer(page, 'approve', () => signIn.click())
  await expect(dialog).toBeHidden()
  await page.reload()
  await openDeveloperPage(page)
  const session = section(page, 'Session')
  await expect(session.getByRole('status')).toHaveText('Signed in')
  await expect(session.locator('pre')).toContainText(
    'wants you to sign in with your Ethereum account',
  )
  await page
    .getByRole('button', { name: /^Network: Latchkey One/ })
    .first()
    .click()
  await answer(page, 'approve', () => dialog.getByRole('button', { name: /Latchkey Two/ }).click())
  await expect(page.getByRole('button', { name: /^Network: Latchkey Two/ }).first()).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(session.getByRole('status')).toHaveText('Signed in')
  await session.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
})

test('error: a declined signature is said, and cancelling disconnects', async ({ page }) => {
  const { dialog, signIn } = await connectToSignIn(page)
  await answer(page, 'reject', () => signIn.click())
  await expect(page.getByText('Signature declined')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
})

test('behavior: where a sign-in is optional, whoever cancels stays connected and is not asked after a reload', async ({
  page,
}) => {
  const { dialog, signIn } = await connectToSignIn(page, { signIn: 'optional' })
  await expect(signIn).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await page.reload()
  await openDeveloperPage(page)
  const session = section(page, 'Session')
  await expect(session.getByRole('status')).toHaveText('Not signed in')
  await expect(dialog).toBeHidden()
})

test('behavior: of two tabs one asks; signing in there closes the question in the other, and signing out ends both', async ({
  page,
  context,
}) => {
  const { signIn } = await connectToSignIn(page)
  await expect(signIn).toBeVisible()
  const other = await context.newPage()
  await requireSignIn(other)
  await other.goto(stack.urls.web)
  const otherDialog = other.getByRole('dialog')
  await expect(otherDialog.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await page.bringToFront()
  await answer(page, 'approve', () => signIn.click())
  await expect(otherDialog).toBeHidden()
  await openDeveloperPage(other)
  const session = section(other, 'Session')
  await expect(session.getByRole('status')).toHaveText('Signed in')
  await session.getByRole('button', { name: 'Sign out' }).click()
  for (const tab of [page, other])
    await expect(tab.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
})

test('behavior: a list of the sign-ins ends those of other browsers; one that has ended is asked for again', async ({
  page,
  browser,
}) => {
  const elsewhere = await browser.newContext()
  const far = await elsewhere.newPage()
  for (const one of [far, page]) {
    const { dialog, signIn } = await connectToSignIn(one)
    await answer(one, 'approve', () => signIn.click())
    await expect(dialog).toBeHidden()
  }
  const account = page.getByRole('button', { name: /^Account 0xf3/i }).first()
  await account.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Sign-ins' }).click()
  const others = dialog.getByRole('button', { name: 'Sign out everywhere else' })
  await expect(others).toBeVisible()
  await expect(dialog.getByText('This browser')).toBeVisible()
  await others.click()
  await expect(others).toBeHidden()
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
  await far.reload()
  await expect(
    far.getByRole('dialog').getByRole('button', { name: 'Sign in', exact: true }),
  ).toBeVisible()
  await elsewhere.close()
})

/** The sign-ins in the storage of this browser. */
const readStored = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('latchkey.siwxSessions') ?? '').value)

/**
 * Ends the sign-in of this browser at the server, which from then on answers as it does when the time of one is over: its own clock
 * cannot be moved, only the page's.
 */
async function endAtServer(page: Page) {
  const [{ token }] = await readStored(page)
  const ended = await fetch(new URL('/v1/siwx/sign-out?projectId=local', stack.urls.web), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  expect(ended.status).toBe(200)
}

/** Moves the page's clock by the time of a session until it shows `seen`: what waits for the end loads after signing in. */
const passLifetime = (page: Page, seen: Locator) =>
  expect
    .poll(async () => {
      await page.clock.fastForward(7 * 24 * 3_600_000)
      return seen.isVisible()
    })
    .toBe(true)

test.describe('a sign-in whose time is over', () => {
  // What the server answers to who asks with it.
  test.use({ allowedErrors: [/status of 401 .*\/v1\/siwx\/session/] })

  test('behavior: where it is required, it is asked for again on the open page, and after a reload', async ({
    page,
  }) => {
    await page.clock.install()
    const { dialog, signIn } = await connectToSignIn(page)
    await answer(page, 'approve', () => signIn.click())
    await expect(dialog).toBeHidden()
    await endAtServer(page)
    await passLifetime(page, signIn)
    await page.keyboard.press('Escape')
    await answer(page, 'approve', () => signIn.click())
    await expect(dialog).toBeHidden()
    await endAtServer(page)
    await page.reload()
    await expect(signIn).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
  })

  test('behavior: where it is optional, the page says so, interrupts nobody, and asks when it is wanted', async ({
    page,
  }) => {
    await page.clock.install()
    const { dialog, signIn } = await connectToSignIn(page, { signIn: 'optional' })
    await answer(page, 'approve', () => signIn.click())
    await expect(dialog).toBeHidden()
    await openDeveloperPage(page)
    const session = section(page, 'Session')
    await expect(session.getByRole('status')).toHaveText('Signed in')
    await endAtServer(page)
    await passLifetime(page, session.getByText('Not signed in'))
    await expect(dialog).toBeHidden()
    await session.getByRole('button', { name: 'Sign in' }).click()
    await answer(page, 'approve', () => signIn.click())
    await expect(session.getByRole('status')).toHaveText('Signed in')
    await endAtServer(page)
    await page.reload()
    await expect(session.getByRole('status')).toHaveText('Not signed in')
    await expect(dialog).toBeHidden()
  })
})

/** Opens a page on another origin, of the site of the web app unless its host is another, which may ask its server. */
async function openOtherOrigin(page: Page, hostname = new URL(stack.urls.web).hostname) {
  const pages = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><link rel="icon" href="data:,">')
  }).listen(0, hostname)
  await once(pages, 'listening')
  const origin = `http://${hostname}:${(pages.address() as AddressInfo).port}`
  await page.goto(origin)
  const ask = (path: string, init: RequestInit = {}) =>
    page.evaluate(
      async ([url, given]) => {
        const response = await fetch(url, given)
        return { status: response.status, body: await response.json() }
      },
      [new URL(`${path}?projectId=local`, stack.urls.web).href, init] as const,
    )
  const account = privateKeyToAccount(generatePrivateKey())
  const sign = async (nonce: string) => {
    const message = createSiwxMessage({
      domain: new URL(origin).host,
      accountAddress: account.address,
      chainId: 'eip155:31337',
      uri: origin,
      version: '1',
      nonce,
      issuedAt: new Date().toISOString(),
    })
    return { message, signature: await account.signMessage({ message }) }
  }
  return { ask, sign, account, origin, close: () => pages.close() }
}

const json = { 'content-type': 'application/json' }

test('behavior: an older client on a page of another origin signs in by the routes that it knows', async ({
  page,
}) => {
  const { ask, sign, account, close } = await openOtherOrigin(page)
  const { nonce, token: proof } = (await ask('/auth/v1/nonce')).body
  const { token } = (
    await ask('/auth/v1/authenticate', {
      method: 'POST',
      headers: { ...json, 'x-nonce-jwt': `Bearer ${proof}` },
      body: JSON.stringify(await sign(nonce)),
    })
  ).body
  const headers = { authorization: `Bearer ${token}` }
  expect((await ask('/auth/v1/me', { headers })).body).toMatchObject({ address: account.address })
  expect((await ask('/auth/v1/sign-out', { method: 'POST', headers })).body).toEqual({
    status: 'SUCCESS',
  })
  close()
})

test.describe('a session in a cookie', () => {
  // The refusals, the answer to who asks after the end, and the sign-out that does not arrive.
  test.use({
    allowedErrors: [/(status of 40[013]|ERR_FAILED) .*\/v1\/siwx\//],
  })

  test('param: signInKeep: cookie: no script of the web app can read the secret, a reload keeps the session, and signing out removes it', async ({
    page,
    context,
  }) => {
    const { dialog, signIn } = await connectToSignIn(page, { signInKeep: 'cookie' })
    await answer(page, 'approve', () => signIn.click())
    await expect(dialog).toBeHidden()
    const cookies = await context.cookies(stack.urls.web)
    expect(cookies).toMatchObject([{ httpOnly: true, sameSite: 'Strict' }])
    const [stored] = await readStored(page)
    expect(stored).toMatchObject({ csrfToken: expect.any(String) })
    expect(JSON.stringify(stored)).not.toContain(cookies[0]?.value)
    await page.reload()
    await openDeveloperPage(page)
    const session = section(page, 'Session')
    await expect(session.getByRole('status')).toHaveText('Signed in')
    await session.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByRole('button', { name: 'Connect wallet' }).first()).toBeVisible()
    expect(await context.cookies(stack.urls.web)).toEqual([])
  })

  test('error: a disconnect of which the server does not hear: the next visit removes the cookie', async ({
    page,
    context,
  }) => {
    const { dialog, signIn } = await connectToSignIn(page, { signInKeep: 'cookie' })
    await answer(page, 'approve', () => signIn.click())
    await expect(dialog).toBeHidden()
    const signOut = '**/v1/siwx/sign-out?**'
    await page.route(signOut, (route) => route.abort())
    await page
      .getByRole('button', { name: /^Account 0xf3/i })
      .first()
      .click()
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    const connect = page.getByRole('button', { name: 'Connect wallet' }).first()
    await expect(connect).toBeVisible()
    await expect.poll(() => readStored(page)).toMatchObject([{ isEnded: true }])
    expect(await context.cookies(stack.urls.web)).toHaveLength(1)
    await page.unroute(signOut)
    await page.reload()
    await expect.poll(() => context.cookies(stack.urls.web)).toEqual([])
    await expect.poll(() => readStored(page)).toEqual([])
    await expect(connect).toBeVisible()
  })

  test('error: a page of another site reads why it gets no cookie', async ({ page, context }) => {
    const { ask, sign, close } = await openOtherOrigin(page, 'localhost')
    const { nonce } = (await ask('/v1/siwx/nonce', { method: 'POST' })).body
    // As the modal sends it: without a header that would need a preflight.
    const body = JSON.stringify({ ...(await sign(nonce)), keep: 'cookie' })
    const refused = await ask('/v1/siwx/verify', { method: 'POST', body, credentials: 'include' })
    expect(refused).toMatchObject({
      status: 400,
      body: { reasons: [{ field: 'keep', description: expect.stringContaining('over https') }] },
    })
    expect(await context.cookies(stack.urls.web)).toEqual([])
    close()
  })

  test('behavior: a page of the same site keeps its session in a cookie, over a reload, changed only with the CSRF token', async ({
    page,
    context,
  }) => {
    const { ask, sign, account, origin, close } = await openOtherOrigin(page)
    const credentials = 'include'
    const { nonce } = (await ask('/v1/siwx/nonce', { method: 'POST' })).body
    const body = JSON.stringify({ ...(await sign(nonce)), keep: 'cookie' })
    const verify = { method: 'POST', headers: json, body, credentials } as const
    const opened = await ask('/v1/siwx/verify', verify)
    expect(opened).toEqual({
      status: 200,
      body: { session: expect.any(Object), csrfToken: expect.any(String) },
    })
    expect(opened.body.session).toMatchObject({ accountAddress: account.address, origin })
    expect(await context.cookies(stack.urls.web)).toMatchObject([
      { httpOnly: true, sameSite: 'Strict' },
    ])
    expect(await page.evaluate(() => document.cookie)).toBe('')
    await page.reload()
    expect(await ask('/v1/siwx/session', { credentials })).toEqual(opened)
    const out = { method: 'POST', credentials } as const
    const revoke = { ...out, body: JSON.stringify({ id: opened.body.session.id }) }
    expect(await ask('/v1/siwx/revoke', revoke)).toMatchObject({ status: 403 })
    expect(await ask('/v1/siwx/session', { credentials })).toEqual(opened)
    const wrong = { ...out, headers: { 'x-csrf-token': 'x'.repeat(22) } }
    expect(await ask('/v1/siwx/sign-out', wrong)).toMatchObject({ status: 403 })
    const headers = { 'x-csrf-token': opened.body.csrfToken }
    expect(await ask('/v1/siwx/sign-out', { ...out, headers })).toEqual({
      status: 200,
      body: { status: 'SUCCESS' },
    })
    expect(await context.cookies(stack.urls.web)).toEqual([])
    expect(await ask('/v1/siwx/session', { credentials })).toMatchObject({ status: 401 })
    close()
  })
})
