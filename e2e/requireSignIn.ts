import type { Page } from '@playwright/test'

/** Serves the web app to this page as a server with `WEB_SIGN_IN=required` does, or with another value of it. */
export const requireSignIn = (page: Page, signIn: 'required' | 'optional' = 'required') =>
  page.route('**/config.json', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), signIn } })
  })
