import type { Page } from 'playwright-core'
import { approveLink, ask, begin, type FrameStack, fillCode, inside, settle } from './startFrame.ts'

/**
 * The tab of the export, opened from the frame of `page` by the owner of a wallet with a printed
 * kit, as far as the button that shows the words. `isLeft`: the account was moved away from that
 * wallet, and the owner stays with it there.
 */
export async function openExport(
  frame: FrameStack,
  page: Page,
  { email, kit, isLeft }: { email: string; kit: string; isLeft?: boolean },
): Promise<Page> {
  const opened = await begin(page, 'APP_OPEN', { page: 'export' })
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    inside(page).getByRole('button', { name: 'Open the tab' }).click(),
  ])
  await ask(page, 'APP_CLOSE')
  const { code, message } = await settle(page, opened)
  if (code) throw new Error(`${code}: ${message}`)
  // To the browser this is another place: it signs in, and gets the wallet by the kit.
  await tab.getByRole('textbox').fill(email)
  // Until the next email may be sent, the page shows the remaining time.
  await untilSent(tab, '.words')
  const mails = await frame.countMails(email)
  const matchCode = (await tab.locator('.words').textContent())?.trim() ?? ''
  await approveLink(frame, page.context(), { email, matchCode })
  await fillCode(tab, await frame.readCode(email, mails))
  await tab.getByRole('button', { name: 'Continue' }).click()
  await tab.getByRole('button', { name: 'Use your printed kit' }).click()
  await tab.getByRole('textbox').fill(kit)
  await tab.getByRole('button', { name: 'Open with the kit' }).click()
  if (isLeft) await tab.getByRole('button', { name: 'Stay with the old wallet' }).click()
  await untilSent(tab, '.box, .phrase')
  if ((await tab.locator('.box').count()) > 0)
    await fillCode(tab, await frame.readCode(email, (await frame.countMails(email)) - 1))
  return tab
}

/**
 * Presses Continue, as often as it can be pressed, until the page shows what the selector names.
 */
async function untilSent(tab: Page, selector: string): Promise<void> {
  const button = tab.locator('button:enabled', { hasText: 'Continue' })
  const shown = tab.locator(selector)
  for (;;) {
    await shown.or(button).first().waitFor()
    if ((await shown.count()) > 0) return
    await button.click({ timeout: 5_000 }).catch(() => {})
    await tab.waitForTimeout(200)
  }
}
