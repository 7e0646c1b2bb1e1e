import { mayClose } from '@latchkey/dev'
import type { Page } from '@playwright/test'
import { expect, frameOf, openSettings, press, setUpKit, stack, test } from '../../embedded.ts'

// The browser itself reports that a confirmation is needed first.
test.use({ allowedErrors: [/Failed to load resource/] })

test('security: the provider at which the page of the phrase confirms cannot lead that page elsewhere', async ({
  page,
  context,
}) => {
  const openFrom = async (start: () => Promise<unknown>): Promise<Page> => {
    const [opened] = await Promise.all([context.waitForEvent('page'), start()])
    return opened
  }
  const signIn = async (start: () => Promise<unknown>) => {
    const opened = await openFrom(start)
    await opened.getByLabel('Somebody else').fill('visitor')
    const hasOpener = await opened.evaluate(() => window.opener !== null)
    await mayClose(opened.getByRole('button', { name: 'Sign in', exact: true }).click())
    await expect.poll(() => opened.isClosed()).toBe(true)
    return hasOpener
  }
  await page.goto(stack.urls.web)
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  const google = page.getByRole('dialog').getByRole('button', { name: 'Continue with Google' })
  // The modal notices that its window was closed.
  expect(await signIn(() => google.click())).toBe(true)
  await setUpKit(page)
  const frame = frameOf(page)
  await press(frame.getByRole('button', { name: 'Show', exact: true }))
  await openSettings(page, 'Recovery phrase')
  const phrase = await openFrom(() => press(frame.getByRole('button', { name: 'Open the tab' })))
  await phrase.getByRole('button', { name: 'Sign in another way' }).click()
  const here = phrase.getByRole('button', { name: 'Continue with Google' })
  expect(await signIn(() => press(here))).toBe(false)
  await expect(phrase.getByText('Anyone who has these 24 words')).toBeVisible()
})
