import { expect, submitEmail, test } from '../embedded.ts'
import { someEmail } from '../mails.ts'

// The browser itself reports each refused answer.
test.use({ allowedErrors: [/Failed to load resource/] })

test('error: another mail within the pause after the last', async ({ page }) => {
  const email = someEmail()
  await submitEmail(page, email)
  const modal = page.getByRole('dialog')
  await expect(modal.getByRole('button', { name: /^Send again in \d+ minutes$/ })).toBeDisabled()
  // The page's own memory of it is gone; the server's is not.
  await page.evaluate(() => localStorage.clear())
  await submitEmail(page, email)
  await expect(modal.getByText(/^Please try again after \d+ minutes$/)).toBeVisible()
})
