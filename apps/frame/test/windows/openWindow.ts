import { mayClose } from '@latchkey/dev'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { coverFrame, covers, uncoverFrame } from '../coverFrame.ts'

/**
 * Takes from the pages of a context what only Chromium has: that the browser vouches for what is
 * seen.
 */
export const hideVisibility = (context: BrowserContext) =>
  context.addInitScript('delete IntersectionObserverEntry.prototype.isVisible')

/**
 * Like {@link hideVisibility}, and also cuts each window off from its opener, like a page with
 * `Cross-Origin-Opener-Policy`.
 */
export const cutWindows = (context: BrowserContext) =>
  context.addInitScript(`{
    delete IntersectionObserverEntry.prototype.isVisible
    const { open } = window
    window.open = (url, name, features) => open.call(window, url, '_blank', features + ',noopener') ?? null
  }`)

/** Presses a button that opens our popup, and returns the popup once it prompts. */
export async function openWindow(page: Page, button: Locator): Promise<Page> {
  return pressForWindow(page, () => button.click())
}

/**
 * Like {@link openWindow}, under a cover that lets the press through, like a page that wants a
 * press without the user's intent.
 */
export async function openCovered(page: Page, button: Locator): Promise<Page> {
  // Scrolls to it once it can be pressed and no longer moves.
  await button.click({ trial: true })
  const box = await button.boundingBox()
  if (!box) throw new Error('nothing to press')
  await coverFrame(page, covers['an overlay that lets clicks through'] ?? '')
  const popup = await pressForWindow(page, () =>
    page.mouse.click(box.x + box.width / 2, box.y + box.height / 2),
  )
  await uncoverFrame(page)
  return popup
}

async function pressForWindow(page: Page, press: () => Promise<void>): Promise<Page> {
  const [popup] = await Promise.all([page.context().waitForEvent('page'), press()])
  await popup.locator('.hold').waitFor()
  return popup
}

/** Approves in a window as a person does, and waits until it is closed. */
export async function approveIn(popup: Page): Promise<void> {
  await popup.locator('.hold[data-open="true"]').waitFor()
  const box = await popup.locator('.hold').boundingBox()
  const closed = popup.waitForEvent('close')
  await popup.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 20)
  await popup.mouse.down()
  await popup.locator('.hold[data-hold="full"]').waitFor()
  await mayClose(popup.mouse.up())
  await closed
}

export async function rejectIn(popup: Page): Promise<void> {
  const closed = popup.waitForEvent('close')
  await mayClose(popup.getByRole('button', { name: 'Reject' }).click())
  await closed
}

export const readAsked = async (popup: Page): Promise<string> =>
  (await popup.locator('.asked').textContent()) ?? ''
