import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** One call of the developer page. */
export const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Goes to the developer page of a connected app. */
export async function openDeveloperPage(page: Page) {
  await page.getByRole('link', { name: 'Developer' }).first().click()
  await expect(page).toHaveURL(/\/developer$/)
}

/**
 * Requests a signature on the developer page, by default of the message in the field, and returns
 * the form.
 */
export async function askToSign(page: Page, message?: string) {
  const form = section(page, 'Sign a message')
  if (message !== undefined) await form.getByRole('textbox').fill(message)
  await form.getByRole('button', { name: 'Sign', exact: true }).click()
  return form
}

/** Sends a raw request to the wallet on the developer page. */
export async function askRaw(page: Page, method: string, params: unknown) {
  const raw = section(page, 'Raw request')
  await raw.getByLabel('Method').fill(method)
  await raw.getByLabel('Parameters (JSON)').fill(JSON.stringify(params))
  await raw.getByRole('button', { name: 'Request' }).click()
}
