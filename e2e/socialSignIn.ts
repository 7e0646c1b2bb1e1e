import { mayClose } from '@latchkey/dev'
import type { Locator, Page } from '@playwright/test'
import { expect, press } from './embedded.ts'
import { pageOf } from './fixtures.ts'

/** Opens the modal with its list of ways to connect. */
export async function openModal(page: Page): Promise<Locator> {
  await page.goto(pageOf('/developer'))
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  return page.getByRole('dialog')
}

/** An unused name at a provider. */
export const somebody = () => `p${crypto.randomUUID().slice(0, 8)}`

/** Waits for the popup of the frame's origin and continues to the provider. */
export async function goToGoogle(opened: Page): Promise<void> {
  await expect(opened.getByRole('heading', { name: /Signing in to/ })).toBeVisible()
  await opened.bringToFront()
  const button = opened.getByRole('button', { name: 'Continue to Google' })
  await expect(button).toHaveAttribute('aria-disabled', 'false')
  await button.click()
}

/** Signs in with this name on the page of a provider. */
export const signInAsSomebody = (name: string) => async (opened: Page) => {
  await opened.getByLabel('Somebody else').fill(name)
  await mayClose(opened.getByRole('button', { name: 'Sign in', exact: true }).click())
}

/** Presses a button that opens a provider's popup, and signs in there with this name. */
export async function signInAs(page: Page, button: Locator, name: string): Promise<void> {
  const [opened] = await Promise.all([page.waitForEvent('popup'), press(button)])
  await signInAsSomebody(name)(opened)
}

/** Opens the modal with the list of providers, and returns a provider's button. */
export async function findProvider(page: Page, provider: string): Promise<Locator> {
  const modal = await openModal(page)
  await modal.getByRole('button', { name: 'More ways to sign in' }).click()
  return modal.getByRole('listitem').getByRole('button', { name: provider, exact: true })
}

/**
 * Presses a button of the frame, and chooses in the popup that opens, which the page cannot reach.
 */
export async function chooseApart(
  page: Page,
  button: Locator,
  choose: (opened: Page) => Promise<void>,
) {
  const opening = page.context().waitForEvent('page')
  await press(button)
  const opened = await opening
  await choose(opened)
  return opened
}
