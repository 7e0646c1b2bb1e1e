import { violationsInThemes } from '@latchkey/dev/axe'
import { formDefects } from '@latchkey/dev/formDefects'
import { type Form, layouts } from '@latchkey/dev/forms'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The eight forms, and small windows. */
const forms: readonly Form[] = [
  ...layouts,
  { name: '320 × 480', width: 320, height: 480 },
  { name: '360 × 640', width: 360, height: 640 },
]

/** The place that the modal gives to the frame in a window: `FrameHost.module.css`. */
const getPlace = ({ width, height }: Form) =>
  width > 480 ? { width: 376, height: height - 80 } : { width, height: height - 68 }

/**
 * Checks what the frame of a page shows, or a window of the frame's site, in each form with
 * `formDefects`. The main button is in sight; only in a low window a user may have to scroll to it,
 * but not to approve something. Axe accepts the screen in both themes.
 */
export async function expectWhole(page: Page, screen: string): Promise<void> {
  const [, embedded] = page.frames()
  const place = embedded ?? page
  const main = place.locator('.hold, .button[data-kind="main"]').filter({ visible: true }).last()
  const sights = (await main.count()) > 0 ? [main] : []
  const isApproval = (await place.locator('.approval').count()) > 0
  const before = page.viewportSize()
  const faults: string[] = []
  for (const form of forms) {
    const size = embedded ? getPlace(form) : form
    if (embedded)
      await page.locator('#frame').evaluate((frame, { width, height }) => {
        frame.style.width = `${width}px`
        frame.style.maxHeight = `${height}px`
      }, size)
    else await page.setViewportSize(size)
    await place.waitForFunction((px) => innerWidth === px, size.width)
    const mayScroll = !isApproval && form.height < 800
    faults.push(...(await formDefects(place, { name: screen, form, sights, mayScroll })))
  }
  await page.locator('#frame').evaluateAll(([frame]) => frame?.style.removeProperty('max-height'))
  if (before) await page.setViewportSize(before)
  const violations = await violationsInThemes(place)
  // The page around the frame shows the title of a screen as its heading.
  const own = violations.filter((one) => !embedded || !one.startsWith('page-has-heading-one'))
  expect.soft([...faults, ...own], screen).toEqual([])
}
