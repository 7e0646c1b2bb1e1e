import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/**
 * Makes a page record its announcements from its next load on: a message may be gone before a busy
 * machine checks. Returns a function that waits until a message was announced.
 */
export async function noteMessages(page: Page) {
  await page.addInitScript(() => {
    const messages = new Set<string>()
    Object.assign(window, { messages })
    new MutationObserver(() => {
      for (const element of document.querySelectorAll('[role="status"], [role="alert"]'))
        messages.add(element.textContent)
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })
  return (text: string) =>
    expect.poll(() => page.evaluate('[...window.messages].join("\\n")')).toContain(text)
}
