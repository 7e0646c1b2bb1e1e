import type { WebConfig } from '@latchkey/wire'
import type { Locator, Page } from '@playwright/test'
import { answer, expect, pageOf, stack } from './fixtures.ts'

/** The sign-in settings of a server's web app. */
type SignIn = Pick<WebConfig, 'signIn' | 'signInPer' | 'signInKeep'>

/**
 * Gives the web app of this page the configuration of a server with `WEB_SIGN_IN=required`, or with
 * other settings. The page's own `fetch` changes the response, because a browser does not use its
 * cache while requests are intercepted.
 */
export const requireSignIn = (page: Page, settings: SignIn = {}) =>
  page.addInitScript(
    (said) => {
      const { fetch } = window
      window.fetch = async (input, init) => {
        const response = await fetch(input, init)
        const { pathname } = new URL(input instanceof Request ? input.url : input, location.href)
        if (pathname !== '/config.json') return response
        return Response.json({ ...(await response.json()), ...said })
      }
    },
    { signIn: 'required', ...settings } as const,
  )

/** Opens the web app with a required or optional sign-in, and connects. */
export async function connectToSignIn(page: Page, settings?: SignIn) {
  await requireSignIn(page, settings)
  await page.goto(pageOf('/developer'))
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  const dialog = page.getByRole('dialog')
  await answer(page, 'approve', () =>
    dialog.getByRole('button', { name: /Latchkey Development Wallet/ }).click(),
  )
  return { dialog, signIn: dialog.getByRole('button', { name: 'Sign in', exact: true }) }
}

/** Opens the web app with a required or optional sign-in, connects, and signs in. */
export async function connectSignedIn(page: Page, settings?: SignIn) {
  const { dialog, signIn } = await connectToSignIn(page, settings)
  await answer(page, 'approve', () => signIn.click())
  await expect(dialog).toBeHidden()
  return { dialog, signIn }
}

/** The sign-ins in the storage of this browser. */
export const readStored = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('latchkey.siwxSessions') ?? '').value)

/**
 * Ends the sign-in of this browser at the server, which then responds as if the sign-in had
 * expired: the server's clock cannot be moved, only the page's.
 */
export async function endAtServer(page: Page) {
  const [{ token }] = await readStored(page)
  const ended = await fetch(new URL('/v1/siwx/sign-out?projectId=local', stack.urls.web), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  expect(ended.status).toBe(200)
}

/**
 * Moves the page's clock by the lifetime of a session until the page shows `seen`: the code that
 * waits for the end loads after signing in. Each move also ends pending requests, so the page has
 * some seconds to respond before the next.
 */
export const passLifetime = (page: Page, seen: Locator) =>
  expect
    .poll(async () => {
      await page.clock.fastForward(7 * 24 * 3_600_000)
      return seen.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      )
    })
    .toBe(true)
