import type { Page } from '@playwright/test'
import { openDeveloperPage, section } from '../developerPage.ts'
import { answer, disconnect, expect, pageOf, stack, test } from '../fixtures.ts'
import { openOtherOrigin } from '../otherOrigin.ts'
import { connectSignedIn, connectToSignIn, readStored, requireSignIn } from '../requireSignIn.ts'

const json = { 'content-type': 'application/json' }

test.describe('a session in a cookie', () => {
  // The refusals, the response to a request after the end, and the sign-out that does not arrive.
  test.use({
    allowedErrors: [/(status of 40[013]|ERR_FAILED) .*\/v1\/siwx\//],
  })

  test('param: signInKeep: cookie: scripts cannot read the secret, and a reload keeps the session', async ({
    page,
    context,
  }) => {
    await connectSignedIn(page, { signInKeep: 'cookie' })
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

  test('error: a disconnect that does not reach the server: the next visit removes the cookie', async ({
    page,
    context,
  }) => {
    await connectSignedIn(page, { signInKeep: 'cookie' })
    const signOut = '**/v1/siwx/sign-out?**'
    await page.route(signOut, (route) => route.abort())
    await disconnect(page)
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

  test("behavior: a sign-in waits for another tab's sign-out, whose response would remove its cookie", async ({
    page,
    context,
  }) => {
    const settings = { signInKeep: 'cookie' } as const
    // Its request does not give up while this test is slow.
    await page.addInitScript(() => {
      AbortSignal.timeout = () => new AbortController().signal
    })
    await connectSignedIn(page, settings)
    const second = await context.newPage()
    await requireSignIn(second, settings)
    await second.goto(pageOf('/developer'))
    const account = (tab: Page) => tab.getByRole('button', { name: /^Account 0xf3/i }).first()
    await expect(account(second)).toBeVisible()
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    await page.route('**/v1/siwx/sign-out?**', async (route) => {
      await arrived
      await route.continue()
    })
    const asked: string[] = []
    second.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await disconnect(page)
    const countLocks = (state: 'held' | 'pending') =>
      second.evaluate(async (key) => (await navigator.locks.query())[key]?.length, state)
    await expect.poll(() => countLocks('held')).toBe(1)
    const { dialog, signIn } = await connectToSignIn(second, settings)
    await answer(second, 'approve', () => signIn.click())
    await expect.poll(() => countLocks('pending')).toBeGreaterThan(0)
    expect(asked).not.toContain('/v1/siwx/verify')
    arrive()
    await expect(dialog).toBeHidden()
    await openDeveloperPage(second)
    await expect(section(second, 'Session').getByRole('status')).toHaveText('Signed in')
    expect(await context.cookies(stack.urls.web)).toHaveLength(1)
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

  test('behavior: a page of the same site keeps its session in a cookie and changes it with the CSRF token', async ({
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
