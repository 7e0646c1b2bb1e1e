import type { WebConfig } from '@latchkey/wire'
import type { Page } from '@playwright/test'
import { answer, stack } from './fixtures.ts'

/** What a server says of signing in to its web app. */
type SignIn = Pick<WebConfig, 'signIn' | 'signInPer' | 'signInKeep'>

/** Serves the web app to this page as a server with `WEB_SIGN_IN=required` does, or with other values of its settings. */
export const requireSignIn = (page: Page, settings: SignIn = {}) =>
  page.route('**/config.json', async (route) => {
    const response = await route.fetch()
    const config = { ...(await response.json()), signIn: 'required', ...settings }
    await route.fulfill({ response, json: config })
  })

/** Opens the web app where a sign-in is required, or optional, and connects. */
export async function connectToSignIn(page: Page, settings?: SignIn) {
  await requireSignIn(page, settings)
  await page.goto(stack.urls.web)
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  const dialog = page.getByRole('dialog')
  await answer(page, 'approve', () =>
    dialog.getByRole('button', { name: /Latchkey Development Wallet/ }).click(),
  )
  return { dialog, signIn: dialog.getByRole('button', { name: 'Sign in', exact: true }) }
}

/** The sign-ins in the storage of this browser. */
export const readStored = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('latchkey.siwxSessions') ?? '').value)
