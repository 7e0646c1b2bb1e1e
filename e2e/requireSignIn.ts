import type { WebConfig } from '@latchkey/wire'
import type { Page } from '@playwright/test'

/** What a server says of signing in to its web app. */
type SignIn = Pick<WebConfig, 'signIn' | 'signInPer' | 'signInKeep'>

/** Serves the web app to this page as a server with `WEB_SIGN_IN=required` does, or with other values of its settings. */
export const requireSignIn = (page: Page, settings: SignIn = {}) =>
  page.route('**/config.json', async (route) => {
    const response = await route.fetch()
    const config = { ...(await response.json()), signIn: 'required', ...settings }
    await route.fulfill({ response, json: config })
  })
