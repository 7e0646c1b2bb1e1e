import type { Locator, Page } from '@playwright/test'
import { answer, expect, pageOf } from './fixtures.ts'

/** Selects a network while no wallet is connected. A wallet then connects in its namespace. */
export async function selectNetwork(page: Page, name: string) {
  await page
    .getByRole('button', { name: /^Network: / })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: new RegExp(`^${name}`) }).click()
  await expect(dialog).toBeHidden()
}

/** Presses the development wallet in the list of wallets, and approves. Returns the modal. */
export async function approveWallet(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  const dialog = page.getByRole('dialog')
  await answer(page, 'approve', () =>
    dialog.getByRole('button', { name: /Latchkey Development Wallet/ }).click(),
  )
  return dialog
}

/** Opens the web app and connects the development wallet on a network alone. Returns the modal. */
export async function connectOn(page: Page, network: string): Promise<Locator> {
  await page.goto(pageOf())
  await selectNetwork(page, network)
  const dialog = await approveWallet(page)
  await expect(dialog).toBeHidden()
  return dialog
}
