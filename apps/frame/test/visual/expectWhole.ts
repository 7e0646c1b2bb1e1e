import { violationsInThemes } from '@latchkey/dev/axe'
import { brokenNumbers } from '@latchkey/dev/brokenNumbers'
import { layoutDefects } from '@latchkey/dev/layoutDefects'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The widths of the frame on phones, and in the modal's card. */
const widths = [320, 360, 390, 376]

/**
 * Checks what the frame of a page shows, or a window of the frame's site. At each width nothing
 * leaves it, is cut or scrolls sideways, and no number breaks, nor a short word of a button. Axe
 * accepts it in both themes.
 */
export async function expectWhole(page: Page, screen: string): Promise<void> {
  const [, embedded] = page.frames()
  const place = embedded ?? page
  const faults: string[] = []
  for (const width of widths) {
    if (embedded)
      await page.locator('#frame').evaluate((frame, px) => {
        frame.style.width = `${px}px`
      }, width)
    else await page.setViewportSize({ width, height: 800 })
    await place.waitForFunction((px) => innerWidth === px, width)
    for (const [fault, found] of [
      ...Object.entries(await place.evaluate(layoutDefects, 'body')),
      ['brokenNumbers', await place.evaluate(brokenNumbers, 'body')] as const,
    ])
      faults.push(...found.map((one) => `${width} px, ${fault}: ${one}`))
  }
  const violations = await violationsInThemes(place)
  // The page around the frame shows the title of a screen as its heading.
  const own = violations.filter((one) => !embedded || !one.startsWith('page-has-heading-one'))
  expect.soft([...faults, ...own], screen).toEqual([])
}
