import { join } from 'node:path'
import type { ElementHandle, Frame, Locator, Page } from 'playwright-core'
import { changeTheme } from './axe.ts'
import { brokenNumbers } from './brokenNumbers.ts'
import { controlsWithoutEdge } from './controlsWithoutEdge.ts'
import { type Form, pictureFile } from './forms.ts'
import { isInSight } from './isInSight.ts'
import { layoutDefects } from './layoutDefects.ts'
import { addLongWord, german, removeLongWord } from './longWords.ts'
import { mirrorDefects } from './mirrorDefects.ts'
import { smallTargets } from './smallTargets.ts'

/** How often a page that still moves is measured. */
const maxLooks = 10

/** Where `npm run shots` wants a picture of what is measured. */
const folder = process.env.SHOTS_DIR

/**
 * Lists the faults of a page or a frame in a form, after its window got that size: see the measures
 * above. In forced colors, controls need an edge, and on a phone, targets the size of a finger.
 * Everything in `sights` has to be in sight before any scrolling; with `mayScroll`, after it.
 * `hasRows`: some rows scroll sideways.
 */
export async function formDefects(
  place: Page | Frame,
  {
    name,
    form,
    sights = [],
    mayScroll = false,
    hasRows = false,
  }: {
    name: string
    form: Form
    sights?: readonly Locator[]
    mayScroll?: boolean
    hasRows?: boolean
  },
): Promise<string[]> {
  const page = 'page' in place ? place.page() : place
  // Long words change the names by which they are found.
  const shown = await Promise.all(sights.map((sight) => sight.elementHandle()))
  await page.emulateMedia({ forcedColors: form.forcedColors ?? 'none' })
  if (form.theme) await changeTheme(place, form.theme)
  if (form.isLong) await place.evaluate(addLongWord, german)
  const measure = async () => {
    await place.evaluate(scrollUp)
    const hidden = await findHidden(shown, mayScroll)
    const isPhone = form.width <= 390
    const found: Record<string, readonly string[]> = {
      'out of sight': hidden,
      ...(form.dir && { mirror: await place.evaluate(mirrorDefects, 'body') }),
      ...(await place.evaluate(layoutDefects, 'body')),
      'broken number': await place.evaluate(brokenNumbers, 'body'),
      ...(form.forcedColors && { 'no edge': await place.evaluate(controlsWithoutEdge, 'body') }),
      ...(isPhone && { 'small target': await place.evaluate(smallTargets, 'body') }),
    }
    if (hasRows) delete found.scrolled
    return Object.entries(found).flatMap(([fault, all]) =>
      all.map((one) => `${form.name}, ${fault}: ${one}`),
    )
  }
  let found = await measure()
  for (let looks = 1; found.length > 0 && looks < maxLooks; looks++) {
    await page.waitForTimeout(100)
    found = await measure()
  }
  await place.evaluate(scrollUp)
  if (folder) {
    const whole = 'page' in place ? await place.frameElement() : place
    await whole.screenshot({ path: join(folder, pictureFile(name, form)), animations: 'disabled' })
  }
  if (form.isLong) await place.evaluate(removeLongWord, german)
  if (form.dir) await place.evaluate(() => document.documentElement.removeAttribute('dir'))
  if (form.theme) await changeTheme(place, 'dark')
  await page.emulateMedia({ forcedColors: 'none' })
  return found
}

async function findHidden(
  sights: readonly (ElementHandle<SVGElement | HTMLElement> | null)[],
  mayScroll: boolean,
): Promise<string[]> {
  const hidden: string[] = []
  for (const sight of sights) {
    // To the middle, because a bar may cover the edge.
    if (mayScroll)
      await sight?.evaluate((one) => one.scrollIntoView({ block: 'center', behavior: 'instant' }))
    if (!(await sight?.evaluate(isInSight))) hidden.push((await sight?.textContent()) ?? 'nothing')
  }
  return hidden
}

/** A person begins at the top of everything that scrolls. */
function scrollUp(): void {
  for (const node of document.querySelectorAll('*'))
    if (node.scrollTop > 0) node.scrollTo({ top: 0, behavior: 'instant' })
}
