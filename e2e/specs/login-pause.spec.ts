import type { Page } from '@playwright/test'
import { expect, submitEmail, test } from '../embedded.ts'
import { someEmail } from '../mails.ts'

// The browser itself logs each error response.
test.use({ allowedErrors: [/Failed to load resource/] })

test('error: another mail within the pause after the last', async ({ page }) => {
  const email = someEmail()
  await submitEmail(page, email)
  const modal = page.getByRole('dialog')
  await expect(modal.getByRole('button', { name: /^Send again in \d+ minutes$/ })).toBeDisabled()
  // The page and the frame have forgotten it; the server has not.
  await page.evaluate(() => localStorage.clear())
  await forgetLogin(page)
  await submitEmail(page, email)
  await expect(modal.getByText(/Please try again after \d+ minutes$/)).toBeVisible()
})

/** Has the frame forget the login that it keeps for a page that was unloaded. */
const forgetLogin = (page: Page) =>
  page.frames()[1]?.evaluate(
    (key) =>
      new Promise((resolve) => {
        const opened = indexedDB.open('latchkey-wallet', 1)
        opened.onsuccess = () => {
          const all = opened.result.transaction('values', 'readwrite')
          all.objectStore('values').delete(key)
          all.oncomplete = resolve
        }
      }),
    `login ${new URL(page.url()).origin}`,
  )
